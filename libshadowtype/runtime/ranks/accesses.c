/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/accesses.h"

#include "core/races/footprint.h"
#include "runtime/objects/win_epochs.h"
#include "runtime/ranks/agreed.h"
#include "runtime/ranks/clocks.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/places.h"
#include "runtime/ranks/signed.h"
#include "runtime/record/layouts.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/parts.h"

static uint32_t sent[ST_CLOCK_RANKS]; /* by owner */

/* --- what a call does ---------------------------------------------------------------------- */

uint8_t st_access_kind_of(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    unsigned kind = 0;
    for (int i = 0; i < form->part_count; i++) {
        if (form->parts[i].buffer >= 0) {
            kind |= form->parts[i].access == ST_WRITE ? ST_ACCESS_READS : ST_ACCESS_WRITES;
        }
    }
    if (form->op >= 0) {
        kind |= ST_ACCESS_ATOMIC;
    } else if (kind == (ST_ACCESS_READS | ST_ACCESS_WRITES)) {
        kind |= ST_ACCESS_ATOMIC | ST_ACCESS_SWAPS;
    }
    if (form->op >= 0 && facts->values[form->op] == st_numbers.op_no_op) {
        kind &= ~(unsigned)ST_ACCESS_WRITES;
    }
    return (uint8_t)kind;
}

static uint32_t operation_of(const struct st_facts *facts)
{
    return facts->form->op < 0 ? 0 : (uint32_t)st_agreed_hash(facts->values[facts->form->op]);
}

/* The datatype and count at the target; in calls of one element those of the origin. */
struct st_target_data {
    uint64_t type;
    int64_t count;
};

static struct st_target_data target_data(const struct st_facts *facts)
{
    const struct st_part part = st_part_at_target(facts->form);
    return (struct st_target_data){facts->values[part.type],
                                   part.count >= 0 ? (int64_t)facts->values[part.count] : 1};
}

/* --- the epoch ----------------------------------------------------------------------------- */

uint8_t st_access_lock_of(const struct st_win_peer *peer)
{
    if (!peer || !(peer->lock & (ST_LOCK_SHARED | ST_LOCK_EXCLUSIVE))) {
        return 0;
    }
    if (peer->lock & ST_LOCK_NO_CHECK) {
        return ST_ACCESS_NO_CHECK;
    }
    return peer->lock & ST_LOCK_EXCLUSIVE ? ST_ACCESS_EXCLUSIVE : ST_ACCESS_SHARED;
}

/* Returns 0 if it is in none that is known. */
static uint8_t epoch_of(const struct st_win_memory *window, int64_t target, uint32_t *match)
{
    const uint32_t open = st_win_epochs_open(window->comm);
    const struct st_win_peer *peer = st_win_epochs_peer(window->comm, target);
    *match = 0;
    if (open & ST_EPOCH_UNSURE) {
        return 0;
    }
    const uint8_t lock = st_access_lock_of(peer);
    if (open & ST_EPOCH_LOCK_ALL) {
        return lock ? lock : ST_ACCESS_SHARED;
    }
    if (open & ST_EPOCH_LOCK && lock) {
        return lock;
    }
    if (open & ST_EPOCH_START && peer && peer->started != peer->completed) {
        *match = peer->started;
        return ST_ACCESS_STARTED;
    }
    *match = window->fences;
    return open & ST_EPOCH_FENCE ? ST_ACCESS_FENCE : 0;
}

/* The call site of what has opened it. */
static uint32_t opened_at(const struct st_win_memory *window, uint8_t epoch, int64_t target)
{
    if (epoch == ST_ACCESS_FENCE) {
        return window->fence_place;
    }
    if (epoch == ST_ACCESS_STARTED) {
        return window->access_place;
    }
    if (st_win_epochs_open(window->comm) & ST_EPOCH_LOCK_ALL) {
        return window->access_place | ST_ACCESS_OPENED_ALL;
    }
    return window->lock_places[target];
}

/* --- left ---------------------------------------------------------------------------------- */

static bool put_bytes(struct st_access_record *access, struct st_access_runs *runs,
                      const struct st_target_data *data)
{
    uint32_t node;
    struct st_buffer buffer;
    const struct st_shape *shape = st_shape_at(data->type, &node);
    if (!shape || !shape->layout || (!shape->has_extent && data->count != 1)) {
        return false;
    }
    st_buffer_repeat(&buffer, shape->layout, shape->has_extent, shape->extent, data->count, 0);
    return st_footprint_put(access, runs, &buffer);
}

static void sign_access(struct st_access_record *access, const struct st_target_data *data)
{
    struct st_message_space space;
    st_sign_message(&space, data->type, data->count);
    access->length = space.data.length;
    if (!(space.data.flags & ST_MESSAGE_UNIFORM) || space.data.length <= 0) {
        return;
    }
    access->element = space.data.hash[0];
    const int64_t size = space.data.bytes / space.data.length;
    access->element_size = size > 0 && size <= UINT8_MAX ? (uint8_t)size : 0;
}

/* Fills in what follows from datatype and count alone: signature and bytes. Returns false if the
 * bytes are not known. */
static bool describe_data(struct st_access_record *access, struct st_access_runs *runs,
                          const struct st_target_data *data)
{
    sign_access(access, data);
    return access->length == 0 || put_bytes(access, runs, data);
}

/* Does the same. What it finds for the last predefined datatypes is kept: they never change. */
static bool find_data(struct st_access_record *access, struct st_access_runs *runs,
                      const struct st_target_data *data)
{
    enum { LOG2_KNOWN = 4 };
    static struct st_known_data {
        struct st_target_data data;
        bool is_known;
        struct st_access_record access;
    } known[1 << LOG2_KNOWN];
    const uint64_t hash = (data->type ^ (uint64_t)data->count) * UINT64_C(0x9E3779B97F4A7C15);
    struct st_known_data *entry = &known[hash >> (64 - LOG2_KNOWN)];
    if (entry->is_known && entry->data.type == data->type && entry->data.count == data->count) {
        *access = entry->access;
        return true;
    }
    *access = (struct st_access_record){0};
    if (!describe_data(access, runs, data)) {
        return false;
    }
    *entry = (struct st_known_data){*data, !access->runs && st_sign_stays(data->type), *access};
    return true;
}

static bool fill_access(struct st_access_record *access, const struct st_facts *facts,
                        const struct st_win_memory *window)
{
    const struct st_form *form = facts->form;
    const int64_t target = (int64_t)facts->values[form->target];
    access->epoch = epoch_of(window, target, &access->match);
    if (!window->is_compared || !access->epoch || target < 0 || target >= (int64_t)window->size) {
        return false;
    }
    access->what = ST_ACCESS_CALL;
    access->kind = st_access_kind_of(facts);
    if (form->sync == ST_SYNC_REQUEST) {
        access->kind |= ST_ACCESS_ALONE;
    }
    if (access->epoch == ST_ACCESS_STARTED && window->starts_unchecked) {
        access->kind |= ST_ACCESS_UNCHECKED;
    }
    access->window = window->id;
    access->displacement = (int64_t)facts->values[form->there];
    access->owner = window->places[target];
    access->tick = st_clocks_tick();
    if (st_clocks_now()->ticks[access->owner] == ST_TICK_ALL &&
        access->owner != st_ranks_node.rank) {
        return false;
    }
    access->function = form->number;
    access->opened = opened_at(window, access->epoch, target);
    access->operation = operation_of(facts);
    return true;
}

/* Under the lock: a locked instruction would cost more. */
static void count_call(void)
{
    const uint64_t calls = atomic_load_explicit(&st_access_calls, memory_order_relaxed);
    atomic_store_explicit(&st_access_calls, calls + 1, memory_order_relaxed);
}

/* The last access that was written, as long as no call but such accesses was made since. */
static struct st_last_access {
    const struct st_form *form; /* NULL: none */
    const struct st_win_memory *window;
    struct st_target_data data;
    uint64_t target, operation;
    struct st_access_record access;
} last_access;

static uint64_t find_operation(const struct st_facts *facts)
{
    return facts->form->op < 0 ? 0 : facts->values[facts->form->op];
}

static void keep_last(const struct st_facts *facts, const struct st_win_memory *window,
                      const struct st_target_data *data, const struct st_access_record *access)
{
    last_access.form = NULL;
    if (access->runs || facts->form->sync != ST_SYNC_ACCESS || !st_sign_stays(data->type)) {
        return;
    }
    last_access = (struct st_last_access){.form = facts->form,
                                          .window = window,
                                          .data = *data,
                                          .target = facts->values[facts->form->target],
                                          .operation = find_operation(facts),
                                          .access = *access};
}

void st_access_forget_last(void)
{
    last_access.form = NULL;
}

/* Returns true if an access differs from the last one at most by its displacement. */
static bool is_like_last(const struct st_facts *facts, const struct st_win_memory *window,
                         const struct st_target_data *data, uint32_t place)
{
    return last_access.form == facts->form && last_access.window == window &&
           last_access.access.place == place &&
           last_access.target == facts->values[facts->form->target] &&
           last_access.data.type == data->type && last_access.data.count == data->count &&
           last_access.operation == find_operation(facts) &&
           last_access.access.tick == st_clocks_tick();
}

uint64_t st_access_leave(const struct st_facts *facts, struct st_win_memory *window, uint32_t place)
{
    struct st_access_record access;
    const struct st_target_data data = target_data(facts);
    if (is_like_last(facts, window, &data, place)) {
        struct st_access_record *last = &last_access.access;
        count_call();
        last->displacement = (int64_t)facts->values[facts->form->there];
        last->sent = ++sent[last->owner];
        return st_access_write(st_ranks_node.accesses, last, NULL);
    }
    static struct st_access_runs runs[ST_FOOTPRINT_RUNS]; /* used under the lock */
    if (data.count <= 0 || (int64_t)facts->values[facts->form->target] < 0) {
        return 0;
    }
    count_call();
    const bool has_bytes = find_data(&access, runs, &data);
    if (has_bytes && access.length == 0) {
        return 0;
    }
    access.place = place;
    if (!has_bytes || !fill_access(&access, facts, window)) {
        atomic_fetch_add_explicit(&st_access_uncompared, 1, memory_order_relaxed);
        return 0;
    }
    access.sent = ++sent[access.owner];
    window->has_fetched |= access.kind & ST_ACCESS_ATOMIC && access.kind & ST_ACCESS_READS;
    const uint64_t number = st_access_write(st_ranks_node.accesses, &access, runs);
    keep_last(facts, window, &data, &access);
    if (access.kind & ST_ACCESS_ATOMIC && access.kind & ST_ACCESS_WRITES) {
        st_clocks_mark(window->id, ST_MARK_UPDATED, access.tick);
    }
    return number;
}

uint32_t st_access_end(const struct st_facts *facts, const struct st_win_memory *window,
                       int64_t target, uint8_t epoch, uint8_t kind)
{
    const bool is_one = target >= 0 && target < (int64_t)window->size;
    const struct st_access_record access = {
        .window = window->id,
        .owner = is_one ? window->places[target] : ST_ACCESS_EVERY_OWNER,
        .tick = st_clocks_step(),
        .place = st_place_of_call(facts->call),
        .function = facts->form->number,
        .what = ST_ACCESS_END,
        .kind = kind,
        .epoch = epoch,
    };
    st_access_write(st_ranks_node.accesses, &access, NULL);
    return access.tick;
}

/* Numbers have 64 bits: where they stand is in `displacement`. */
static void end_number(const struct st_facts *facts, uint64_t number, uint8_t what)
{
    const struct st_access_record access = {.displacement = (int64_t)number,
                                            .owner = ST_ACCESS_EVERY_OWNER,
                                            .tick = st_clocks_step(),
                                            .place = facts ? st_place_of_call(facts->call) : 0,
                                            .function = facts ? facts->form->number : 0,
                                            .what = what};
    st_access_write(st_ranks_node.accesses, &access, NULL);
}

void st_access_end_one(const struct st_facts *facts, uint64_t number)
{
    end_number(facts, number, ST_ACCESS_END_ONE);
}

void st_access_take_back(uint64_t number)
{
    end_number(NULL, number, ST_ACCESS_TAKEN_BACK);
}
