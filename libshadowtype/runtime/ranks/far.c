/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/far.h"

#include "runtime/ranks/matched_internal.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/partial.h"
#include "runtime/record/root.h"
#include "runtime/report/finding.h"

/* The peers that were looked for last, by rank. */
enum { KNOWN = 256 };
static struct st_known_peer {
    uint64_t gpid;
    struct st_remote_peer *peer; /* NULL: the rank is on this node */
} known[KNOWN];

static struct st_remote_ways *ways;

void st_far_begin(void)
{
    ways = st_node_make_remote() ? st_map(sizeof *ways) : NULL;
    if (!ways) {
        st_ranks_node.remote = NULL;
    }
}

/* Returns NULL if there is no room. */
static struct st_remote_peer *find_peer(int32_t rank)
{
    struct st_remote_room *room = st_ranks_node.remote;
    for (uint32_t i = 0; i < room->peer_count; i++) {
        if (room->peers[i].rank == rank) {
            return &room->peers[i];
        }
    }
    if (room->peer_count == ST_REMOTE_PEERS) {
        return NULL;
    }
    struct st_remote_peer *peer = &room->peers[room->peer_count];
    peer->rank = rank;
    __atomic_store_n(&room->peer_count, room->peer_count + 1, __ATOMIC_RELEASE);
    return peer;
}

static struct st_remote_peer *look_for_peer(uint64_t gpid, struct st_known_peer *at)
{
    const bool is_far = st_gpid_world(gpid) == st_root.world && st_gpid_rank(gpid) >= 0 &&
                        st_node_rank_of(gpid) == ST_NO_RANK;
    struct st_remote_peer *peer = is_far ? find_peer(st_gpid_rank(gpid)) : NULL;
    if (is_far && !peer) {
        st_far_unsure();
        return NULL;
    }
    *at = (struct st_known_peer){gpid, peer};
    return peer;
}

/* Returns NULL if the process is on this node, or of another MPI_COMM_WORLD. */
static inline struct st_remote_peer *peer_of(uint64_t gpid)
{
    struct st_known_peer *at = &known[(uint32_t)st_gpid_rank(gpid) % KNOWN];
    if (__builtin_expect(at->gpid == gpid && gpid, 1)) {
        return at->peer;
    }
    return gpid ? look_for_peer(gpid, at) : NULL;
}

void st_far_name(uint16_t function)
{
    static uint64_t named[(1 << ST_MESSAGE_FUNCTION_BITS) / 64];
    const uint64_t bit = UINT64_C(1) << function % 64;
    if (!st_ranks_node.remote || function >= st_form_count || named[function / 64] & bit) {
        return;
    }
    named[function / 64] |= bit;
    st_node_name_function(st_form_table[function]);
}

void st_far_sent(const struct st_message *message, uint64_t number)
{
    struct st_remote_peer *peer = st_ranks_node.remote && message->to >= 0
                                      ? peer_of(st_gpid(st_root.world, message->to))
                                      : NULL;
    if (!peer) {
        return;
    }
    const struct st_message_data data = {.hash = {message->hash[0], message->hash[1]},
                                         .length = message->length,
                                         .bytes = message->bytes,
                                         .flags = st_message_flags(message)};
    bool vague;
    if (data.flags & ST_MESSAGE_READY) {
        atomic_fetch_add_explicit(&st_far_ready, 1, memory_order_relaxed);
    }
    const uint64_t hash = st_remote_hash(message->channel, number, &data, &vague);
    st_remote_add_sent(peer, hash, vague);
}

static struct st_remote_message message_of(const struct st_message_end *end,
                                           const struct st_channel *channel, uint64_t number,
                                           const struct st_message_data *received, int32_t from)
{
    const struct st_message_data *data = &end->space.data;
    st_far_name(end->function);
    return (struct st_remote_message){
        .as = {.number = number,
               .channel = st_message_channel(end->id, channel->source, end->own, channel->tag),
               .hash = {received->hash[0], received->hash[1]},
               .length = received->length,
               .bytes = received->bytes,
               .tag = channel->tag,
               .to = from,
               .comm = st_message_comm(end->id),
               .place = (uint16_t)(end->place / 8),
               .called = st_message_called(end->function, received->flags)},
        .hash = {data->hash[0], data->hash[1]},
        .length = data->length,
        .bytes = data->bytes,
        .comm = end->id,
        .own = end->own,
        .peer = end->peer,
        .tag = end->tag,
        .element = data->element,
        .data = data->flags,
    };
}

bool st_far_received(const struct st_message_end *end, const struct st_channel *channel,
                     uint64_t number, int64_t bytes)
{
    struct st_remote_peer *peer =
        st_ranks_node.remote && number ? peer_of(st_message_peer(end, channel->source)) : NULL;
    if (!peer) {
        return false;
    }
    struct st_message_data received;
    bool vague;
    /* MPI has not said how long it was, or that it has received it. */
    const bool has_length = bytes >= 0 && bytes != INT64_MAX;
    const bool is_known = st_remote_received(&end->space, has_length ? bytes : -1, &received);
    struct st_remote_message message = message_of(end, channel, number, &received, peer->rank);
    if (!is_known) {
        message.flags |= ST_REMOTE_VAGUE;
    }
    if (has_length && st_partial_is(&end->space, bytes)) {
        message.flags |= ST_REMOTE_PARTIAL;
    }
    if (has_length && end->is_exact && end->space.data.flags & ST_MESSAGE_SIZED &&
        end->space.data.bytes != bytes) {
        message.flags |= ST_REMOTE_EXACT;
    }
    const uint64_t hash = st_remote_hash(message.as.channel, number, &received, &vague);
    st_remote_write(st_ranks_node.remote, ways, &message);
    st_remote_add_got(peer, hash, vague, message.flags & (ST_REMOTE_PARTIAL | ST_REMOTE_EXACT));
    return true;
}

bool st_far_cut(const struct st_message_end *end, const struct st_channel *channel, uint64_t number,
                bool is_handled)
{
    struct st_remote_peer *peer =
        st_ranks_node.remote && number ? peer_of(st_message_peer(end, channel->source)) : NULL;
    if (!peer) {
        return false;
    }
    struct st_remote_message message =
        message_of(end, channel, number, &end->space.data, peer->rank);
    message.flags = ST_REMOTE_CUT | (is_handled ? ST_REMOTE_HANDLED : 0);
    st_remote_write(st_ranks_node.remote, ways, &message);
    st_remote_add_got(peer, 0, true, true);
    return true;
}

void st_far_wild_one(void)
{
    if (st_ranks_node.remote) {
        atomic_fetch_add_explicit(&st_far_wild, 1, memory_order_relaxed);
    }
}

void st_far_unsure(void)
{
    if (st_ranks_node.remote) {
        __atomic_store_n(&st_ranks_node.remote->is_unsure, 1, __ATOMIC_RELEASE);
    }
}

void st_far_end(void)
{
    if (st_ranks_node.remote) {
        const uint32_t state =
            st_numbering_is_idle(st_matched.numbering) ? ST_REMOTE_ENDED : ST_REMOTE_ENDED_PENDING;
        __atomic_store_n(&st_ranks_node.remote->state, state, __ATOMIC_RELEASE);
        if ((int32_t)st_node_ranks() >= st_root.world_size) { /* all are on this node */
            atomic_store(&st_far_wild, 0);
        }
    }
}
