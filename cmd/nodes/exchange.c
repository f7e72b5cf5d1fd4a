/* SPDX-License-Identifier: BSD-3-Clause */
#include "exchange.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../watch/node.h"
#include "../words.h"
#include "comm_name.h"
#include "core/model/registry.h"
#include "hexadecimal.h"

/* --- the sums ---------------------------------------------------------------------------------- */

struct scanned_rank {
    const struct st_remote_room *room; /* NULL: not mapped */
    uint32_t state, is_unsure;         /* that were listed */
    uint64_t changes[ST_REMOTE_PEERS]; /* struct st_remote_peer.change of those that were listed */
};

struct exchange_scan {
    struct shared shared;
    struct scanned_rank *ranks[ST_SEGMENT_RANKS];
    struct far_sums *list;
    size_t count, room;
};

struct exchange_scan *exchange_scan_new(void)
{
    return zeroed(1, sizeof(struct exchange_scan));
}

static const struct st_remote_room *map_room(uint32_t rank)
{
    void *room = mmap(NULL, sizeof(struct st_remote_room), PROT_READ, MAP_SHARED, node_file(),
                      (off_t)st_segment_remote(rank, node_message_mask()));
    return room == MAP_FAILED ? NULL : room;
}

/* Returns NULL if the rank has no such room. */
static struct scanned_rank *rank_of(struct exchange_scan *scan, const struct shared *shared,
                                    uint32_t rank)
{
    if (scan->ranks[rank] == NULL &&
        __atomic_load_n(&shared->ranks[rank].has_remote, __ATOMIC_ACQUIRE)) {
        const struct st_remote_room *room = map_room(rank);
        if (room != NULL) {
            scan->ranks[rank] = zeroed(1, sizeof *scan->ranks[rank]);
            scan->ranks[rank]->room = room;
        }
    }
    return scan->ranks[rank];
}

static void list_sums(struct exchange_scan *scan, const struct far_sums *sums)
{
    if (scan->count == scan->room) {
        const size_t wider = scan->room != 0 ? 2 * scan->room : 64;
        struct far_sums *longer = realloc(scan->list, wider * sizeof *longer);
        if (longer == NULL) {
            return;
        }
        scan->list = longer;
        scan->room = wider;
    }
    scan->list[scan->count++] = *sums;
}

static void scan_rank(struct exchange_scan *scan, struct scanned_rank *rank, uint64_t gpid)
{
    const struct st_remote_room *room = rank->room;
    /* The state first: after its end a rank changes nothing. */
    const uint32_t state = __atomic_load_n(&room->state, __ATOMIC_ACQUIRE),
                   is_unsure = __atomic_load_n(&room->is_unsure, __ATOMIC_ACQUIRE),
                   count = __atomic_load_n(&room->peer_count, __ATOMIC_ACQUIRE);
    const bool all = state != rank->state || is_unsure != rank->is_unsure;
    rank->state = state;
    rank->is_unsure = is_unsure;
    for (uint32_t i = 0; i < count && i < ST_REMOTE_PEERS; i++) {
        const struct st_remote_peer *peer = &room->peers[i];
        struct far_sums sums = {.world = st_gpid_world(gpid),
                                .rank = st_gpid_rank(gpid),
                                .peer = peer->rank,
                                .state = state,
                                .is_unsure = is_unsure};
        const uint64_t change = __atomic_load_n(&peer->change, __ATOMIC_ACQUIRE);
        if ((change != rank->changes[i] || all) && st_remote_sums_read(peer, &sums.sums)) {
            rank->changes[i] = change;
            list_sums(scan, &sums);
        }
    }
}

const struct far_sums *exchange_scan_take(struct exchange_scan *scan, size_t *count)
{
    struct shared *shared = &scan->shared;
    scan->count = *count = 0;
    if (shared->bytes == NULL && !shared_map(shared)) {
        return scan->list;
    }
    const uint32_t rank_count = __atomic_load_n(&shared->head->rank_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < rank_count && i < ST_SEGMENT_RANKS; i++) {
        struct scanned_rank *rank = rank_of(scan, shared, i);
        if (rank != NULL) {
            scan_rank(scan, rank, shared->ranks[i].gpid);
        }
    }
    *count = scan->count;
    return scan->list;
}

/* --- the messages ------------------------------------------------------------------------------ */

struct lister {
    const struct shared *shared;
    uint32_t rank; /* in the table */
    const struct st_rank_area *area;
    json_t *places, *functions, *beginnings, *comms;
    char *bytes; /* the messages */
    size_t size;
    FILE *file;
};

static void name_place(struct lister *lister, const struct st_message *message)
{
    char key[16];
    snprintf(key, sizeof key, "%u", message->place);
    if (json_object_get(lister->places, key) == NULL) {
        json_object_set_new(lister->places, key,
                            shared_frames(lister->shared, lister->rank, message->place * 8u));
    }
    snprintf(key, sizeof key, "%u", st_message_function(message));
    if (json_object_get(lister->functions, key) == NULL) {
        char *name = shared_function(lister->shared, lister->rank, st_message_function(message));
        json_object_set_new(lister->functions, key, json_string(name));
        free(name);
    }
}

static void name_data(struct lister *lister, const uint64_t hash[2], int64_t length, uint16_t flags)
{
    struct st_beginning beginning;
    char key[24];
    snprintf(key, sizeof key, "%" PRIx64, hash[0]);
    if (flags & ST_MESSAGE_UNIFORM || !(flags & ST_MESSAGE_SIGNED) ||
        json_object_get(lister->beginnings, key) != NULL || lister->area == NULL ||
        !st_runs_find(&lister->area->runs, hash, length, &beginning)) {
        return;
    }
    char *bytes = hexadecimal(&beginning, sizeof beginning);
    json_object_set_new(lister->beginnings, key, json_string(bytes));
    free(bytes);
}

static void name_comm(struct lister *lister, uint64_t comm)
{
    char key[24];
    snprintf(key, sizeof key, "%" PRIx64, comm);
    if (json_object_get(lister->comms, key) == NULL) {
        char *name = comm_name_in(lister->shared, lister->shared->ranks[lister->rank].pid, comm);
        json_object_set_new(lister->comms, key, name != NULL ? json_string(name) : json_null());
        free(name);
    }
}

static void list_sent(struct lister *lister, int32_t to)
{
    const uint32_t mask = node_message_mask();
    const uint64_t from = st_segment_messages(lister->rank, mask);
    const struct st_message_room *room = (const void *)(lister->shared->bytes + from);
    struct st_message message;
    uint32_t next = 0;
    if (!lister->shared->ranks[lister->rank].has_messages ||
        from + st_message_room_bytes(mask) > lister->shared->length) {
        return;
    }
    while (st_message_read_next(room, mask, &next, &message) != ST_NO_MESSAGE) {
        if (message.to == to) {
            name_place(lister, &message);
            name_data(lister, (uint64_t[]){message.hash[0], message.hash[1]}, message.length,
                      st_message_flags(&message));
            fwrite(&message, sizeof message, 1, lister->file);
        }
    }
}

static void list_received(struct lister *lister, const struct st_remote_room *room, int32_t from)
{
    for (uint32_t i = 0; i < 1u << ST_REMOTE_LOG2_MESSAGES; i++) {
        struct st_remote_message message;
        if (st_remote_read(room, i, &message) && message.as.to == from) {
            name_place(lister, &message.as);
            name_data(lister, (uint64_t[]){message.hash[0], message.hash[1]}, message.length,
                      message.data);
            name_comm(lister, message.comm);
            fwrite(&message, sizeof message, 1, lister->file);
        }
    }
}

static json_t *sums_of(const struct st_remote_room *room, int32_t peer)
{
    struct st_remote_sums sums = {0};
    for (uint32_t i = 0; i < room->peer_count && i < ST_REMOTE_PEERS; i++) {
        for (int tries = 0; room->peers[i].rank == peer && tries < 1000; tries++) {
            if (st_remote_sums_read(&room->peers[i], &sums)) {
                break;
            }
        }
    }
    char *bytes = hexadecimal(&sums, sizeof sums);
    json_t *json = json_string(bytes);
    free(bytes);
    return json;
}

static json_t *list_of(struct lister *lister, const struct st_remote_room *room,
                       const struct far_question *question)
{
    const int32_t peer = question->of_sender ? question->to : question->from;
    const char *node = getenv(ST_NODE_VARIABLE);
    json_t *json = json_pack("{s:I, s:s, s:I, s:b, s:o}", "pid",
                             (json_int_t)lister->shared->ranks[lister->rank].pid, "node",
                             node != NULL ? node : "", "state", (json_int_t)room->state, "unsure",
                             room->is_unsure != 0, "sums", sums_of(room, peer));
    lister->places = json_object();
    lister->functions = json_object();
    lister->beginnings = json_object();
    lister->comms = json_object();
    lister->file = open_memstream(&lister->bytes, &lister->size);
    if (lister->file != NULL && question->of_sender) {
        list_sent(lister, peer);
    } else if (lister->file != NULL) {
        list_received(lister, room, peer);
    }
    if (lister->file != NULL && fclose(lister->file) == 0) {
        char *text = hexadecimal(lister->bytes, lister->size);
        json_object_set_new(json, "messages", json_string(text));
        free(text);
    }
    free(lister->bytes);
    json_object_set_new(json, "places", lister->places);
    json_object_set_new(json, "functions", lister->functions);
    json_object_set_new(json, "beginnings", lister->beginnings);
    json_object_set_new(json, "comms", lister->comms);
    return json;
}

json_t *exchange_list(const struct far_question *question)
{
    const int32_t rank = question->of_sender ? question->from : question->to;
    struct shared shared = {0};
    json_t *json = NULL;
    if (!shared_map(&shared)) {
        return NULL;
    }
    for (uint32_t i = 0; i < shared.rank_count && json == NULL; i++) {
        const struct st_remote_room *room =
            shared.ranks[i].has_remote && st_gpid_world(shared.ranks[i].gpid) == question->world &&
                    st_gpid_rank(shared.ranks[i].gpid) == rank
                ? map_room(i)
                : NULL;
        if (room != NULL) {
            struct lister lister = {.shared = &shared, .rank = i, .area = shared_area(&shared, i)};
            json = list_of(&lister, room, question);
            munmap((void *)(uintptr_t)room, sizeof *room);
        }
    }
    shared_unmap(&shared);
    return json;
}

/* --- read -------------------------------------------------------------------------------------- */

bool exchange_read(const json_t *json, bool is_sender, struct exchanged *list)
{
    const char *text = json_string_value(json_object_get(json, "messages"));
    const size_t one = is_sender ? sizeof(struct st_message) : sizeof(struct st_remote_message);
    const size_t size = text != NULL ? strlen(text) / 2 : 0;
    *list =
        (struct exchanged){.json = json,
                           .state = (uint32_t)json_integer_value(json_object_get(json, "state")),
                           .is_unsure = json_is_true(json_object_get(json, "unsure")),
                           .count = size / one};
    void *bytes = zeroed(size + 1, 1);
    if (text == NULL || size % one != 0 || !read_hexadecimal(text, bytes, size) ||
        !read_hexadecimal(json_string_value(json_object_get(json, "sums")), &list->sums,
                          sizeof list->sums)) {
        free(bytes);
        return false;
    }
    if (is_sender) {
        list->sent = bytes;
    } else {
        list->received = bytes;
    }
    return true;
}

void exchange_free(struct exchanged *list)
{
    free(list->sent);
    free(list->received);
    *list = (struct exchanged){0};
}

json_t *exchange_frames(const struct exchanged *list, uint32_t place)
{
    char key[16];
    snprintf(key, sizeof key, "%u", place);
    json_t *frames = json_object_get(json_object_get(list->json, "places"), key);
    return json_is_array(frames) ? json_incref(frames) : json_array();
}

const char *exchange_function(const struct exchanged *list, const struct st_message *message)
{
    char key[16];
    snprintf(key, sizeof key, "%u", st_message_function(message));
    const char *name =
        json_string_value(json_object_get(json_object_get(list->json, "functions"), key));
    return name != NULL ? name : "a call";
}

const char *exchange_comm(const struct exchanged *list, uint64_t comm)
{
    char key[24];
    snprintf(key, sizeof key, "%" PRIx64, comm);
    return json_string_value(json_object_get(json_object_get(list->json, "comms"), key));
}

bool exchange_beginning(const struct exchanged *list, const uint64_t hash[2],
                        struct st_beginning *beginning)
{
    char key[24];
    snprintf(key, sizeof key, "%" PRIx64, hash[0]);
    return read_hexadecimal(
               json_string_value(json_object_get(json_object_get(list->json, "beginnings"), key)),
               beginning, sizeof *beginning) &&
           beginning->count <= ST_MOST_RUNS;
}
