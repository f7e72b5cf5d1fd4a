/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/races/races.h"

#include <stdlib.h>
#include <string.h>

#include "core/races/footprint.h"

/* The most work for comparing an access with all that it meets. */
enum { STEPS = 1 << 13 };

struct st_remotes {
    struct st_remote *first, *last;
};

struct st_races {
    struct st_actives actives; /* the accesses that were compared */
    struct st_remotes over;    /* those that have ended, in the order of their ends */
    size_t count, unsettled, forgotten;
    uint32_t ranks;
    struct st_remotes open[]; /* the others, by origin */
};

struct st_races *st_races_new(uint32_t ranks)
{
    struct st_races *races = calloc(1, sizeof(*races) + ranks * sizeof(races->open[0]));
    if (races) {
        races->ranks = ranks;
        st_actives_init(&races->actives);
    }
    return races;
}

size_t st_races_count(const struct st_races *races)
{
    return races->count;
}

size_t st_races_forgotten(const struct st_races *races)
{
    return races->forgotten;
}

/* --- lists ---------------------------------------------------------------------------------- */

static struct st_remotes *list_of(struct st_races *races, const struct st_remote *remote)
{
    return remote->has_ended ? &races->over : &races->open[remote->origin];
}

static void link_remote(struct st_races *races, struct st_remote *remote)
{
    struct st_remotes *list = list_of(races, remote);
    remote->next = NULL;
    remote->previous = list->last;
    *(list->last ? &list->last->next : &list->first) = remote;
    list->last = remote;
}

static void unlink_remote(struct st_races *races, struct st_remote *remote)
{
    struct st_remotes *list = list_of(races, remote);
    *(remote->previous ? &remote->previous->next : &list->first) = remote->next;
    *(remote->next ? &remote->next->previous : &list->last) = remote->previous;
}

static void free_remote(struct st_races *races, struct st_remote *remote)
{
    unlink_remote(races, remote);
    if (remote->is_settled) {
        st_actives_remove(&races->actives, &remote->active);
    } else {
        races->unsettled--;
    }
    st_layout_release(remote->active.buffer.item.of);
    free(remote);
    races->count--;
}

void st_races_free(struct st_races *races)
{
    if (!races) {
        return;
    }
    while (races->over.first) {
        free_remote(races, races->over.first);
    }
    for (uint32_t i = 0; i < races->ranks; i++) {
        while (races->open[i].first) {
            free_remote(races, races->open[i].first);
        }
    }
    st_actives_deinit(&races->actives);
    free(races);
}

/* --- adding and removing -------------------------------------------------------------------- */

struct st_remote *st_races_enter(struct st_races *races, const struct st_access_record *call,
                                 uint32_t origin, const struct st_clock *start,
                                 const struct st_buffer *bytes)
{
    if (races->count >= ST_MOST_REMOTES && races->over.first) {
        free_remote(races, races->over.first);
        races->forgotten++;
    }
    if (bytes->doubt || origin >= races->ranks || races->count >= ST_MOST_REMOTES) {
        return NULL;
    }
    struct st_remote *remote = malloc(sizeof(*remote));
    if (!remote) {
        return NULL;
    }
    /* Member by member: it is large, and one of these comes with each access. The others are set when it is linked, ends,
     * and is inserted. */
    remote->call = *call;
    remote->last_number = call->number;
    remote->origin = origin;
    remote->has_ended = remote->is_settled = false;
    remote->is_even = st_footprint_is_even(call, NULL, call->element_size);
    remote->end = (struct st_moment){0};
    remote->end_place = 0;
    remote->end_function = 0;
    remote->start = *start;
    remote->active.buffer = *bytes;
    if (bytes->item.of) {
        st_layout_ref(bytes->item.of);
    }
    link_remote(races, remote);
    races->count++;
    races->unsettled++;
    return remote;
}

/* Returns true if `call` differs from the last call of an access only by where it is. */
static bool is_next(const struct st_remote *remote, const struct st_access_record *call)
{
    const struct st_access_record *first = &remote->call;
    return call->place == first->place && call->tick == first->tick &&
           call->window == first->window && call->block == first->block && call->block &&
           call->kind == first->kind && !(call->kind & (ST_ACCESS_LOCAL | ST_ACCESS_ALONE)) &&
           call->epoch == first->epoch && call->match == first->match &&
           call->opened == first->opened && call->operation == first->operation &&
           call->function == first->function && call->element == first->element &&
           call->low == first->low && call->length == first->length &&
           !(call->levels | call->runs | first->levels | first->runs) && !remote->is_settled;
}

/* Returns true if no two accesses of one rank that do this are in conflict. */
static bool may_repeat(const struct st_access_record *call)
{
    return !(call->kind & ST_ACCESS_WRITES) || call->kind & ST_ACCESS_ATOMIC;
}

bool st_races_continue(struct st_races *races, const struct st_access_record *call, uint32_t origin,
                       const struct st_buffer *bytes, uint64_t until)
{
    enum { MOST_BACK = 4 };
    struct st_remote *remote = origin < races->ranks ? races->open[origin].last : NULL;
    for (int i = 0; remote && i < MOST_BACK; i++, remote = remote->previous) {
        struct st_buffer *before = &remote->active.buffer;
        if (!is_next(remote, call) || (remote->last_number <= until) != (call->number <= until)) {
            continue;
        }
        if (bytes->first == before->first + before->span) {
            before->span += bytes->span;
            before->item.count = before->span;
            remote->last_number = call->number;
            return true;
        }
        if (bytes->first == before->first && bytes->span == before->span && may_repeat(call)) {
            return true;
        }
    }
    return false;
}

static bool does_end(const struct st_remote *remote, const struct st_ending *ending)
{
    const struct st_access_record *call = &remote->call;
    if (ending->number) {
        return call->number == ending->number;
    }
    if (call->kind & ST_ACCESS_LOCAL) {
        return false;
    }
    return call->window == ending->window &&
           (ending->epoch == ST_ACCESS_LOCKS ? st_access_is_locked(call->epoch)
                                             : call->epoch == ending->epoch) &&
           (!ending->kind || call->kind & ending->kind) &&
           (!ending->by_match || call->match <= ending->match);
}

void st_races_end(struct st_races *races, const struct st_ending *ending)
{
    struct st_remote *next;
    if (ending->origin >= races->ranks) {
        return;
    }
    for (struct st_remote *remote = races->open[ending->origin].first; remote; remote = next) {
        next = remote->next;
        if (does_end(remote, ending)) {
            unlink_remote(races, remote);
            remote->has_ended = true;
            remote->end = ending->end;
            remote->end_place = ending->place;
            remote->end_function = ending->function;
            link_remote(races, remote);
        }
    }
}

/* Returns true if the last one of several calls was removed, which no access was compared with yet. */
static bool drop_last_call(struct st_remote *remote, uint64_t number)
{
    struct st_buffer *bytes = &remote->active.buffer;
    if (remote->is_settled || remote->last_number != number || remote->call.number == number) {
        return false;
    }
    bytes->span -= remote->call.block;
    bytes->item.count = bytes->span;
    remote->last_number = number - 1;
    return true;
}

size_t st_races_drop(struct st_races *races, uint32_t origin, uint64_t number)
{
    struct st_remote *next;
    size_t count = 0;
    for (struct st_remote *remote = races->open[origin].first; remote; remote = next) {
        next = remote->next;
        if (!number || (remote->call.number <= number && number <= remote->last_number &&
                        !drop_last_call(remote, number))) {
            free_remote(races, remote);
            count++;
        }
    }
    return count;
}

static void drop_from(struct st_races *races, struct st_remotes *list, uint64_t window)
{
    struct st_remote *next;
    for (struct st_remote *remote = list->first; remote; remote = next) {
        next = remote->next;
        if (remote->call.window == window) {
            free_remote(races, remote);
        }
    }
}

void st_races_drop_window(struct st_races *races, uint64_t window)
{
    drop_from(races, &races->over, window);
    for (uint32_t i = 0; i < races->ranks; i++) {
        drop_from(races, &races->open[i], window);
    }
}

void st_races_forget(struct st_races *races, const struct st_clock *known)
{
    struct st_remote *next;
    if (races->unsettled) { /* they may know less */
        return;
    }
    for (struct st_remote *remote = races->over.first; remote; remote = next) {
        next = remote->next;
        if (remote->is_settled && remote->end.rank < races->ranks &&
            known->ticks[remote->end.rank] >= remote->end.tick) {
            free_remote(races, remote);
        }
    }
}

/* --- the rules ------------------------------------------------------------------------------ */

/* Returns true if `first` is complete before `second` begins. */
static bool is_before(const struct st_remote *first, const struct st_remote *second)
{
    return first->has_ended && first->end.rank < ST_CLOCK_RANKS &&
           second->start.ticks[first->end.rank] >= first->end.tick;
}

static bool is_locked(const struct st_remote *remote)
{
    return remote->call.epoch == ST_ACCESS_SHARED || remote->call.epoch == ST_ACCESS_EXCLUSIVE;
}

/* Returns true if both hold locks of one target that two origins cannot hold at the same time. */
static bool are_excluded(const struct st_remote *one, const struct st_remote *other)
{
    return one->origin != other->origin && one->call.window == other->call.window &&
           is_locked(one) && is_locked(other) &&
           (one->call.epoch == ST_ACCESS_EXCLUSIVE || other->call.epoch == ST_ACCESS_EXCLUSIVE);
}

/* Returns true if the elements of two atomic accesses are the same ones, as far as is known. */
static bool are_elements_alike(const struct st_remote *one, const struct st_remote *other)
{
    const uint64_t size = one->call.element_size;
    if (!one->call.element || !other->call.element) {
        return true;
    }
    if (one->call.element != other->call.element) {
        return false;
    }
    const uint64_t apart = one->active.buffer.first - other->active.buffer.first;
    return !one->is_even || !other->is_even || apart % size == 0;
}

/* MPI_NO_OP has only the kind READS. The operation of others is known, or 0. */
static bool may_operations_meet(const struct st_remote *one, const struct st_remote *other)
{
    const bool only_reads =
        !(one->call.kind & ST_ACCESS_WRITES) || !(other->call.kind & ST_ACCESS_WRITES);
    const bool swaps = (one->call.kind | other->call.kind) & ST_ACCESS_SWAPS;
    return only_reads || swaps || one->origin == other->origin ||
           one->call.operation == other->call.operation || !one->call.operation ||
           !other->call.operation;
}

/* Returns true if it is not known what one of the origins knows of the other. */
static bool is_vague(const struct st_remote *one, const struct st_remote *other)
{
    return one->start.ticks[other->origin] == ST_TICK_ALL ||
           other->start.ticks[one->origin] == ST_TICK_ALL;
}

enum st_race st_races_judge(const struct st_remote *one, const struct st_remote *other)
{
    if (is_vague(one, other) || one->call.kind & other->call.kind & ST_ACCESS_LOCAL ||
        !((one->call.kind | other->call.kind) & ST_ACCESS_WRITES) || is_before(one, other) ||
        is_before(other, one) || are_excluded(one, other)) {
        return ST_RACE_NONE;
    }
    if (!(one->call.kind & other->call.kind & ST_ACCESS_ATOMIC)) {
        return ST_RACE_CONFLICT;
    }
    if (!are_elements_alike(one, other)) {
        return ST_RACE_ELEMENTS;
    }
    return may_operations_meet(one, other) ? ST_RACE_NONE : ST_RACE_OPERATIONS;
}

/* --- comparing ------------------------------------------------------------------------------ */

struct st_settling {
    const struct st_races *races;
    struct st_remote *remote;
    st_races_met met;
    void *context;
    size_t undecided;
    struct st_remote *next; /* in the list that is being searched */
    struct st_remote
        *oldest; /* of those that the same call has made to the same bytes, and that have ended */
    size_t alike;
    bool is_repeated;
};

/* In a loop a call accesses the same bytes again and again: of those that have ended, only the last
 * ones are kept. */
enum { MOST_ALIKE = 16 };

static bool are_alike(const struct st_remote *one, const struct st_remote *other)
{
    const struct st_buffer *bytes = &one->active.buffer, *others = &other->active.buffer;
    return one->origin == other->origin && one->call.place == other->call.place &&
           one->call.window == other->call.window && one->call.kind == other->call.kind &&
           one->call.epoch == other->call.epoch && bytes->first == others->first &&
           bytes->span == others->span && other->has_ended;
}

static bool has_same_bytes(const struct st_remote *one, const struct st_remote *other)
{
    const struct st_access_record *call = &one->call, *before = &other->call;
    return one->active.buffer.first == other->active.buffer.first &&
           one->active.buffer.span == other->active.buffer.span && call->block == before->block &&
           call->levels == before->levels && !call->runs && !before->runs &&
           memcmp(call->strides, before->strides, sizeof(call->strides)) == 0 &&
           memcmp(call->counts, before->counts, sizeof(call->counts)) == 0;
}

/* Returns true if what `other` began with was known to the origin when `one` began. */
static bool knows_as_much(const struct st_races *races, const struct st_remote *one,
                          const struct st_remote *other)
{
    for (uint32_t i = 0; i < races->ranks; i++) {
        if (one->start.ticks[i] == ST_TICK_ALL || other->start.ticks[i] > one->start.ticks[i]) {
            return false;
        }
    }
    return true;
}

/* Returns true if `other` does the same in the same epoch, began no later than `one`, and ends with
 * it: then each access that is in conflict with `one` is in conflict with `other`. */
static bool is_repetition(const struct st_races *races, const struct st_remote *one,
                          const struct st_remote *other)
{
    const struct st_access_record *call = &one->call, *before = &other->call;
    return one->origin == other->origin && !one->has_ended && !other->has_ended &&
           before->number < call->number && call->place == before->place &&
           call->window == before->window && call->kind == before->kind &&
           !(call->kind & (ST_ACCESS_LOCAL | ST_ACCESS_ALONE)) && call->epoch == before->epoch &&
           call->match == before->match && call->opened == before->opened &&
           call->element == before->element && call->operation == before->operation &&
           has_same_bytes(one, other) && knows_as_much(races, one, other);
}

static bool meet_other(void *context, struct st_active *active, enum st_verdict verdict,
                       const struct st_shared *shared)
{
    struct st_settling *settling = context;
    struct st_remote *other = (struct st_remote *)(void *)active;
    const enum st_race race = st_races_judge(settling->remote, other);
    if (race != ST_RACE_NONE && verdict == ST_YES) {
        settling->met(settling->context, other, settling->remote, race, shared);
    } else if (race != ST_RACE_NONE) {
        settling->undecided++;
    }
    settling->is_repeated |= is_repetition(settling->races, settling->remote, other);
    if (are_alike(settling->remote, other)) {
        settling->alike++;
        if (!settling->oldest || other->call.number < settling->oldest->call.number) {
            settling->oldest = other;
        }
    }
    return true;
}

/* Returns false if there is no memory: the access is then lost. */
static bool settle_one(struct st_races *races, struct st_settling *settling)
{
    struct st_remote *remote = settling->remote;
    struct st_effort effort = st_effort_of(STEPS);
    settling->oldest = NULL;
    settling->alike = 0;
    settling->is_repeated = false;
    st_actives_overlapping(&races->actives, &remote->active.buffer, &effort, meet_other, settling);
    if (settling->alike >= MOST_ALIKE) {
        if (settling->next == settling->oldest) {
            settling->next = settling->oldest->next;
        }
        free_remote(races, settling->oldest);
    }
    if (settling->is_repeated) {
        free_remote(races, remote);
        return true;
    }
    if (st_actives_insert(&races->actives, &remote->active)) {
        free_remote(races, remote);
        return false;
    }
    remote->is_settled = true;
    races->unsettled--;
    return true;
}

static void settle_list(struct st_races *races, struct st_remotes *list, st_races_ready ready,
                        struct st_settling *settling)
{
    for (struct st_remote *remote = list->first; remote && races->unsettled;
         remote = settling->next) {
        settling->next = remote->next;
        if (!remote->is_settled && (!ready || ready(settling->context, remote))) {
            settling->remote = remote;
            settling->undecided += !settle_one(races, settling);
        }
    }
}

size_t st_races_settle(struct st_races *races, st_races_ready ready, st_races_met met,
                       void *context)
{
    struct st_settling settling = {.races = races, .met = met, .context = context};
    if (!races->unsettled) {
        return 0;
    }
    settle_list(races, &races->over, ready, &settling);
    for (uint32_t i = 0; i < races->ranks; i++) {
        settle_list(races, &races->open[i], ready, &settling);
    }
    return settling.undecided;
}
