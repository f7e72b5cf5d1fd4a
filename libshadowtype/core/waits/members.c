/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/waits/members.h"

#include <stdlib.h>
#include <string.h>

#include "core/waits/deaths.h"
#include "core/waits/functions.h"

bool st_wait_has_gone(const struct st_wait_rank *rank)
{
    return rank->presence == ST_WAIT_LEAVING || rank->presence == ST_WAIT_LEFT ||
           rank->presence == ST_WAIT_ENDED;
}

static uint64_t gpid_of(const struct st_wait_rank *rank)
{
    return st_gpid(rank->world, rank->world_rank);
}

/* --- by gpid ------------------------------------------------------------------------------- */

struct st_wait_place {
    uint64_t gpid; /* ST_NO_GPID: the place is empty */
    uint32_t index;
};

#define NO_RANK (ST_NOT_SEEN - 1) /* an empty place of by_rank */

static bool is_listed_by_rank(const struct st_wait_members *members, uint64_t gpid)
{
    return st_gpid_world(gpid) == members->world && (size_t)st_gpid_rank(gpid) < members->rank_room;
}

static struct st_wait_place *member_place(const struct st_wait_members *members, uint64_t gpid)
{
    const size_t mask = ((size_t)1 << members->log2_places) - 1;
    size_t at = (size_t)(gpid * UINT64_C(0x9E3779B97F4A7C15) >> (64 - members->log2_places));
    while (members->places[at].gpid != gpid && members->places[at].gpid != ST_NO_GPID) {
        at = (at + 1) & mask;
    }
    return &members->places[at];
}

/* Makes an empty hash table for `count` ranks. */
static bool make_places(struct st_wait_members *members, size_t count)
{
    members->log2_places = 4;
    while ((size_t)1 << members->log2_places < 2 * count) {
        members->log2_places++;
    }
    const size_t places = (size_t)1 << members->log2_places;
    members->places = malloc(places * sizeof *members->places);
    for (size_t i = 0; members->places && i < places; i++) {
        members->places[i] = (struct st_wait_place){ST_NO_GPID, ST_NOT_SEEN};
    }
    return members->places;
}

/* Returns how many ranks remain for list_by_hash(). */
static size_t list_by_rank(const struct st_wait_rank *ranks, size_t count,
                           struct st_wait_members *members)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        members->by_rank[i] = NO_RANK;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t gpid = gpid_of(&ranks[i]);
        if (ranks[i].world_rank < 0) {
            continue;
        }
        if (!is_listed_by_rank(members, gpid)) {
            left++;
            continue;
        }
        uint32_t *place = &members->by_rank[st_gpid_rank(gpid)];
        *place = *place == NO_RANK ? i : ST_NOT_SEEN;
    }
    return left;
}

static void list_by_hash(const struct st_wait_rank *ranks, size_t count,
                         struct st_wait_members *members)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t gpid = gpid_of(&ranks[i]);
        if (ranks[i].world_rank >= 0 && !is_listed_by_rank(members, gpid)) {
            struct st_wait_place *place = member_place(members, gpid);
            bool is_new = place->gpid == ST_NO_GPID;
            *place = (struct st_wait_place){gpid, is_new ? i : ST_NOT_SEEN};
        }
    }
}

bool st_wait_members_list(const struct st_wait_rank *ranks, size_t count,
                          struct st_wait_members *members)
{
    *members = (struct st_wait_members){.world = count ? st_gpid_world(gpid_of(&ranks[0])) : 0,
                                        .rank_room = count};
    members->by_rank = malloc((count + 1) * sizeof *members->by_rank);
    const size_t left = members->by_rank ? list_by_rank(ranks, count, members) : 0;
    if (!members->by_rank || !make_places(members, left)) {
        st_wait_members_free(members);
        return false;
    }
    if (left) {
        list_by_hash(ranks, count, members);
    }
    return true;
}

void st_wait_members_free(struct st_wait_members *members)
{
    free(members->by_rank);
    free(members->places);
    *members = (struct st_wait_members){0};
}

uint32_t st_wait_members_find(const struct st_wait_members *members, uint64_t gpid)
{
    if (gpid == ST_NO_GPID) {
        return ST_NOT_SEEN;
    }
    if (!is_listed_by_rank(members, gpid)) {
        return member_place(members, gpid)->index;
    }
    uint32_t index = members->by_rank[st_gpid_rank(gpid)];
    return index == NO_RANK ? ST_NOT_SEEN : index;
}

/* --- what fits ----------------------------------------------------------------------------- */

static uint64_t id_of(const struct st_wait_rank *rank, size_t comm)
{
    return comm == ST_NO_COMM ? 0 : rank->comms[comm].id;
}

static bool is_same_rank(int32_t one, int32_t other)
{
    return one == ST_PEER_ANY || other == ST_PEER_ANY || one == ST_PEER_NONE ||
           other == ST_PEER_NONE || one == other;
}

static bool is_same_kind(const struct st_wait_part *one, const struct st_wait_part *other)
{
    return !*one->function || !*other->function ||
           st_function_is_partitioned(one->function) == st_function_is_partitioned(other->function);
}

/* An operation of which something is not known may match. */
static bool may_match(const struct st_wait_rank *ranks, uint32_t from,
                      const struct st_wait_part *offer, uint32_t to,
                      const struct st_wait_part *part)
{
    uint64_t offered = id_of(&ranks[from], offer->comm), wanted = id_of(&ranks[to], part->comm);
    enum st_wait_sort other = part->sort == ST_WAIT_SEND ? ST_WAIT_RECEIVE : ST_WAIT_SEND;
    return offer->sort == other && (offered == wanted || !offered) &&
           (offer->world < 0 || offer->process == gpid_of(&ranks[to])) &&
           is_same_rank(offer->tag, part->tag) && is_same_kind(offer, part);
}

/* A partitioned message comes when all of its partitions are ready. */
bool st_wait_fits(const struct st_wait_rank *ranks, uint32_t from, uint32_t to,
                  const struct st_wait_part *part)
{
    for (size_t i = 0; i < ranks[from].pending_count && !part->unready; i++) {
        const struct st_wait_part *offer = &ranks[from].pending[i];
        if (!offer->unready && may_match(ranks, from, offer, to, part)) {
            return true;
        }
    }
    return false;
}

const struct st_wait_part *st_wait_unready(const struct st_wait_rank *ranks, size_t count,
                                           uint32_t to, const struct st_wait_part *part)
{
    for (uint32_t from = 0; from < count && st_function_is_partitioned(part->function); from++) {
        for (size_t i = 0; gpid_of(&ranks[from]) == part->process && i < ranks[from].pending_count;
             i++) {
            const struct st_wait_part *offer = &ranks[from].pending[i];
            if (offer->unready && may_match(ranks, from, offer, to, part)) {
                return offer;
            }
        }
    }
    return NULL;
}

bool st_wait_leads_to(const struct st_wait_rank *ranks, uint32_t from, uint32_t to,
                      const struct st_wait_part *part)
{
    for (size_t i = 0; i < ranks[from].part_count; i++) {
        const struct st_wait_part *other = &ranks[from].parts[i];
        if (other->sort == ST_WAIT_LEADER && other->process == gpid_of(&ranks[to]) &&
            other->tag == part->tag &&
            id_of(&ranks[from], other->comm) == id_of(&ranks[to], part->comm)) {
            return true;
        }
    }
    return false;
}

/* --- members ------------------------------------------------------------------------------- */

static const struct st_wait_comm *comm_with(const struct st_wait_rank *rank, uint64_t id)
{
    for (size_t i = 0; i < rank->comm_count; i++) {
        if (rank->comms[i].id == id) {
            return &rank->comms[i];
        }
    }
    return NULL;
}

struct st_wait_shared st_wait_shared_of(const struct st_wait_rank *rank,
                                        const struct st_wait_part *part)
{
    return (struct st_wait_shared){.id = id_of(rank, part->comm),
                                   .n = part->n,
                                   .starts = part->starts,
                                   .from_nearby = part->from_nearby,
                                   .of_some = part->of_some,
                                   .of_group = part->comm != ST_NO_COMM &&
                                               rank->comms[part->comm].kind == ST_KIND_GROUP,
                                   .is_blocking = !part->is_request,
                                   .function = part->function};
}

static bool is_in_call(const struct st_wait_rank *rank, const struct st_wait_shared *call)
{
    for (size_t i = 0; i < rank->part_count; i++) {
        const struct st_wait_part *part = &rank->parts[i];
        if (part->sort == ST_WAIT_COLLECTIVE && id_of(rank, part->comm) == call->id &&
            strcmp(part->function, call->function) == 0) {
            return true;
        }
    }
    return false;
}

/* How many times a rank has started a persistent collective call. Returns UINT32_MAX if the rank
 * has no such call with this number, or has freed it. */
static uint32_t starts_of(const struct st_wait_rank *rank, const struct st_wait_shared *call)
{
    for (size_t i = 0; i < rank->pending_count; i++) {
        const struct st_wait_part *part = &rank->pending[i];
        if (part->sort == ST_WAIT_COLLECTIVE && part->n == call->n &&
            id_of(rank, part->comm) == call->id) {
            return part->starts;
        }
    }
    return UINT32_MAX;
}

/* True if a rank is in a call of another function at this place of the order. It will never come to this call: that is
 * an error (collective-call), and both calls may wait. */
static bool is_in_other_call(const struct st_wait_rank *rank, const struct st_wait_shared *call)
{
    for (size_t i = 0; i < rank->part_count && call->is_blocking; i++) {
        const struct st_wait_part *part = &rank->parts[i];
        if (part->sort == ST_WAIT_COLLECTIVE && !part->is_request && part->n == call->n &&
            id_of(rank, part->comm) == call->id) {
            return !st_function_meets(part->function, call->function);
        }
    }
    return false;
}

/* Whether a member has not come to a collective call yet. If the member has gone and its registry
 * was never read, it counts as absent: it will never come. If it still runs and does not know the
 * communicator, it has freed it, so it has come to all calls that it will ever make. A group of which
 * the member knows nothing is one to whose call it has not come. */
static bool is_absent(const struct st_wait_rank *rank, const struct st_wait_shared *call)
{
    const struct st_wait_comm *comm = comm_with(rank, call->id);
    if (!call->n) {
        return st_wait_has_gone(rank) || !is_in_call(rank, call);
    }
    if (!comm) {
        return call->of_group || st_wait_has_gone(rank);
    }
    return comm->begun < call->n || (call->starts && starts_of(rank, call) < call->starts) ||
           (rank->is_stuck && is_in_other_call(rank, call));
}

void st_wait_visit_peers(const struct st_wait_rank *rank, const struct st_wait_comm *comm,
                         const struct st_wait_members *members, void (*found)(uint32_t, void *),
                         void *context)
{
    for (int32_t i = 0; i < comm->size; i++) {
        uint64_t gpid = comm->members ? comm->members[i] : st_gpid(rank->world, i);
        found(st_wait_members_find(members, gpid), context);
    }
}

struct st_absent_only {
    const struct st_wait_rank *ranks;
    const struct st_wait_shared *call;
    void (*found)(uint32_t, void *);
    void *context;
};

static void pass_absent(uint32_t index, void *context)
{
    const struct st_absent_only *only = context;
    if (index == ST_NOT_SEEN || is_absent(&only->ranks[index], only->call)) {
        only->found(index, only->context);
    }
}

void st_wait_visit_absent(const struct st_wait_rank *ranks, const struct st_wait_rank *rank,
                          const struct st_wait_members *members, const struct st_wait_comm *comm,
                          const struct st_wait_shared *call, void (*found)(uint32_t, void *),
                          void *context)
{
    struct st_absent_only only = {ranks, call, found, context};
    st_wait_visit_peers(rank, comm, members, pass_absent, &only);
    for (int32_t i = 0; i < comm->own_size; i++) {
        pass_absent(st_wait_members_find(members, comm->own_members[i]), &only);
    }
}

/* --- windows ------------------------------------------------------------------------------- */

/* What another rank's record of the window says of rank `peer`. All zero: it has done nothing yet.
 * Returns false if nothing is known. */
static bool find_peer(const struct st_wait_rank *other, uint64_t window, int32_t peer,
                      struct st_win_peer *found)
{
    const struct st_wait_comm *comm = comm_with(other, window);
    *found = (struct st_win_peer){0};
    if (!comm || peer < 0 || peer >= comm->size) {
        return false;
    }
    if (comm->peers) {
        *found = comm->peers[peer];
    }
    return true;
}

static bool excludes_source(uint32_t held, int32_t wanted)
{
    return held & ST_LOCK_HELD && (held & ST_LOCK_EXCLUSIVE || wanted == ST_LOCK_EXCLUSIVE);
}

/* Whether rank `i` of the window has not yet done what the part waits for. */
static bool is_awaited(const struct st_wait_comm *window, const struct st_wait_rank *other,
                       int32_t i, const struct st_wait_part *part)
{
    struct st_win_peer theirs;
    const int32_t about = part->sort == ST_WAIT_LOCK ? part->peer : window->own_rank;
    if (!find_peer(other, window->id, about, &theirs)) {
        return false;
    }
    switch (part->sort) {
    case ST_WAIT_POSTS:
        return (int32_t)(window->peers[i].started - theirs.posted) > 0;
    case ST_WAIT_COMPLETES:
        return (int32_t)(window->peers[i].posted - theirs.completed) > 0;
    default:
        return i != window->own_rank && excludes_source(theirs.lock, part->tag);
    }
}

void st_wait_visit_awaited(const struct st_wait_rank *ranks, const struct st_wait_rank *rank,
                           const struct st_wait_members *members, const struct st_wait_part *part,
                           void (*found)(uint32_t index, void *context), void *context)
{
    const struct st_wait_comm *window = &rank->comms[part->comm];
    for (int32_t i = 0; i < window->size; i++) {
        uint64_t gpid = window->members ? window->members[i] : st_gpid(rank->world, i);
        uint32_t index = st_wait_members_find(members, gpid);
        if (index == ST_NOT_SEEN || is_awaited(window, &ranks[index], i, part)) {
            found(index, context);
        }
    }
}

/* --- whom a part waits for ------------------------------------------------------------------- */

struct st_seen_only {
    void (*found)(uint32_t, void *);
    void *context;
};

static void pass_seen(uint32_t index, void *context)
{
    const struct st_seen_only *only = context;
    if (index != ST_NOT_SEEN) {
        only->found(index, only->context);
    }
}

/* It is known what the rank waits for there. */
static bool is_known_window(const struct st_wait_comm *window, const struct st_wait_part *part)
{
    return window->id && (part->sort == ST_WAIT_LOCK ? part->tag > 0 : window->peers != NULL);
}

bool st_wait_is_of_window(const struct st_wait_part *part)
{
    return part->sort == ST_WAIT_POSTS || part->sort == ST_WAIT_COMPLETES ||
           part->sort == ST_WAIT_LOCK;
}

void st_wait_missing(const struct st_wait_rank *ranks, size_t count,
                     const struct st_wait_rank *rank, const struct st_wait_part *part,
                     void (*found)(uint32_t index, void *context), void *context)
{
    struct st_wait_members members;
    struct st_seen_only only = {found, context};
    if (part->comm == ST_NO_COMM || !st_wait_members_list(ranks, count, &members)) {
        return;
    }
    if (st_wait_is_of_window(part)) {
        if (is_known_window(&rank->comms[part->comm], part)) {
            st_wait_visit_awaited(ranks, rank, &members, part, pass_seen, &only);
        }
    } else {
        const struct st_wait_shared call = st_wait_shared_of(rank, part);
        st_wait_visit_absent(ranks, rank, &members, &rank->comms[part->comm], &call, pass_seen,
                             &only);
    }
    st_wait_members_free(&members);
}
