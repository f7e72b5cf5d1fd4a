/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/waits/messages.h"

#include <stddef.h>
#include <stdlib.h>

#include "core/agree/segment.h"
#include "core/model/hash.h"
#include "core/waits/functions.h"
#include "core/waits/members.h"

/* --- what a rank shows --------------------------------------------------------------------- */

struct st_own_shown {
    struct st_own_shown *next;
    struct st_wait_shown shown;
};

struct st_messages_reader {
    const struct st_wait_rank *ranks;
    struct st_wait_messages *found;
    struct st_wait_members members;
    const struct st_wait_shown **shown; /* by rank */
    struct st_own_shown *own;           /* those that were read here */
    struct st_message_room *room;       /* of one sender, without the places */
    uint64_t room_at;                   /* its address */
    uint32_t log2_messages;             /* of it */
    struct st_message *chunk;           /* of the places */
    struct st_message_taken *taken;     /* of it, by one receiver */
    struct st_remote_room *remote;      /* of that: what it has received of other nodes */
    bool is_full;
};

struct st_registry *st_wait_registry(const struct st_wait_messages *messages, uint32_t rank)
{
    const struct st_wait_source *source = &messages->source;
    if (!source->registries[rank] && source->open) {
        source->open(source->context, rank);
    }
    return source->registries[rank];
}

static bool peek(const struct st_messages_reader *reader, uint32_t rank, uint64_t address,
                 void *bytes, size_t length)
{
    struct st_registry *registry = st_wait_registry(reader->found, rank);
    return registry && st_wait_peek(registry, address, bytes, length);
}

static const struct st_wait_shown nothing = {0};

static const struct st_wait_shown *read_own(struct st_messages_reader *reader,
                                            struct st_registry *registry)
{
    struct st_own_shown *own = calloc(1, sizeof *own);
    if (!own || !st_wait_shown_read(registry, &own->shown)) {
        reader->is_full = true;
        free(own);
        return &nothing;
    }
    own->next = reader->own;
    reader->own = own;
    return &own->shown;
}

/* Finds out what each rank has sent and received, and how many messages. */
static void read_shown(struct st_messages_reader *reader, uint32_t rank)
{
    struct st_wait_messages *found = reader->found;
    const struct st_wait_source *source = &found->source;
    reader->shown[rank] = source->shown ? source->shown(source->context, rank) : NULL;
    if (!reader->shown[rank]) {
        reader->shown[rank] =
            source->registries[rank] ? read_own(reader, source->registries[rank]) : &nothing;
    }
    found->jobs[rank] = reader->shown[rank]->job;
    found->is_sender[rank] = reader->shown[rank]->is_sender;
    found->is_receiver[rank] = reader->shown[rank]->is_receiver;
}

/* --- messages ------------------------------------------------------------------------------ */

/* How many messages rank `from` has sent to rank `to`, and that has not received. */
static uint64_t open_count(const struct st_messages_reader *reader, uint32_t from, uint32_t to)
{
    const int32_t rank = reader->ranks[to].world_rank, own = reader->ranks[from].world_rank;
    const struct st_wait_shown *sender = reader->shown[from], *receiver = reader->shown[to];
    if (!sender->has_counts || !receiver->has_counts || rank < 0 || rank >= ST_SEGMENT_RANKS ||
        own < 0 || own >= ST_SEGMENT_RANKS ||
        reader->ranks[from].world != reader->ranks[to].world) {
        return 0;
    }
    return st_wait_count_of(&sender->sent, rank) - st_wait_count_of(&receiver->received, own);
}

static bool add_sent(struct st_messages_reader *reader, struct st_wait_sent one)
{
    struct st_wait_messages *found = reader->found;
    if (found->count == found->room) {
        const size_t wider = found->room ? 2 * found->room : 64;
        struct st_wait_sent *longer = realloc(found->list, wider * sizeof *longer);
        if (!longer) {
            reader->is_full = true;
            return false;
        }
        found->list = longer;
        found->room = wider;
    }
    found->list[found->count++] = one;
    return true;
}

static void add_doubt(struct st_messages_reader *reader, uint32_t from, uint32_t to)
{
    struct st_wait_messages *found = reader->found;
    if (found->doubt_count == found->doubt_room) {
        const size_t wider = found->doubt_room ? 2 * found->doubt_room : 16;
        struct st_wait_pair *longer = realloc(found->doubts, wider * sizeof *longer);
        if (!longer) {
            reader->is_full = true;
            return;
        }
        found->doubts = longer;
        found->doubt_room = wider;
    }
    found->doubts[found->doubt_count++] = (struct st_wait_pair){from, to};
}

/* What `from` has sent to `to`, of which that has not received some. */
struct st_open_pair {
    uint32_t from, to;
    uint64_t taken;  /* address of the receiver's list; 0: it has none */
    uint64_t remote; /* address of a struct st_remote_room; 0: it has none, or `taken` */
    uint64_t found;  /* messages that it has not received */
    bool is_unread;  /* not all of it could be read */
};

static struct st_open_pair open_pair(const struct st_messages_reader *reader, uint32_t from,
                                     uint32_t to)
{
    struct st_open_pair pair = {.from = from, .to = to};
    struct st_shared_messages shared;
    struct st_registry *registry = st_wait_registry(reader->found, to);
    const uint64_t own = (uint64_t)reader->ranks[from].world_rank;
    pair.is_unread = !registry || !st_wait_shared_messages(registry, &shared) ||
                     !st_wait_peek(registry, shared.taken + own * sizeof pair.taken, &pair.taken,
                                   sizeof pair.taken);
    pair.remote = pair.is_unread || pair.taken ? 0 : shared.remote;
    return pair;
}

/* Returns false if it cannot be read. */
static bool read_room(struct st_messages_reader *reader, uint32_t from)
{
    struct st_shared_messages shared;
    struct st_registry *registry = st_wait_registry(reader->found, from);
    if (!registry || !st_wait_shared_messages(registry, &shared) ||
        !st_wait_peek(registry, shared.room, reader->room, sizeof *reader->room)) {
        return false;
    }
    reader->room_at = shared.room;
    reader->log2_messages = shared.log2_messages;
    return true;
}

static uint64_t address_of_chunk(const struct st_messages_reader *reader, uint32_t chunk)
{
    return reader->room_at + sizeof(struct st_message_room) +
           ((uint64_t)chunk << ST_LOG2_CHUNK) * sizeof(struct st_message);
}

/* Returns false if the sender has no such chunk, or it cannot be read: then *is_unread is true. */
static bool peek_chunk(struct st_messages_reader *reader, uint32_t from, uint32_t chunk,
                       bool *is_unread)
{
    if (!reader->room->facts.is_made[chunk]) {
        return false;
    }
    const bool is_read = peek(reader, from, address_of_chunk(reader, chunk), reader->chunk,
                              sizeof *reader->chunk << ST_LOG2_CHUNK);
    *is_unread |= !is_read;
    return is_read;
}

static bool was_taken(const struct st_messages_reader *reader, const struct st_open_pair *pair,
                      uint32_t place)
{
    const struct st_message *message = &reader->chunk[place];
    if (pair->taken) {
        return reader->taken[place].channel == message->channel &&
               reader->taken[place].number == message->number;
    }
    return pair->remote &&
           st_remote_has(reader->remote, message->channel, st_message_number(message->number));
}

/* The chunk of the sender has been read, and the room of the receiver for messages of other nodes. */
static void read_chunk(struct st_messages_reader *reader, struct st_open_pair *pair, uint32_t chunk)
{
    const uint64_t bytes = sizeof *reader->taken << ST_LOG2_CHUNK;
    if (pair->taken && !peek(reader, pair->to, pair->taken + chunk * bytes, reader->taken, bytes)) {
        pair->is_unread = true;
        return;
    }
    for (uint32_t place = 0; place < 1u << ST_LOG2_CHUNK; place++) {
        const struct st_message *message = &reader->chunk[place];
        if (!message->number || message->to != reader->ranks[pair->to].world_rank ||
            was_taken(reader, pair, place)) {
            continue;
        }
        if (!add_sent(reader, (struct st_wait_sent){pair->from, pair->to, *message})) {
            return;
        }
        pair->found++;
    }
}

static uint32_t count_chunks(const struct st_messages_reader *reader)
{
    return 1u << (reader->log2_messages - ST_LOG2_CHUNK);
}

/* Ranks of the sender's node: each chunk is read once for all of them. */
static void read_near(struct st_messages_reader *reader, uint32_t from, struct st_open_pair *pairs,
                      size_t count)
{
    bool has_near = false;
    for (size_t i = 0; i < count; i++) {
        has_near |= !pairs[i].remote;
    }
    for (uint32_t chunk = 0; has_near && chunk < count_chunks(reader); chunk++) {
        bool is_unread = false;
        const bool is_there = peek_chunk(reader, from, chunk, &is_unread);
        for (size_t i = 0; i < count && !reader->is_full; i++) {
            if (pairs[i].remote) {
                continue;
            }
            pairs[i].is_unread |= is_unread;
            if (is_there) {
                read_chunk(reader, &pairs[i], chunk);
            }
        }
    }
}

/* A rank of another node. */
static void read_far(struct st_messages_reader *reader, struct st_open_pair *pair)
{
    pair->is_unread |=
        !peek(reader, pair->to, pair->remote, reader->remote, sizeof *reader->remote);
    for (uint32_t chunk = 0; !pair->is_unread && chunk < count_chunks(reader); chunk++) {
        if (peek_chunk(reader, pair->from, chunk, &pair->is_unread)) {
            read_chunk(reader, pair, chunk);
        }
    }
}

/* Returns the index of the rank with a number in the world of rank `like`, or ST_NOT_SEEN. */
static uint32_t find_rank(const struct st_messages_reader *reader, uint32_t like, int32_t number)
{
    return st_wait_members_find(&reader->members, st_gpid(reader->ranks[like].world, number));
}

/* Returns the number of pairs; *pairs is new memory. */
static size_t find_pairs(struct st_messages_reader *reader, uint32_t from,
                         struct st_open_pair **pairs)
{
    const struct st_wait_counts *sent = &reader->shown[from]->sent;
    size_t found = 0;
    *pairs = NULL;
    for (size_t i = 0; i < sent->count; i++) {
        const uint32_t to = find_rank(reader, from, sent->list[i].rank);
        if (to == ST_NOT_SEEN || !open_count(reader, from, to)) {
            continue;
        }
        if (!*pairs && !(*pairs = calloc(sent->count - i, sizeof **pairs))) {
            reader->is_full = true;
            return 0;
        }
        (*pairs)[found++] = open_pair(reader, from, to);
    }
    return found;
}

static void read_sender(struct st_messages_reader *reader, uint32_t from)
{
    struct st_open_pair *pairs;
    const size_t found = find_pairs(reader, from, &pairs);
    if (found && !read_room(reader, from)) {
        reader->found->is_sender[from] = false;
        free(pairs);
        return;
    }
    if (found) {
        read_near(reader, from, pairs, found);
    }
    for (size_t i = 0; i < found && !reader->is_full; i++) {
        if (pairs[i].remote) {
            read_far(reader, &pairs[i]);
        }
        if (pairs[i].is_unread || pairs[i].found != open_count(reader, from, pairs[i].to)) {
            add_doubt(reader, from, pairs[i].to);
        }
    }
    free(pairs);
}

/* Who has received messages of a rank that has sent none to it, as that one shows. */
static void doubt_receiver(struct st_messages_reader *reader, uint32_t to)
{
    const struct st_wait_counts *received = &reader->shown[to]->received;
    for (size_t i = 0; i < received->count; i++) {
        const uint32_t from = find_rank(reader, to, received->list[i].rank);
        if (from != ST_NOT_SEEN && open_count(reader, from, to) &&
            !st_wait_count_of(&reader->shown[from]->sent, reader->ranks[to].world_rank)) {
            add_doubt(reader, from, to);
        }
    }
}

static int by_sending(const void *a, const void *b)
{
    const struct st_wait_sent *x = a, *y = b;
    const uint64_t keys[][2] = {
        {x->from, y->from},
        {x->to, y->to},
        {(uint32_t)x->message.tag, (uint32_t)y->message.tag},
        {x->message.comm, y->message.comm},
        {st_message_number(x->message.number), st_message_number(y->message.number)}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

static void free_reader(struct st_messages_reader *reader)
{
    for (struct st_own_shown *own = reader->own, *next; own; own = next) {
        next = own->next;
        st_wait_shown_free(&own->shown);
        free(own);
    }
    free(reader->shown);
    free(reader->room);
    free(reader->chunk);
    free(reader->taken);
    free(reader->remote);
    st_wait_members_free(&reader->members);
}

/* Returns false where memory ends. */
static bool make_reader(struct st_messages_reader *reader, size_t count)
{
    const struct st_wait_messages *found = reader->found;
    reader->shown = calloc(count + 1, sizeof *reader->shown);
    reader->room = malloc(sizeof *reader->room);
    reader->chunk = malloc(sizeof *reader->chunk << ST_LOG2_CHUNK);
    reader->taken = malloc(sizeof *reader->taken << ST_LOG2_CHUNK);
    reader->remote = malloc(sizeof *reader->remote);
    return found->jobs && found->is_sender && found->is_receiver && reader->shown && reader->room &&
           reader->chunk && reader->taken && reader->remote &&
           st_wait_members_list(reader->ranks, count, &reader->members);
}

bool st_wait_messages_read(const struct st_wait_rank *ranks, const struct st_wait_source *source,
                           size_t count, struct st_wait_messages *messages)
{
    *messages = (struct st_wait_messages){.source = *source,
                                          .rank_count = count,
                                          .jobs = calloc(count + 1, sizeof *messages->jobs),
                                          .is_sender = calloc(count + 1, 1),
                                          .is_receiver = calloc(count + 1, 1)};
    struct st_messages_reader reader = {.ranks = ranks, .found = messages};
    bool done = make_reader(&reader, count);
    for (uint32_t i = 0; done && i < count; i++) {
        read_shown(&reader, i);
    }
    for (uint32_t i = 0; done && i < count; i++) {
        read_sender(&reader, i);
    }
    for (uint32_t i = 0; done && i < count; i++) {
        doubt_receiver(&reader, i);
    }
    done = done && !reader.is_full;
    if (done && messages->count) {
        qsort(messages->list, messages->count, sizeof *messages->list, by_sending);
    }
    free_reader(&reader);
    if (!done) {
        st_wait_messages_free(messages);
    }
    return done;
}

void st_wait_messages_free(struct st_wait_messages *messages)
{
    free(messages->list);
    free(messages->jobs);
    free(messages->doubts);
    free(messages->is_sender);
    free(messages->is_receiver);
    *messages = (struct st_wait_messages){0};
}

/* --- which fits ---------------------------------------------------------------------------- */

/* The communicator of a part as messages name it; false: it is not known. */
static bool comm_of(const struct st_wait_rank *ranks, uint32_t rank,
                    const struct st_wait_part *part, uint32_t *comm)
{
    const struct st_wait_rank *own = &ranks[rank];
    /* Messages of partitioned communication are counted apart, and are not in the list. */
    if (part->comm == ST_NO_COMM || !own->comms[part->comm].id ||
        st_function_is_partitioned(part->function)) {
        return false;
    }
    *comm = st_message_comm(st_hash_word(own->comms[part->comm].id, own->messages->jobs[rank]));
    return true;
}

static bool has_tag(const struct st_wait_part *part, int32_t tag)
{
    return part->tag == ST_PEER_ANY || part->tag == tag;
}

/* All that `from` has sent to `to`, and that has not received, is in the list. */
static bool knows_all(const struct st_wait_rank *ranks, uint32_t from, uint32_t to)
{
    const struct st_wait_messages *messages = ranks[to].messages;
    if (!messages->is_sender[from] || !messages->is_receiver[to] ||
        ranks[from].world_rank >= ST_SEGMENT_RANKS || ranks[to].world_rank >= ST_SEGMENT_RANKS ||
        ranks[from].world != ranks[to].world || messages->jobs[from] != messages->jobs[to]) {
        return false;
    }
    for (size_t i = 0; i < messages->doubt_count; i++) {
        if (messages->doubts[i].from == from && messages->doubts[i].to == to) {
            return false;
        }
    }
    return true;
}

/* Where the messages of a pair begin in the list, or would. */
static size_t first_of(const struct st_wait_messages *messages, uint32_t from, uint32_t to)
{
    size_t low = 0, high = messages->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct st_wait_sent *one = &messages->list[middle];
        if (one->from < from || (one->from == from && one->to < to)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static uint64_t gpid_of(const struct st_wait_rank *rank)
{
    return st_gpid(rank->world, rank->world_rank);
}

static bool takes_one(const struct st_wait_rank *ranks, const struct st_wait_sent *sent,
                      const struct st_wait_part *part)
{
    uint32_t comm;
    return (part->sort == ST_WAIT_RECEIVE || part->sort == ST_WAIT_PROBE) &&
           comm_of(ranks, sent->to, part, &comm) && comm == sent->message.comm &&
           has_tag(part, sent->message.tag) &&
           (part->world == ST_PEER_ANY || part->process == gpid_of(&ranks[sent->from]));
}

/* How many receives that were posted before `part` may have taken the message. */
static size_t count_earlier(const struct st_wait_rank *ranks, const struct st_wait_sent *sent,
                            const struct st_wait_part *part)
{
    const struct st_wait_rank *to = &ranks[sent->to];
    size_t count = 0;
    for (size_t i = 0; i < to->pending_count; i++) { /* the oldest first */
        const struct st_wait_part *other = &to->pending[i];
        if (other->is_request && part->is_request && other->handle == part->handle) {
            break;
        }
        count += other->is_request && other->sort == ST_WAIT_RECEIVE && !other->is_complete &&
                 takes_one(ranks, sent, other);
    }
    return count;
}

enum st_wait_message st_wait_message_for(const struct st_wait_rank *ranks, uint32_t from,
                                         uint32_t to, const struct st_wait_part *part)
{
    const struct st_wait_messages *messages = ranks[to].messages;
    uint32_t comm;
    size_t fit = 0, earlier = 0;
    if (!messages || !comm_of(ranks, to, part, &comm)) {
        return ST_MESSAGE_UNKNOWN;
    }
    for (size_t i = first_of(messages, from, to); i < messages->count; i++) {
        const struct st_wait_sent *sent = &messages->list[i];
        if (sent->from != from || sent->to != to) {
            break;
        }
        if (sent->message.comm == comm && has_tag(part, sent->message.tag)) {
            const size_t before = count_earlier(ranks, sent, part);
            earlier = before > earlier ? before : earlier;
            fit++;
        }
    }
    if (fit) {
        return fit > earlier ? ST_MESSAGE_COMES : ST_MESSAGE_UNKNOWN;
    }
    return knows_all(ranks, from, to) && part->tag != ST_PEER_NONE ? ST_MESSAGE_MISSING
                                                                   : ST_MESSAGE_UNKNOWN;
}

/* A receive is posted that the message fits. */
static bool is_wanted(const struct st_wait_rank *ranks, const struct st_wait_sent *sent)
{
    const struct st_wait_rank *to = &ranks[sent->to];
    bool is = false;
    for (size_t i = 0; i < to->pending_count && !is; i++) {
        is = takes_one(ranks, sent, &to->pending[i]);
    }
    for (size_t i = 0; i < to->part_count && !is; i++) {
        is = takes_one(ranks, sent, &to->parts[i]);
    }
    return is;
}

/* ST_MISSES_NOTHING: it is not near. The nearer one has the smaller value. */
static enum st_wait_miss miss_of(const struct st_wait_rank *ranks, uint32_t to,
                                 const struct st_wait_part *part, uint32_t comm,
                                 const struct st_wait_sent *sent)
{
    const bool from_it = part->world == ST_PEER_ANY || part->process == gpid_of(&ranks[sent->from]);
    const bool is_tag = has_tag(part, sent->message.tag), is_comm = sent->message.comm == comm;
    if (sent->to == to && from_it && is_comm && !is_tag) {
        return ST_MISSES_TAG;
    }
    if (sent->to == to && from_it && !is_comm) {
        return ST_MISSES_COMM;
    }
    if (sent->to == to && !from_it && is_comm && is_tag) {
        return ST_MISSES_SOURCE;
    }
    return sent->to != to && from_it && part->world != ST_PEER_ANY && is_comm && is_tag
               ? ST_MISSES_DESTINATION
               : ST_MISSES_NOTHING;
}

const struct st_wait_sent *st_wait_near_miss(const struct st_wait_rank *ranks, uint32_t to,
                                             const struct st_wait_part *part,
                                             enum st_wait_miss *miss)
{
    const struct st_wait_messages *messages = ranks[to].messages;
    const struct st_wait_sent *nearest = NULL;
    uint32_t comm;
    *miss = ST_MISSES_NOTHING;
    if (!messages || !comm_of(ranks, to, part, &comm)) {
        return NULL;
    }
    for (size_t i = 0; i < messages->count; i++) {
        const enum st_wait_miss one = miss_of(ranks, to, part, comm, &messages->list[i]);
        if (one != ST_MISSES_NOTHING && (!nearest || one < *miss) &&
            !is_wanted(ranks, &messages->list[i])) {
            nearest = &messages->list[i];
            *miss = one;
        }
    }
    return nearest;
}
