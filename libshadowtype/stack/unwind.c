/* SPDX-License-Identifier: BSD-3-Clause */
#include "stack/unwind.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

/* DWARF's numbers of the stack pointer and of the return address column. */
#if defined(__x86_64__)
enum { STACK_POINTER = 7 };
#elif defined(__aarch64__)
enum { STACK_POINTER = 31 };
#elif defined(__riscv)
enum { STACK_POINTER = 2 };
#elif defined(__powerpc64__)
enum { STACK_POINTER = 1 };
#else
enum { STACK_POINTER = -1 };
#endif

/* From libgcc, which every program that can throw has; unwind.h does not declare it. */
struct st_dwarf_eh_bases {
    void *text;
    void *data;
    void *function;
};
extern const void *_Unwind_Find_FDE(void *pc, struct st_dwarf_eh_bases *bases);

/* --- reading the tables (DWARF 5, 6.4 and 7.24; LSB, "Exception Frames") -------------------- */

struct st_local_cursor {
    const unsigned char *at, *end;
    bool bad; /* read beyond the end, or an unknown encoding */
};

static uint64_t read_bytes(struct st_local_cursor *from, unsigned count)
{
    uint64_t value = 0;
    if ((size_t)(from->end - from->at) < count) {
        from->bad = true;
        return 0;
    }
    memcpy((unsigned char *)&value + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 8 - count : 0),
           from->at, count);
    from->at += count;
    return value;
}

static void skip_bytes(struct st_local_cursor *from, uint64_t count)
{
    if ((uint64_t)(from->end - from->at) < count) {
        from->bad = true;
    } else {
        from->at += count;
    }
}

static uint64_t read_uleb(struct st_local_cursor *from)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint64_t byte = read_bytes(from, 1);
        value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            return value;
        }
    }
    from->bad = true;
    return 0;
}

static int64_t read_sleb(struct st_local_cursor *from)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint64_t byte = read_bytes(from, 1);
        value |= (byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            if ((byte & 0x40) && shift + 7 < 64) {
                value |= ~UINT64_C(0) << (shift + 7);
            }
            return (int64_t)value;
        }
    }
    from->bad = true;
    return 0;
}

static void skip_encoded(struct st_local_cursor *from, unsigned encoding)
{
    static const unsigned char bytes[16] = {sizeof(void *), 0, 2, 4, 8, 0, 0, 0,
                                            sizeof(void *), 0, 2, 4, 8, 0, 0, 0};
    if ((encoding & 0x70) == 0x50 || !bytes[encoding & 0x0f]) { /* aligned, uleb and sleb are not
                                                                 supported */
        from->bad = true;
    } else {
        skip_bytes(from, bytes[encoding & 0x0f]);
    }
}

/* Returns a cursor at the byte after the length of the entry. */
static struct st_local_cursor entry_at(const unsigned char *entry)
{
    struct st_local_cursor length = {entry, entry + 4, false};
    uint32_t bytes = (uint32_t)read_bytes(&length, 4);
    if (bytes == UINT32_MAX) { /* the 64-bit form, which .eh_frame does not use */
        return (struct st_local_cursor){entry, entry, true};
    }
    return (struct st_local_cursor){entry + 4, entry + 4 + bytes, false};
}

struct st_common {
    uint64_t code_align;
    int64_t data_align;
    uint64_t return_column;
    unsigned encoding; /* of the addresses in an FDE */
    bool sized;        /* FDEs have augmentation data, with its length */
    struct st_local_cursor instructions;
};

static bool read_common(struct st_common *common, const unsigned char *entry)
{
    struct st_local_cursor from = entry_at(entry);
    skip_bytes(&from, 4); /* its id */
    uint64_t version = read_bytes(&from, 1);
    const unsigned char *augmentation = from.at;
    while (read_bytes(&from, 1) && !from.bad)
        ;
    common->code_align = read_uleb(&from);
    common->data_align = read_sleb(&from);
    common->return_column = version == 1 ? read_bytes(&from, 1) : read_uleb(&from);
    common->encoding = 0;
    common->sized = *augmentation == 'z';
    if (*augmentation && !common->sized) {
        return false;
    }
    if (common->sized) {
        uint64_t bytes = read_uleb(&from);
        struct st_local_cursor data = from;
        for (const unsigned char *letter = augmentation + 1; *letter; letter++) {
            if (*letter == 'R') {
                common->encoding = (unsigned)read_bytes(&data, 1);
            } else if (*letter == 'L') {
                skip_bytes(&data, 1);
            } else if (*letter == 'P') {
                skip_encoded(&data, (unsigned)read_bytes(&data, 1));
            } else { /* a signal frame, or a signed return address */
                return false;
            }
        }
        if (data.bad) {
            return false;
        }
        skip_bytes(&from, bytes);
    }
    common->instructions = from;
    return !from.bad;
}

/* --- the state of a frame at one address --------------------------------------------------- */

struct st_local_state {
    uint64_t cfa_register;
    int64_t cfa_offset;
    int64_t return_offset; /* relative to the CFA */
    bool cfa_known, return_known;
};

struct st_machine {
    const struct st_common *common;
    struct st_local_state now, initial;
    struct st_local_state kept[8];
    unsigned kept_count;
    uintptr_t location, wanted;
};

static void set_return(struct st_machine *machine, uint64_t column, bool known, int64_t offset)
{
    if (column != machine->common->return_column) {
        return;
    }
    machine->now.return_known = known;
    machine->now.return_offset = offset;
}

static void restore_return(struct st_machine *machine, uint64_t column)
{
    set_return(machine, column, machine->initial.return_known, machine->initial.return_offset);
}

static int64_t scaled(const struct st_machine *machine, struct st_local_cursor *from)
{
    return (int64_t)read_uleb(from) * machine->common->data_align;
}

static void advance_location(struct st_machine *machine, uint64_t by)
{
    machine->location += (uintptr_t)(by * machine->common->code_align);
}

/* Runs an instruction that has no operand in its own byte. */
static void run_extended(struct st_machine *machine, unsigned code, struct st_local_cursor *from)
{
    uint64_t column;
    struct st_local_state *now = &machine->now;
    switch (code) {
    case 0x00: /* nop */
        break;
    case 0x02: /* advance_loc1, 2, 4 */
        advance_location(machine, read_bytes(from, 1));
        break;
    case 0x03:
        advance_location(machine, read_bytes(from, 2));
        break;
    case 0x04:
        advance_location(machine, read_bytes(from, 4));
        break;
    case 0x05: /* offset_extended */
        column = read_uleb(from);
        set_return(machine, column, true, scaled(machine, from));
        break;
    case 0x06: /* restore_extended */
        restore_return(machine, read_uleb(from));
        break;
    case 0x07: /* undefined, same_value */
    case 0x08:
        set_return(machine, read_uleb(from), false, 0);
        break;
    case 0x09: /* register */
        column = read_uleb(from);
        (void)read_uleb(from);
        set_return(machine, column, false, 0);
        break;
    case 0x0a: /* remember_state */
        if (machine->kept_count == sizeof machine->kept / sizeof *machine->kept) {
            from->bad = true;
        } else {
            machine->kept[machine->kept_count++] = *now;
        }
        break;
    case 0x0b: /* restore_state */
        if (machine->kept_count) {
            *now = machine->kept[--machine->kept_count];
        } else {
            from->bad = true;
        }
        break;
    case 0x0c: /* def_cfa */
        now->cfa_register = read_uleb(from);
        now->cfa_offset = (int64_t)read_uleb(from);
        now->cfa_known = true;
        break;
    case 0x0d: /* def_cfa_register */
        now->cfa_register = read_uleb(from);
        break;
    case 0x0e: /* def_cfa_offset */
        now->cfa_offset = (int64_t)read_uleb(from);
        break;
    case 0x0f: /* def_cfa_expression */
        now->cfa_known = false;
        skip_bytes(from, read_uleb(from));
        break;
    case 0x10: /* expression, val_expression */
    case 0x16:
        set_return(machine, read_uleb(from), false, 0);
        skip_bytes(from, read_uleb(from));
        break;
    case 0x11: /* offset_extended_sf */
        column = read_uleb(from);
        set_return(machine, column, true, read_sleb(from) * machine->common->data_align);
        break;
    case 0x12: /* def_cfa_sf */
        now->cfa_register = read_uleb(from);
        now->cfa_offset = read_sleb(from) * machine->common->data_align;
        now->cfa_known = true;
        break;
    case 0x13: /* def_cfa_offset_sf */
        now->cfa_offset = read_sleb(from) * machine->common->data_align;
        break;
    case 0x14: /* val_offset, val_offset_sf */
    case 0x15:
        set_return(machine, read_uleb(from), false, 0);
        (void)read_uleb(from);
        break;
    case 0x2e: /* GNU_args_size */
        (void)read_uleb(from);
        break;
    default: /* set_loc, and instructions of one processor only */
        from->bad = true;
    }
}

/* Runs up to the row of the table for the wanted address. */
static bool run_instructions(struct st_machine *machine, struct st_local_cursor from)
{
    while (from.at < from.end && !from.bad && machine->location <= machine->wanted) {
        unsigned code = (unsigned)read_bytes(&from, 1);
        switch (code & 0xc0) {
        case 0x40:
            advance_location(machine, code & 0x3f);
            break;
        case 0x80:
            set_return(machine, code & 0x3f, true, scaled(machine, &from));
            break;
        case 0xc0:
            restore_return(machine, code & 0x3f);
            break;
        default:
            run_extended(machine, code, &from);
        }
    }
    return !from.bad;
}

void st_frame_rule_read(struct st_frame_rule *rule)
{
    rule->fixed = false;
    struct st_dwarf_eh_bases bases;
    uintptr_t inside = rule->pc - 1; /* an address within the call: the next instruction may have
                                        another row */
    const unsigned char *entry = _Unwind_Find_FDE((void *)inside, &bases);
    if (!entry) {
        return;
    }
    struct st_local_cursor from = entry_at(entry);
    const unsigned char *distance_at = from.at;
    int32_t distance = (int32_t)read_bytes(&from, 4);
    struct st_common common;
    if (from.bad || !read_common(&common, distance_at - distance)) {
        return;
    }
    skip_encoded(&from, common.encoding);
    skip_encoded(&from, common.encoding & 0x0f);
    if (common.sized) {
        skip_bytes(&from, read_uleb(&from));
    }
    struct st_machine machine = {.common = &common, .wanted = inside};
    if (from.bad || !run_instructions(&machine, common.instructions)) {
        return;
    }
    machine.initial = machine.now;
    machine.location = (uintptr_t)bases.function;
    if (!run_instructions(&machine, from)) {
        return;
    }
    const struct st_local_state *now = &machine.now;
    int64_t slot = now->cfa_offset + now->return_offset;
    if (!now->cfa_known || !now->return_known || (int64_t)now->cfa_register != STACK_POINTER ||
        slot < 0 || now->cfa_offset > INT32_MAX || slot > now->cfa_offset) {
        return;
    }
    rule->slot = (int32_t)slot;
    rule->size = (int32_t)now->cfa_offset;
    rule->fixed = true;
}

/* --- cache --------------------------------------------------------------------------------- */

enum { LOG2_REMEMBERED = 8, MOST_RULES = 1024 };
static _Atomic(const struct st_frame_rule *) remembered[1 << LOG2_REMEMBERED];
static struct st_frame_rule rules[MOST_RULES]; /* filled before they are visible, then never
                                                  changed */
static atomic_uint rules_taken;

const struct st_frame_rule *st_frame_rule_of(uintptr_t pc)
{
    uint64_t hash = (uint64_t)pc * UINT64_C(0x9E3779B97F4A7C15);
    _Atomic(const struct st_frame_rule *) *place = &remembered[hash >> (64 - LOG2_REMEMBERED)];
    const struct st_frame_rule *known = atomic_load_explicit(place, memory_order_acquire);
    if (!known || known->pc != pc) {
        unsigned number =
            atomic_load(&rules_taken) < MOST_RULES ? atomic_fetch_add(&rules_taken, 1) : MOST_RULES;
        if (number >= MOST_RULES) {
            return NULL;
        }
        struct st_frame_rule *fresh = &rules[number];
        fresh->pc = pc;
        st_frame_rule_read(fresh);
        atomic_store_explicit(place, fresh, memory_order_release);
        known = fresh;
    }
    return known->fixed ? known : NULL;
}
