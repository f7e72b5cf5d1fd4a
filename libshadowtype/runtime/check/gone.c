/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/gone.h"

#include <stdio.h>
#include <string.h>

#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/frames.h"
#include "runtime/objects/memory.h"
#include "runtime/objects/operations.h"
#include "runtime/objects/pending_call.h"
#include "runtime/check/local/size.h"
#include "runtime/record/sites.h"
#include "runtime/wrap/finalize.h"
#include "runtime/wrap/threads.h"
#include "stack/unwind.h"

/* At most this many functions of a Fortran binding call each other before MPI is called. */
enum { MOST_BINDINGS = 8 };

/* --- reports ---------------------------------------------------------------------------------- */

#define LIVES_LONGER                                                                               \
    ": a variable of the caller's, a static one, or memory from malloc that is freed later"

static const char *gone_advice(const struct st_form *form)
{
    switch (form->lasts) {
    case ST_LASTS_EPOCH:
        return "end the epoch, or flush, while the buffer is there, or pass one that lives "
               "longer" LIVES_LONGER;
    case ST_LASTS_SPLIT:
        return "call the routine that ends the split I/O while the buffer is there, or pass one "
               "that lives longer" LIVES_LONGER;
    default:
        return "complete the operation by MPI_Wait or MPI_Test while the buffer is there, or pass "
               "one that lives longer" LIVES_LONGER;
    }
}

/* Returns true if the byte at `address` lies in the frame of the function whose call returned to the first
 * frame of `site`, with the stack pointer `sp` then. Returns false if the frame is not known. */
static bool is_in_frame(uint64_t address, uint32_t site, uint64_t sp)
{
    uint64_t frames[ST_SITE_FRAMES] = {0};
    st_site_read(site, frames);
    if (!sp || !frames[0] || frames[0] & ST_SITE_TEXT) {
        return false;
    }
    const struct st_frame_rule *rule = st_frame_rule_of((uintptr_t)frames[0]);
    return rule && address >= sp && address - sp < (uint64_t)rule->size;
}

/* Writes where the memory lay.
 * form      the call that passed the memory
 * is_known  the memory lay in the frame of the function that called it */
static void say_place(char *place, size_t room, const struct st_form *form, bool on_heap,
                      bool is_known)
{
    if (on_heap) {
        snprintf(place, room, "it was freed");
    } else if (is_known) {
        snprintf(place, room,
                 "it lay in the stack frame of the function that called %s, which has returned",
                 form->name);
    } else {
        snprintf(place, room, "it lay in the stack frame of a function that has returned");
    }
}

static void find_operation(struct st_facts *facts, const struct st_record *record,
                           const struct st_record_buffer *buffer, bool on_heap, uint64_t sp)
{
    const struct st_form *form = st_form_table[record->function];
    struct st_pending_call pending;
    char message[240], place[120];
    bool locked = st_lock();
    st_pending_call_describe(&pending, record, buffer);
    st_unlock(locked);
    say_place(place, sizeof place, form, on_heap, is_in_frame(buffer->address, record->site, sp));
    snprintf(message, sizeof message, "has %s pending whose buffer is gone: %s", form->name, place);
    st_find(facts, &(struct st_found){.check = ST_BUFFER_GONE,
                                      .parameter = -1,
                                      .message = message,
                                      .advice = gone_advice(form),
                                      .type_node = buffer->type,
                                      .has_node = true,
                                      .other_call = form->name,
                                      .other_arguments = pending.arguments,
                                      .other_argument_count = pending.count,
                                      .other_site = record->site,
                                      .by_other = true});
}

/* --- memory of windows and of buffered sends --------------------------------------------------- */

enum st_memory_of { ST_MEMORY_OF_WINDOW, ST_MEMORY_OF_ATTACHED, ST_MEMORY_OF_SENDS };

static const struct {
    const char *what, *advice;
} memory_words[] = {
    [ST_MEMORY_OF_WINDOW] = {"a window whose memory",
                             "free the window while its memory is there, or let MPI_Win_allocate "
                             "give it"},
    [ST_MEMORY_OF_ATTACHED] =
        {"memory attached to a window that",
         "call MPI_Win_detach while the memory is there, or attach what lives "
         "longer" LIVES_LONGER},
    [ST_MEMORY_OF_SENDS] = {"a buffer attached for buffered sends that",
                            "call MPI_Buffer_detach while the buffer is there, or attach one that "
                            "lives longer" LIVES_LONGER}};

struct st_gone_memory {
    uint64_t from, to, sp;
    uint64_t block; /* start of its heap block; 0 if it has none, or --check=size is off */
    uint64_t win;   /* 0 for the buffer of buffered sends */
    uint32_t site, thread;
    uint16_t function;
    uint8_t of;   /* enum st_memory_of */
    bool is_told; /* it has been reported */
};

/* Memory on the stack, or in known heap blocks. When the array is full, further memory is not checked.
 * Changed under the recorder's lock. */
enum { MOST_MEMORIES = 64 };
static struct st_gone_memory memories[MOST_MEMORIES];
static uint32_t memory_count;

static void find_memory(struct st_facts *facts, const struct st_gone_memory *memory, bool on_heap)
{
    const struct st_form *form = st_form_table[memory->function];
    char message[240], place[120], base[24], size[24];
    const struct st_argument arguments[] = {
        {.name = form->parameters[form->room].name, .value = base},
        {.name = "size", .value = size}};
    say_place(place, sizeof place, form, on_heap,
              is_in_frame(memory->from, memory->site, memory->sp));
    snprintf(message, sizeof message, "has %s is gone: %s", memory_words[memory->of].what, place);
    snprintf(base, sizeof base, "0x%llx", (unsigned long long)memory->from);
    snprintf(size, sizeof size, "%llu", (unsigned long long)(memory->to - memory->from));
    st_find(facts, &(struct st_found){.check = ST_BUFFER_GONE,
                                      .parameter = -1,
                                      .message = message,
                                      .advice = memory_words[memory->of].advice,
                                      .other_call = form->name,
                                      .other_arguments = arguments,
                                      .other_argument_count = 2,
                                      .other_site = memory->site,
                                      .by_other = true});
}

static bool is_freed(uint64_t block, uint64_t address)
{
    return block && st_memory_heap_block(address) != block && st_memory_heap_is_sure();
}

static bool is_below(const struct st_gone_memory *memory, uint64_t sp, uint32_t thread)
{
    return st_stack_has(memory->from) && memory->to <= sp && memory->thread == thread;
}

/* --- the stack -------------------------------------------------------------------------------- */

/* Data about memory that is gone, for its report. */
struct st_gone {
    bool is_memory;
    struct st_gone_memory memory;
    struct st_record record;
    struct st_held_buffer buffer;
    uint64_t sp;
};

/* Finds memory below `sp` that was not reported yet, and marks it as reported. The caller holds the lock. */
static bool take_below(uint64_t sp, struct st_gone *gone)
{
    uint32_t number, thread = st_operations_thread();
    for (uint32_t i = 0; i < memory_count; i++) {
        if (!memories[i].is_told && is_below(&memories[i], sp, thread)) {
            memories[i].is_told = gone->is_memory = true;
            gone->memory = memories[i];
            return true;
        }
    }
    gone->is_memory = false;
    if (!st_pending_below(st_stack.low, sp, thread, &number)) {
        return false;
    }
    st_pending_hold(number, &gone->buffer);
    gone->record = *st_records_at(gone->buffer.published.record);
    gone->sp = st_pending_sp(number);
    st_pending_gone(number);
    return true;
}

static bool is_any_below(uint64_t sp)
{
    uint32_t number, thread = st_operations_thread();
    for (uint32_t i = 0; i < memory_count; i++) {
        if (!memories[i].is_told && is_below(&memories[i], sp, thread)) {
            return true;
        }
    }
    return st_pending_below(st_stack.low, sp, thread, &number);
}

static void find_gone(struct st_facts *facts, const struct st_gone *gone, bool on_heap)
{
    if (gone->is_memory) {
        find_memory(facts, &gone->memory, on_heap);
        return;
    }
    find_operation(facts, &gone->record, &gone->buffer.published, on_heap, gone->sp);
    bool locked = st_operations_lock();
    st_pending_let_go(&gone->buffer);
    st_operations_unlock(locked);
}

/* Returns the stack pointer of the user's function. A Fortran binding calls MPI from its own frame. */
static uint64_t user_sp(const struct st_call *call)
{
    uintptr_t pc = (uintptr_t)call->pc, sp = (uintptr_t)call->sp;
    if (call->caller != ST_CALLER_BINDING) {
        return sp;
    }
    for (int depth = 0; depth < MOST_BINDINGS && st_caller_of((const void *)pc) != ST_CALLER_USER;
         depth++) {
        const struct st_frame_rule *rule = st_frame_rule_of(pc);
        if (!rule) {
            return (uintptr_t)call->sp;
        }
        memcpy(&pc, (const void *)(sp + (uintptr_t)rule->slot), sizeof pc);
        sp += (uintptr_t)rule->size;
    }
    return sp;
}

/* Returns false if no such memory is left. Calls are then not checked until one has a higher stack
 * pointer. */
static bool take_next(uint64_t sp, struct st_gone *gone, bool is_whole)
{
    bool locked = st_operations_lock();
    bool taken = is_whole && take_below(sp, gone);
    if (!taken) {
        atomic_store_explicit(&st_stack_lowest, sp + 1, memory_order_relaxed);
    }
    st_operations_unlock(locked);
    return taken;
}

void st_gone_look(struct st_facts *facts)
{
    struct st_gone gone;
    uint64_t sp = user_sp(facts->call);
    if (!st_stack_has(sp) || sp < atomic_load_explicit(&st_stack_lowest, memory_order_relaxed)) {
        return;
    }
    bool locked = st_lock();
    bool is_whole = is_any_below(sp);
    st_unlock(locked);
    is_whole = is_whole && st_stack_is_whole();
    while (take_next(sp, &gone, is_whole)) {
        find_gone(facts, &gone, false);
    }
}

/* --- windows and buffered sends: handed over and taken back ------------------------------------- */

/* Returns true if MPI keeps memory that the call passes, after the call has returned. */
static bool takes_memory(const struct st_form *form, enum st_memory_of *of)
{
    if (form->room < 0) {
        return false;
    }
    *of = ST_MEMORY_OF_SENDS;
    if (form->attached == ST_ATTACHED_NEW) {
        return true;
    }
    *of = ST_MEMORY_OF_ATTACHED;
    if (form->win >= 0) {
        return form->room > form->win;
    }
    *of = ST_MEMORY_OF_WINDOW;
    return form->parameters[form->parameter_count - 1].role == ST_ROLE_GIVES &&
           form->parameters[form->parameter_count - 1].kind == ST_KIND_WIN;
}

static uint64_t win_of(const struct st_facts *facts, enum st_memory_of of)
{
    const struct st_form *form = facts->form;
    if (of == ST_MEMORY_OF_ATTACHED) {
        return facts->values[form->win];
    }
    int last = form->parameter_count - 1;
    return of == ST_MEMORY_OF_WINDOW && facts->values[last] ? st_handle_at(facts, last, 0) : 0;
}

static void add_memory(const struct st_facts *facts, enum st_memory_of of)
{
    const struct st_form *form = facts->form;
    const struct st_call *call = facts->call;
    const uint64_t from = facts->values[form->room], bytes = facts->values[form->room_bytes];
    struct st_site site;
    if (!from || !bytes || bytes > UINT64_MAX - from || (!st_stack_has(from) && !st_size_on)) {
        return;
    }
    st_site_of_call(call, &site);
    struct st_gone_memory memory = {
        .from = from,
        .to = from + bytes,
        .sp = call->caller == ST_CALLER_USER ? (uint64_t)(uintptr_t)call->sp : 0,
        .win = win_of(facts, of),
        .thread = st_operations_thread(),
        .function = form->number,
        .of = (uint8_t)of};
    bool locked = st_lock();
    memory.site = st_site_intern(site.frames);
    memory.block = st_size_on ? st_memory_heap_block(from) : 0;
    if (memory_count < MOST_MEMORIES && (memory.block || st_stack_has(from))) {
        memories[memory_count++] = memory;
    }
    if (st_stack_has(from)) {
        st_stack_expect(memory.to);
    }
    st_unlock(locked);
}

/* Removes memory of a window.
 * win   the window; 0 for the buffer of buffered sends
 * from  where the memory starts; 0 for all memory of the window */
static void remove_memory(uint64_t win, uint64_t from)
{
    bool locked = st_lock();
    for (uint32_t i = 0; i < memory_count;) {
        if (memories[i].win == win && (!from || memories[i].from == from)) {
            memories[i] = memories[--memory_count];
        } else {
            i++;
        }
    }
    st_unlock(locked);
}

/* Finds freed memory that was not reported yet, and marks it as reported. `win` 0 stands for every window. */
static bool take_freed_memory(uint64_t win, struct st_gone *gone)
{
    bool found = false;
    bool locked = st_lock();
    for (uint32_t i = 0; i < memory_count && !found; i++) {
        found = !memories[i].is_told && (!win || memories[i].win == win) &&
                is_freed(memories[i].block, memories[i].from);
        if (found) {
            memories[i].is_told = gone->is_memory = true;
            gone->memory = memories[i];
        }
    }
    st_unlock(locked);
    return found;
}

static void check_freed_memory(struct st_facts *facts, uint64_t win)
{
    struct st_gone gone;
    while (take_freed_memory(win, &gone)) {
        find_gone(facts, &gone, true);
    }
}

/* Returns the window that the call uses or frees; 0 if it has none. */
static uint64_t named_win(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    if (form->win >= 0) {
        return facts->values[form->win];
    }
    if (form->parameter_count && facts->values[0] && form->parameters[0].role == ST_ROLE_TAKES &&
        form->parameters[0].kind == ST_KIND_WIN) {
        return st_handle_at(facts, 0, 0);
    }
    return 0;
}

void st_check_gone_memory(struct st_facts *facts)
{
    if (!memory_count) {
        return;
    }
    uint64_t win = named_win(facts);
    if (st_size_on && win) {
        check_freed_memory(facts, win);
    }
    if (win && facts->form->win < 0) {
        remove_memory(win, 0); /* MPI_Win_free */
    } else if (facts->form->attached == ST_ATTACHED_GONE) {
        remove_memory(0, 0);
    } else if (win && strncmp(facts->form->name, "MPI_Win_detach", 14) == 0) {
        remove_memory(win, facts->values[1]);
    }
}

void st_gone_memory_after(const struct st_facts *facts)
{
    enum st_memory_of of;
    if (takes_memory(facts->form, &of)) {
        add_memory(facts, of);
    }
}

/* --- the heap ---------------------------------------------------------------------------------- */

/* Finds the record's next freed buffer, and marks it as reported. The caller holds the lock. */
static bool take_freed(struct st_record *record, struct st_gone *gone)
{
    const struct st_record_buffer *buffer;
    for (uint32_t link = record ? record->buffers : 0; link; link = buffer->next) {
        const struct st_buffer *bytes = st_pending_buffer(link - 1, &buffer);
        if (!buffer->active || !is_freed(st_pending_block(link - 1), bytes->first)) {
            continue;
        }
        st_pending_hold(link - 1, &gone->buffer);
        st_pending_gone(link - 1);
        gone->record = *record;
        gone->is_memory = false;
        return true;
    }
    return false;
}

static void check_freed(struct st_facts *facts, struct st_record_name name)
{
    struct st_gone gone;
    bool found;
    do {
        bool locked = st_operations_lock();
        struct st_record *record = st_records_named(name);
        found = record && !(record->flags & (ST_RECORD_POSSIBLE | ST_RECORD_RUNNING)) &&
                take_freed(record, &gone);
        st_operations_unlock(locked);
        if (found) {
            find_gone(facts, &gone, true);
        }
    } while (found);
}

void st_check_gone_requests(struct st_checked *checked)
{
    for (int64_t i = 0; st_size_on && i < checked->request_count; i++) {
        if (checked->requests[i].record.number != ST_NO_RECORD) {
            check_freed(&checked->facts, checked->requests[i].record);
        }
    }
}

static void check_all_freed(struct st_facts *facts, uint64_t place)
{
    uint32_t number = 0;
    struct st_record copy;
    while (st_records_next(&number, &copy)) {
        if ((copy.kind == ST_KIND_REQUEST || copy.kind == ST_KIND_OPERATION) &&
            (!place || copy.comm == place)) {
            check_freed(facts, st_records_name(&copy));
        }
    }
}

void st_check_gone_ended(struct st_checked *checked)
{
    if (st_size_on && checked->ended) {
        check_all_freed(&checked->facts, checked->ended);
    }
}

/* --- the end ----------------------------------------------------------------------------------- */

void st_check_gone_at_end(void)
{
    const struct st_form *form;
    struct st_call call;
    if (!st_call_of_finalize(__builtin_frame_address(0), &form, &call)) {
        return;
    }
    const uint64_t values[] = {0};
    struct st_facts facts = {.form = form, .call = &call, .values = values};
    st_check_gone(&facts);
    if (st_size_on) {
        check_freed_memory(&facts, 0);
        check_all_freed(&facts, 0);
    }
}
