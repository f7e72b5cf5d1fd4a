/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/local/size.h"

#include <stdio.h>
#include <string.h>

#include "core/overlap/reach.h"
#include "runtime/report/element.h"
#include "runtime/report/finding.h"
#include "runtime/objects/globals.h"
#include "runtime/record/layouts.h"
#include "runtime/objects/memory.h"
#include "runtime/objects/pending.h"
#include "runtime/record/lock.h"
#include "runtime/record/sites.h"

/* The most work for one buffer: a millisecond or two, if each of its blocks is in a different block
 * of memory, or in none that is known. Looking up a block counts as STEPS_TO_LOOK steps, which is
 * the time it takes. */
enum { STEPS = 1 << 17, STEPS_TO_LOOK = 16 };

void st_size_begin(void)
{
    const char *unknown = st_memory_begin();
    if (unknown) {
        st_findings_note(unknown);
    }
    if (!st_globals_begin()) {
        st_findings_note("--check=size does not know the program's variables: libelf.so.1 is "
                         "missing");
    }
    st_size_on = true;
    st_pending_watch();
}

/* A buffer that reaches outside its memory: data for the report. */
struct st_overrun {
    const struct st_use *use;
    struct st_memory_block memory;
    struct st_element_text element;
    bool has_element;
    uint64_t at;   /* address of the element */
    uint64_t past; /* bytes beyond the end */
    bool before;   /* before the block's beginning; false: after its end */
    char name[ST_MOST_VARIABLE];
    uint32_t site;
};

/* --- checks ----------------------------------------------------------------------------------- */

static bool area_at(void *context, uint64_t address, struct st_area *area)
{
    struct st_memory_block memory;
    if (!st_effort_spend(context, STEPS_TO_LOOK) || !st_memory_at(address, &memory)) {
        return false;
    }
    *area = memory.area;
    return true;
}

/* Returns true if nothing need be checked: all of it is in the block where it begins, or it is one
 * piece that begins in no known block. */
static bool is_right(const struct st_use *use, int64_t shift)
{
    struct st_memory_block memory;
    const struct st_buffer *buffer = &use->buffer;
    if (!st_memory_at(buffer->first, &memory)) {
        return !buffer->item.of && !shift;
    }
    return buffer->first < memory.area.to && buffer->span <= memory.area.to - buffer->first;
}

/* Returns the address of a byte of the element that is outside. */
static uint64_t byte_outside(const struct st_reach *reach)
{
    const struct st_area *area = &reach->area;
    bool begins_inside = reach->element >= area->from && reach->element < area->to;
    return begins_inside ? area->to : reach->element;
}

static uint32_t site_of_block(const struct st_memory_block *memory)
{
    uint64_t frames[ST_SITE_FRAMES] = {memory->pc};
    if (memory->kind == ST_MEMORY_ALLOCATED) {
        return memory->site;
    }
    return memory->pc ? st_site_intern(frames) : ST_NO_SITE;
}

static void describe_overrun(struct st_overrun *overrun, const struct st_reach *reach)
{
    const struct st_use *use = overrun->use;
    const struct st_area *area = &reach->area;
    overrun->before = reach->high <= area->to;
    overrun->past = overrun->before ? area->from - reach->low : reach->high - area->to;
    overrun->at = reach->element;
    overrun->site = site_of_block(&overrun->memory);
    st_memory_name(&overrun->memory, overrun->name, sizeof overrun->name);
    overrun->has_element = st_element_along(&overrun->element, use->node, use->count, use->address,
                                            &reach->path, reach->element);
}

/* Returns true if the use reaches outside its memory. `shift` is that of reach.h. */
static bool overruns(const struct st_use *use, int64_t shift, struct st_overrun *overrun)
{
    struct st_effort effort = st_effort_of(STEPS);
    struct st_areas areas = {.at = area_at, .context = &effort};
    struct st_reach reach;
    const struct st_type *type = st_tree_of_node(use->node);
    if (!type || st_reach_outside(type, use->address, use->count, shift, &areas, &effort, &reach) !=
                     ST_YES) {
        return false;
    }
    overrun->use = use;
    bool found = st_memory_at(reach.area.from, &overrun->memory) &&
                 overrun->memory.area.from == reach.area.from &&
                 overrun->memory.area.to == reach.area.to &&
                 st_memory_is_sure(&overrun->memory, byte_outside(&reach));
    if (found) {
        describe_overrun(overrun, &reach);
    }
    st_reach_deinit(&reach);
    return found;
}

/* The blocks of a v or w collective must be in the memory of the first one, unless each has
 * displacements in bytes, which may lead anywhere. */
static int64_t shift_of(const struct st_use *use, const struct st_use *first)
{
    return use->part->types ? 0 : (int64_t)(first->address - use->address);
}

/* --- reports ---------------------------------------------------------------------------------- */

/* Describes the memory block. `name` is the variable's. */
static void say_block(char *block, size_t room, const struct st_memory_block *memory,
                      const char *name)
{
    uint64_t bytes = memory->area.to - memory->area.from;
    if (memory->kind != ST_MEMORY_GLOBAL) {
        snprintf(block, room, "a block of %llu byte%s from %s", (unsigned long long)bytes,
                 bytes == 1 ? "" : "s", memory->call);
    } else {
        snprintf(block, room, "%s%s%s%llu byte%s", name[0] ? "'" : "a variable", name,
                 name[0] ? "', which has " : " of ", (unsigned long long)bytes,
                 bytes == 1 ? "" : "s");
    }
}

static void say_overrun(char *message, size_t room, const struct st_overrun *overrun)
{
    char block[ST_MOST_VARIABLE + 64];
    say_block(block, sizeof block, &overrun->memory, overrun->name);
    snprintf(message, room, "%s up to %llu byte%s %s of %s",
             overrun->use->access == ST_WRITE ? "writes" : "reads",
             (unsigned long long)overrun->past, overrun->past == 1 ? "" : "s",
             overrun->before ? "before the beginning" : "beyond the end", block);
}

static const char *overrun_advice(const struct st_overrun *overrun)
{
    return overrun->use->access == ST_WRITE
               ? "a buffer has room for count elements, however few arrive (MPI-4.0, 3.2.4): is "
                 "the "
                 "count that of another buffer, or of bytes?"
               : "is the count that of another buffer, or of bytes, or a stride too long?";
}

static void report_overrun(struct st_facts *facts, const struct st_overrun *overrun)
{
    char message[ST_MOST_VARIABLE + 200], size[24];
    const struct st_memory_block *memory = &overrun->memory;
    struct st_element element = {.rank = st_root.world_rank,
                                 .address = overrun->element.address,
                                 .byte = overrun->element.byte,
                                 .type = overrun->element.type,
                                 .in_memory = true,
                                 .at = overrun->at};
    struct st_argument argument = {.name = "bytes", .value = size};
    snprintf(size, sizeof size, "%llu", (unsigned long long)(memory->area.to - memory->area.from));
    say_overrun(message, sizeof message, overrun);
    st_find(facts, &(struct st_found){.check = ST_BUFFER_SIZE,
                                      .parameter = overrun->use->part->buffer,
                                      .message = message,
                                      .advice = overrun_advice(overrun),
                                      .type_node = overrun->use->node,
                                      .has_node = true,
                                      .elements = &element,
                                      .element_count = overrun->has_element,
                                      .other_call = memory->call,
                                      .other_arguments = &argument,
                                      .other_argument_count = 1,
                                      .other_site = overrun->site});
}

void st_check_size(struct st_facts *facts, const struct st_uses *uses)
{
    const struct st_use *first = NULL;
    for (size_t i = 0; i < uses->count; i++) {
        const struct st_use *use = &uses->list[i];
        struct st_overrun overrun;
        if (!first || first->part != use->part) {
            first = use;
        }
        if (st_found_at(facts, use->part->buffer)) {
            continue;
        }
        bool locked = st_lock();
        int64_t shift = shift_of(use, first);
        bool found = !is_right(use, shift) && overruns(use, shift, &overrun);
        st_unlock(locked);
        if (found) {
            report_overrun(facts, &overrun);
        }
    }
}

/* --- memory with a size in bytes, without a datatype -------------------------------------------- */

/* Returns true if the memory that contains `address`, or ends right before it, is known and has
 * fewer than `bytes` from there on. */
static bool is_short(uint64_t address, uint64_t bytes, struct st_memory_block *memory)
{
    if (!st_memory_at(address, memory)) {
        return false;
    }
    uint64_t to = memory->area.to, outside = address > to ? address : to;
    return (address >= to || bytes > to - address) && st_memory_is_sure(memory, outside);
}

static void find_short(struct st_facts *facts, uint64_t past, const struct st_memory_block *memory,
                       const char *name, uint32_t site)
{
    char block[ST_MOST_VARIABLE + 64], message[ST_MOST_VARIABLE + 200], size[24];
    struct st_argument argument = {.name = "bytes", .value = size};
    say_block(block, sizeof block, memory, name);
    snprintf(size, sizeof size, "%llu", (unsigned long long)(memory->area.to - memory->area.from));
    snprintf(message, sizeof message, "passes as '%s' %llu byte%s beyond the end of %s",
             facts->form->parameters[facts->form->room].name, (unsigned long long)past,
             past == 1 ? "" : "s", block);
    st_find(facts, &(struct st_found){.check = ST_BUFFER_SIZE,
                                      .parameter = facts->form->room,
                                      .message = message,
                                      .advice = "is the size that of another buffer, or is the "
                                                "buffer passed from somewhere in its middle on?",
                                      .other_call = memory->call,
                                      .other_arguments = &argument,
                                      .other_argument_count = 1,
                                      .other_site = site});
}

void st_check_room(struct st_facts *facts)
{
    uint64_t address = facts->values[facts->form->room];
    int64_t bytes = (int64_t)facts->values[facts->form->room_bytes];
    struct st_memory_block memory;
    char name[ST_MOST_VARIABLE];
    uint32_t site = ST_NO_SITE;
    if (!address || bytes <= 0 || (uint64_t)bytes > UINT64_MAX - address) {
        return;
    }
    bool locked = st_lock();
    bool found = is_short(address, (uint64_t)bytes, &memory);
    if (found) {
        site = site_of_block(&memory);
        st_memory_name(&memory, name, sizeof name);
    }
    st_unlock(locked);
    if (found) {
        find_short(facts, address + (uint64_t)bytes - memory.area.to, &memory, name, site);
    }
}
