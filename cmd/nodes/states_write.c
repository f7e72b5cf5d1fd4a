/* SPDX-License-Identifier: BSD-3-Clause */
#include "states.h"

#include <stdlib.h>
#include <string.h>

#include "../say.h"
#include "../words.h"
#include "core/model/hash.h"
#include "states_internal.h"
#include "stream.h"

/* Blocks of bytes, each once. */
struct written {
    struct written_block {
        uint64_t hash;
        size_t at, length; /* in `stream' */
    } *list;
    size_t count, room;
    struct stream_writer stream; /* with the length before each */
};

struct states_writer {
    struct written texts, groups, sets, classes;
    struct stream_writer ranks;
    size_t rank_count;
    int64_t pid; /* of the last one */
    /* Of one rank, again and again. */
    struct stream_writer group, set, class_, own, messages;
    size_t *numbers; /* of its communicators that are told, from 1; 0: it is left out */
    size_t number_room;
    uint64_t *handles; /* those that it has, in the order in which they come */
    size_t handle_count, handle_room;
};

/* --- tables ---------------------------------------------------------------------------------------- */

static uint64_t hash_bytes(const void *bytes, size_t length)
{
    const unsigned char *from = bytes;
    uint64_t hash = length, word;
    for (; length >= sizeof word; from += sizeof word, length -= sizeof word) {
        memcpy(&word, from, sizeof word);
        hash = st_hash_word(hash, word);
    }
    word = 0;
    memcpy(&word, from, length);
    return st_hash_word(hash, word);
}

/* The last ones are looked at first: ranks that follow each other most often have the same. */
static size_t find_block(const struct written *table, uint64_t hash, const void *bytes,
                         size_t length)
{
    size_t i = table->count;
    while (i > 0 && (table->list[i - 1].hash != hash || table->list[i - 1].length != length ||
                     memcmp(table->stream.bytes + table->list[i - 1].at, bytes, length) != 0)) {
        i--;
    }
    return i;
}

/* Returns the number of the block, from 1. */
static size_t add_block(struct written *table, const void *bytes, size_t length)
{
    const uint64_t hash = hash_bytes(bytes, length);
    const size_t known = find_block(table, hash, bytes, length);
    if (known != 0) {
        return known;
    }
    if (table->count == table->room) {
        table->room = 2 * table->room + 16;
        table->list = realloc(table->list, table->room * sizeof *table->list);
        if (table->list == NULL) {
            fail(1, "out of memory");
        }
    }
    stream_put_block(&table->stream, bytes, length);
    table->list[table->count++] =
        (struct written_block){hash, table->stream.length - length, length};
    return table->count;
}

static size_t text_number(struct states_writer *writer, const char *text)
{
    return text == NULL || text[0] == '\0' ? 0 : add_block(&writer->texts, text, strlen(text));
}

/* --- communicators --------------------------------------------------------------------------------- */

/* The length of the run of gpids that begins with the first of these. */
static size_t run_length(const uint64_t *members, size_t count)
{
    size_t length = count < 2 ? count : 2;
    while (length < count && members[length] - members[length - 1] == members[1] - members[0]) {
        length++;
    }
    return length;
}

static size_t group_number(struct states_writer *writer, const uint64_t *members, int32_t size)
{
    struct stream_writer *group = &writer->group;
    struct stream_writer runs = {0};
    const size_t count = size > 0 ? (size_t)size : 0;
    size_t run_count = 0;
    for (size_t i = 0; i < count; run_count++) {
        const size_t length = run_length(members + i, count - i);
        stream_put(&runs, members[i]);
        stream_put_signed(&runs, length > 1 ? (int64_t)(members[i + 1] - members[i]) : 0);
        stream_put(&runs, length);
        i += length;
    }
    group->length = 0;
    stream_put(group, count);
    stream_put(group, run_count);
    stream_put_bytes(group, runs.bytes, runs.length);
    free(runs.bytes);
    return add_block(&writer->groups, group->bytes, group->length);
}

static bool is_same_peer(const struct st_win_peer *one, const struct st_win_peer *other)
{
    return one->started == other->started && one->completed == other->completed &&
           one->posted == other->posted && one->lock == other->lock;
}

static void put_peers(struct stream_writer *to, const struct st_wait_comm *comm)
{
    const size_t count = (size_t)comm->size;
    stream_put_signed(to, comm->own_rank);
    for (size_t i = 0, length; i < count; i += length) {
        const struct st_win_peer *peer = &comm->peers[i];
        for (length = 1; i + length < count && is_same_peer(peer, peer + length);) {
            length++;
        }
        stream_put(to, length);
        stream_put(to, peer->started);
        stream_put(to, peer->completed);
        stream_put(to, peer->posted);
        stream_put(to, peer->lock);
    }
}

static void put_comm(struct states_writer *writer, const struct st_wait_comm *comm)
{
    struct stream_writer *set = &writer->set;
    const bool is_listed = comm->members != NULL && comm->size > 0;
    const bool has_own = comm->own_members != NULL && comm->own_size > 0;
    const bool has_peers = comm->peers != NULL && comm->size > 0;
    stream_put(set, comm->kind);
    stream_put(set, (comm->is_inter ? STATES_INTER : 0u) | (is_listed ? STATES_LISTED : 0u) |
                        (has_own ? STATES_OWN : 0u) | (has_peers ? STATES_PEERS : 0u));
    stream_put_word(set, comm->id);
    stream_put(set, comm->begun);
    stream_put_signed(set, comm->size);
    stream_put(set, text_number(writer, comm->name));
    if (is_listed) {
        stream_put(set, group_number(writer, comm->members, comm->size));
    }
    if (has_own) {
        stream_put(set, group_number(writer, comm->own_members, comm->own_size));
    }
    if (has_peers) {
        put_peers(set, comm);
    }
}

/* Nobody else can wait in it. */
static bool is_alone(const struct st_wait_comm *comm)
{
    return comm->size == 1 && !comm->is_inter;
}

/* The rank has sent messages to itself, which may be told of. */
static bool sends_to_itself(const struct states_told *told)
{
    return told->shown != NULL &&
           st_wait_count_of(&told->shown->sent, told->waits->world_rank) != 0;
}

static void mark_used(struct states_writer *writer, const struct st_wait_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (parts[i].comm != ST_NO_COMM) {
            writer->numbers[parts[i].comm] = 1;
        }
    }
}

/* Numbers the communicators that are told. Returns how many these are. */
static size_t number_comms(struct states_writer *writer, const struct states_told *told)
{
    const struct st_wait_rank *rank = told->waits;
    const bool keeps_all = sends_to_itself(told);
    size_t count = 0;
    if (rank->comm_count > writer->number_room) {
        writer->number_room = 2 * rank->comm_count;
        free(writer->numbers);
        writer->numbers = zeroed(writer->number_room, sizeof *writer->numbers);
    }
    for (size_t i = 0; i < rank->comm_count; i++) {
        writer->numbers[i] = keeps_all || !is_alone(&rank->comms[i]);
    }
    mark_used(writer, rank->parts, rank->part_count);
    mark_used(writer, rank->pending, rank->pending_count);
    for (size_t i = 0; i < rank->comm_count; i++) {
        writer->numbers[i] = writer->numbers[i] != 0 ? ++count : 0;
    }
    return count;
}

static size_t set_number(struct states_writer *writer, const struct states_told *told)
{
    const struct st_wait_rank *rank = told->waits;
    writer->set.length = 0;
    stream_put(&writer->set, number_comms(writer, told));
    for (size_t i = 0; i < rank->comm_count; i++) {
        if (writer->numbers[i] != 0) {
            put_comm(writer, &rank->comms[i]);
        }
    }
    return add_block(&writer->sets, writer->set.bytes, writer->set.length);
}

/* --- calls ----------------------------------------------------------------------------------------- */

/* Returns a number instead of a handle, which means nothing elsewhere: equal ones of a rank get the same. */
static size_t handle_number(struct states_writer *writer, uint64_t handle)
{
    size_t i = 0;
    if (handle == 0) {
        return 0;
    }
    while (i < writer->handle_count && writer->handles[i] != handle) {
        i++;
    }
    if (i == writer->handle_room) {
        writer->handle_room = 2 * i + 16;
        writer->handles = realloc(writer->handles, writer->handle_room * sizeof *writer->handles);
        if (writer->handles == NULL) {
            fail(1, "out of memory");
        }
    }
    if (i == writer->handle_count) {
        writer->handles[writer->handle_count++] = handle;
    }
    return i + 1;
}

static const char *frames_of(const struct states_told *told, const struct st_thread_call *call,
                             uint32_t site)
{
    return told->frames != NULL ? told->frames(told->context, call, site) : NULL;
}

static void put_thread(struct states_writer *writer, const struct states_told *told,
                       const struct st_wait_thread *thread)
{
    struct stream_writer *to = &writer->class_;
    const bool in_call = thread->in_call;
    stream_put(to, (in_call ? STATES_IN_CALL : 0u) | (thread->runs ? STATES_RUNS : 0u));
    stream_put(to, thread->first);
    stream_put(to, thread->count);
    stream_put(to, text_number(writer, in_call ? thread->function : NULL));
    stream_put(to,
               text_number(writer, in_call ? frames_of(told, &thread->call, ST_NO_SITE) : NULL));
}

static bool is_of_peer(const struct st_wait_rank *rank, const struct st_wait_part *part)
{
    struct st_wait_part found = *part;
    st_wait_find_process(rank, &found);
    return found.world == part->world && found.process == part->process;
}

static void put_part(struct states_writer *writer, const struct states_told *told,
                     const struct st_wait_part *part)
{
    struct stream_writer *to = &writer->class_, *own = &writer->own;
    const bool is_other = !is_of_peer(told->waits, part);
    stream_put(
        to, (uint64_t)part->sort | (part->from_nearby ? STATES_NEARBY : 0u) |
                (part->of_some ? STATES_OF_SOME : 0u) | (part->is_request ? STATES_REQUEST : 0u) |
                (part->is_complete ? STATES_COMPLETE : 0u) | (is_other ? STATES_OTHER_PEER : 0u));
    stream_put(to, part->comm == ST_NO_COMM ? 0 : writer->numbers[part->comm]);
    stream_put(to, part->n);
    stream_put(to, part->starts);
    stream_put(to, part->partitions);
    stream_put(to, part->unready);
    stream_put_word(to, part->unready_bits);
    stream_put(to, text_number(writer, part->function));
    stream_put(to, part->site != ST_NO_SITE ? text_number(writer, frames_of(told, NULL, part->site))
                                            : 0);
    stream_put(to, handle_number(writer, part->handle));
    stream_put_signed(own, part->peer);
    stream_put_signed(own, part->tag);
    if (is_other) {
        stream_put_signed(own, part->world);
        stream_put_word(own, part->process);
    }
}

static void put_shown(struct stream_writer *to, const struct st_wait_shown *shown)
{
    const bool is_there = shown != NULL;
    stream_put(to, !is_there ? 0
                             : STATES_SHOWN | (shown->has_counts ? STATES_COUNTS : 0u) |
                                   (shown->is_sender ? STATES_SENDER : 0u) |
                                   (shown->is_receiver ? STATES_RECEIVER : 0u));
    stream_put_word(to, is_there ? shown->job : 0);
}

static void put_counts(struct stream_writer *to, const struct st_wait_counts *counts)
{
    int32_t before = 0;
    stream_put(to, counts->count);
    for (size_t i = 0; i < counts->count; i++) {
        stream_put(to, (uint64_t)(counts->list[i].rank - before));
        stream_put(to, counts->list[i].number);
        before = counts->list[i].rank;
    }
}

/* Calls that send or receive are pending, too, and most often nothing else is. */
static bool is_same_part(const struct st_wait_part *one, const struct st_wait_part *other)
{
    return one->sort == other->sort && one->from_nearby == other->from_nearby &&
           one->of_some == other->of_some && one->is_request == other->is_request &&
           one->is_complete == other->is_complete && one->comm == other->comm &&
           one->peer == other->peer && one->world == other->world &&
           one->process == other->process && one->n == other->n && one->tag == other->tag &&
           one->starts == other->starts && one->site == other->site &&
           one->handle == other->handle && one->unready == other->unready &&
           strcmp(one->function, other->function) == 0;
}

static bool is_pending_same(const struct st_wait_rank *rank)
{
    size_t i = 0;
    while (rank->part_count == rank->pending_count && i < rank->part_count &&
           is_same_part(&rank->parts[i], &rank->pending[i])) {
        i++;
    }
    return i == rank->part_count && i == rank->pending_count;
}

static size_t class_number(struct states_writer *writer, const struct states_told *told)
{
    struct stream_writer *to = &writer->class_;
    const struct st_wait_rank *rank = told->waits;
    to->length = 0;
    writer->handle_count = 0;
    stream_put(to, rank->presence);
    stream_put(to, rank->world);
    stream_put_signed(to, rank->world_size);
    put_shown(to, told->shown);
    stream_put(to, rank->thread_count);
    for (size_t i = 0; i < rank->thread_count; i++) {
        put_thread(writer, told, &rank->threads[i]);
    }
    const bool is_same = is_pending_same(rank);
    stream_put(to, rank->part_count);
    stream_put(to, is_same ? 0 : rank->pending_count + 1);
    for (size_t i = 0; i < rank->part_count; i++) {
        put_part(writer, told, &rank->parts[i]);
    }
    for (size_t i = 0; i < rank->pending_count && !is_same; i++) {
        put_part(writer, told, &rank->pending[i]);
    }
    return add_block(&writer->classes, to->bytes, to->length);
}

/* --- ranks ----------------------------------------------------------------------------------------- */

struct states_writer *states_begin(void)
{
    return zeroed(1, sizeof(struct states_writer));
}

void states_add(struct states_writer *writer, const struct states_told *told)
{
    struct stream_writer *to = &writer->ranks;
    writer->own.length = writer->messages.length = 0;
    stream_put_signed(to, told->pid - writer->pid);
    stream_put_word(to, told->identity);
    stream_put(to, (told->is_read ? STATES_READ : 0u) | (told->is_stuck ? STATES_STUCK : 0u) |
                       (told->is_stopped ? STATES_STOPPED : 0u));
    writer->pid = told->pid;
    writer->rank_count++;
    if (!told->is_read) {
        stream_put(to, 0);
        return;
    }
    const size_t set = set_number(writer, told); /* first: it numbers the communicators */
    stream_put(to, class_number(writer, told));
    if (told->shown != NULL && told->shown->sent.count + told->shown->received.count != 0) {
        put_counts(&writer->messages, &told->shown->sent);
        put_counts(&writer->messages, &told->shown->received);
    }
    stream_put_signed(to, told->waits->world_rank);
    stream_put(to, set);
    stream_put_block(to, writer->own.bytes, writer->own.length);
    stream_put_block(to, writer->messages.bytes, writer->messages.length);
}

/* Frees the table. */
static void put_table(struct stream_writer *to, struct written *table)
{
    stream_put(to, table->count);
    stream_put_bytes(to, table->stream.bytes, table->stream.length);
    free(table->stream.bytes);
    free(table->list);
}

char *states_end(struct states_writer *writer, size_t *length)
{
    struct stream_writer all = {0};
    put_table(&all, &writer->texts);
    put_table(&all, &writer->groups);
    put_table(&all, &writer->sets);
    put_table(&all, &writer->classes);
    stream_put(&all, writer->rank_count);
    stream_put_bytes(&all, writer->ranks.bytes, writer->ranks.length);
    free(writer->ranks.bytes);
    free(writer->group.bytes);
    free(writer->set.bytes);
    free(writer->class_.bytes);
    free(writer->own.bytes);
    free(writer->messages.bytes);
    free(writer->handles);
    free(writer->numbers);
    free(writer);
    *length = all.length;
    return (char *)all.bytes;
}
