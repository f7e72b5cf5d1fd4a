/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../watch/left.h"
#include "../watch/node.h"
#include "../words.h"
#include "comm_name.h"
#include "hexadecimal.h"
#include "packed.h"

enum { MOST_TAKEN = 1 << 14, PATIENCE = 40 };

struct call_scan {
    struct shared shared;
    uint64_t turn;  /* the call that was read last */
    unsigned tries; /* how often the next one was not there yet */
    unsigned long missed;
    struct far_call list[MOST_TAKEN];
};

struct call_scan *call_scan_new(void)
{
    return zeroed(1, sizeof(struct call_scan));
}

unsigned long call_scan_missed(const struct call_scan *scan)
{
    return scan->missed;
}

static bool map_memory(struct call_scan *scan)
{
    return scan->shared.bytes != NULL || (shared_map(&scan->shared) && scan->shared.firsts != NULL);
}

/* Passes over a call that a rank does not end to write: it may have been killed. */
static bool skips(struct call_scan *scan)
{
    if (scan->tries++ < PATIENCE) {
        return false;
    }
    scan->missed++;
    return true;
}

static struct far_call far_call_of(const struct shared *shared, const struct st_collective *call)
{
    const uint32_t some = ST_COLLECTIVE_GROUP | ST_COLLECTIVE_SIDE | ST_COLLECTIVE_INTER;
    return (struct far_call){
        .comm = call->comm,
        .number = call->number,
        .digest = st_collective_digest(call),
        .flags = (st_ended_has(shared->ended, call->comm) ? FAR_CALL_ENDED : 0u) |
                 (call->flags & some ? FAR_CALL_ASK : 0u) |
                 (call->pairs ? FAR_CALL_ASK | FAR_CALL_PAIRS : 0u),
    };
}

static size_t list_new_calls(struct call_scan *scan)
{
    size_t count = 0;
    const uint64_t end =
        map_memory(scan) ? __atomic_load_n(&scan->shared.firsts->count, __ATOMIC_ACQUIRE) : 0;
    while (scan->turn < end && count < MOST_TAKEN) {
        struct st_collective call;
        const enum st_first_state state =
            st_firsts_read(scan->shared.firsts, scan->turn + 1, &call);
        if (state == ST_FIRST_NOT_YET && !skips(scan)) {
            break;
        }
        scan->missed += state == ST_FIRST_GONE;
        scan->tries = 0;
        scan->turn++;
        if (state == ST_FIRST_THERE) {
            scan->list[count++] = far_call_of(&scan->shared, &call);
        }
    }
    return count;
}

char *call_scan_take(struct call_scan *scan, size_t *length)
{
    const size_t count = list_new_calls(scan);
    return count != 0 ? packed_calls(scan->list, count, true, length) : NULL;
}

char *call_scan_blocks(struct call_scan *scan, const struct far_call *blocks, size_t count,
                       size_t *length)
{
    struct far_call *list = zeroed(count * FAR_BLOCK + 1, sizeof *list);
    size_t found = 0;
    for (size_t i = 0; i < count * FAR_BLOCK && map_memory(scan); i++) {
        const struct far_call *block = &blocks[i / FAR_BLOCK];
        struct st_collective call;
        if (st_firsts_find(scan->shared.firsts, block->comm, block->number + i % FAR_BLOCK,
                           &call)) {
            list[found++] = far_call_of(&scan->shared, &call);
        }
    }
    char *bytes = packed_calls(list, found, false, length);
    free(list);
    return bytes;
}

/* --- lists of calls --------------------------------------------------------------------------- */

/* The beginning of the data of a call, if that has several basic types: null if it is not known. */
static json_t *beginning_of(const struct shared *shared, uint32_t rank,
                            const struct st_collective *call)
{
    struct st_beginning beginning;
    const struct st_rank_area *area = shared_area(shared, rank);
    if (!(call->flags & ST_COLLECTIVE_SIGNATURE) || call->flags & ST_COLLECTIVE_UNIFORM ||
        area == NULL || !st_runs_find(&area->runs, call->hash, call->length, &beginning)) {
        return json_null();
    }
    char *bytes = hexadecimal(&beginning, sizeof beginning);
    json_t *json = json_string(bytes);
    free(bytes);
    return json;
}

/* The data of a call from rank to rank, as in its area: null if it has none, or much, or if it is not there
 * any more. */
static json_t *pairs_of(const struct shared *shared, uint32_t rank,
                        const struct st_collective *call)
{
    enum { MOST = 1024 };
    const struct st_rank_area *area = shared_area(shared, rank);
    if (call->pairs == 0 || area == NULL) {
        return json_null();
    }
    const uint32_t sends = st_pairs_count(&area->pairs, call->pairs, true),
                   receives = st_pairs_count(&area->pairs, call->pairs, false);
    if (sends > MOST || receives > MOST) {
        return json_null();
    }
    const size_t size =
        sizeof(struct st_rank_pairs) + (sends + receives) * sizeof(struct st_rank_pair);
    struct st_rank_pairs *pairs = zeroed(1, size);
    pairs->sends = sends;
    pairs->receives = receives;
    bool is_there = true;
    for (uint32_t i = 0; i < sends + receives && is_there; i++) {
        const bool is_sent = i < sends;
        is_there = st_pairs_read(&area->pairs, call->pairs, is_sent,
                                 (int32_t)(is_sent ? i : i - sends), &pairs->list[i]);
    }
    char *bytes =
        is_there && st_pairs_are_there(&area->pairs, call->pairs) ? hexadecimal(pairs, size) : NULL;
    json_t *json = bytes != NULL ? json_string(bytes) : json_null();
    free(bytes);
    free(pairs);
    return json;
}

static json_t *json_of(const struct shared *shared, uint32_t rank, const struct st_collective *call)
{
    const uint64_t key = st_collective_key(call->comm, call->number);
    const uint32_t point = st_collective_place(call->comm, call->number, ST_SEGMENT_LOG2_MEETINGS);
    char *bytes = hexadecimal(call, sizeof *call),
         *function = shared_function(shared, rank, call->called);
    json_t *json =
        json_pack("{s:s, s:i, s:I, s:s, s:o, s:o, s:o, s:b}", "call", bytes, "rank",
                  shared_rank(shared, rank), "pid", (json_int_t)shared->ranks[rank].pid, "function",
                  function, "frames", shared_frames(shared, rank, call->place), "beginning",
                  beginning_of(shared, rank, call), "pairs", pairs_of(shared, rank, call), "told",
                  shared->meetings[point].told == key);
    free(bytes);
    free(function);
    return json;
}

/* Lists the calls of a rank that have a number, or all. */
static void list_calls(const struct shared *shared, uint32_t rank, uint64_t only, json_t *list)
{
    const struct st_rank_area *area = shared_area(shared, rank);
    for (size_t i = 0; area != NULL && i < 1 << ST_AREA_LOG2_CALLS; i++) {
        struct st_collective call;
        const uint64_t key = area->calls[i].key;
        if (key != 0 && (only == 0 || key == only) &&
            st_rank_call_read(&area->calls[i], key, &call) && call.rank == rank &&
            call.number != 0 && st_collective_key(call.comm, call.number) == key) {
            json_array_append_new(list, json_of(shared, rank, &call));
        }
    }
}

/* Adds the call of the rank that came first, if that has overwritten it. */
static void add_first(const struct shared *shared, uint64_t comm, uint64_t number, json_t *list)
{
    struct st_collective first;
    const json_t *call;
    size_t i;
    if (shared->firsts == NULL || !st_firsts_find(shared->firsts, comm, number, &first) ||
        first.rank >= shared->rank_count) {
        return;
    }
    json_array_foreach(list, i, call)
    {
        if (json_integer_value(json_object_get(call, "rank")) == shared_rank(shared, first.rank)) {
            return;
        }
    }
    json_array_append_new(list, json_of(shared, first.rank, &first));
}

static json_t *list_of(uint64_t only)
{
    struct shared shared = {0};
    json_t *list = json_array();
    if (!shared_map(&shared)) {
        return list;
    }
    for (uint32_t rank = 0; rank < shared.rank_count; rank++) {
        list_calls(&shared, rank, only, list);
    }
    shared_unmap(&shared);
    return list;
}

json_t *calls_with(uint64_t comm, uint64_t number)
{
    struct shared shared = {0};
    json_t *list = list_of(st_collective_key(comm, number)), *call;
    size_t i;
    if (!shared_map(&shared)) {
        return list;
    }
    add_first(&shared, comm, number, list);
    json_array_foreach(list, i, call)
    {
        char *name = comm_name_in(&shared, json_integer_value(json_object_get(call, "pid")), comm);
        if (name != NULL) {
            json_object_set_new(call, "comm", json_string(name));
        }
        free(name);
    }
    shared_unmap(&shared);
    return list;
}

json_t *calls_all(void)
{
    return list_of(0);
}

json_t *calls_ends(const struct call_scan *scan)
{
    struct left_ends ends = {0};
    json_t *list = json_array();
    left_find_ends(&ends);
    for (size_t i = 0; i < ends.count; i++) {
        char *comm = text_of("%" PRIx64, ends.list[i].comm);
        json_array_append_new(list, json_pack("[s, I]", comm, (json_int_t)ends.list[i].number));
        free(comm);
    }
    return json_pack("{s:b, s:o, s:I}", "unfinished", ends.is_unfinished, "ends", list, "missed",
                     (json_int_t)scan->missed);
}

/* In new memory; NULL if TEXT is not that of such data. */
static struct st_rank_pairs *read_pairs(const char *text)
{
    const size_t size = text != NULL ? strlen(text) / 2 : 0;
    if (size < sizeof(struct st_rank_pairs)) {
        return NULL;
    }
    struct st_rank_pairs *pairs = zeroed(1, size);
    if (!read_hexadecimal(text, pairs, size) ||
        size != sizeof *pairs +
                    ((uint64_t)pairs->sends + pairs->receives) * sizeof(struct st_rank_pair)) {
        free(pairs);
        return NULL;
    }
    return pairs;
}

static bool read_call(json_t *json, struct published_call *read)
{
    const char *function = json_string_value(json_object_get(json, "function"));
    json_t *frames = json_object_get(json, "frames");
    *read = (struct published_call){
        .rank = (int)json_integer_value(json_object_get(json, "rank")),
        .pid = json_integer_value(json_object_get(json, "pid")),
        .is_told = json_is_true(json_object_get(json, "told")),
        .function = function,
        .frames = frames,
        .comm = json_string_value(json_object_get(json, "comm")),
    };
    read->has_beginning = read_hexadecimal(json_string_value(json_object_get(json, "beginning")),
                                           &read->beginning, sizeof read->beginning) &&
                          read->beginning.count <= ST_MOST_RUNS;
    read->pairs = read_pairs(json_string_value(json_object_get(json, "pairs")));
    return function != NULL && json_is_array(frames) &&
           read_hexadecimal(json_string_value(json_object_get(json, "call")), &read->call,
                            sizeof read->call);
}

void calls_free(struct published_call *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(list[i].pairs);
    }
    free(list);
}

bool calls_append(json_t *calls, struct published_call **list, size_t *count)
{
    json_t *json;
    size_t i;
    bool is_told = false;
    struct published_call *longer = zeroed(*count + json_array_size(calls) + 1, sizeof *longer);
    if (*count != 0) {
        memcpy(longer, *list, *count * sizeof *longer);
    }
    free(*list);
    *list = longer;
    json_array_foreach(calls, i, json)
    {
        if (read_call(json, &longer[*count])) {
            is_told |= longer[*count].is_told;
            ++*count;
        }
    }
    return is_told;
}

void calls_tell(const struct far_call *call)
{
    if (node_file() < 0) {
        return;
    }
    void *bytes =
        mmap(NULL, st_segment_fixed_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, node_file(), 0);
    if (bytes == MAP_FAILED) {
        return;
    }
    struct st_meeting_point *meetings = (void *)((char *)bytes + ST_SEGMENT_HEAD +
                                                 ST_SEGMENT_RANKS * sizeof(struct st_segment_rank));
    if (call->flags & FAR_CALL_TOLD) {
        st_meeting_tells(
            &meetings[st_collective_place(call->comm, call->number, ST_SEGMENT_LOG2_MEETINGS)],
            st_collective_key(call->comm, call->number));
    }
    if (call->flags & FAR_CALL_ENDED) {
        st_ended_add((void *)((char *)bytes + st_segment_ended()), call->comm);
    }
    munmap(bytes, st_segment_fixed_bytes());
}
