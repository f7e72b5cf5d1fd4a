/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/waits/told.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/waits/describe.h"
#include "core/waits/told_internal.h"

/* --- texts --------------------------------------------------------------------------------- */

char *st_told_format(const char *format, ...)
{
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, format, values);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    va_end(values);
    return text;
}

static int by_number(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

enum { MOST_RANGES = 32 }; /* that are named */

/* "0-3,7", from `count` ascending numbers. `count` is at least 1. *named is how many numbers these are. */
static char *ranges_of(const int32_t *numbers, size_t count, size_t *named)
{
    enum { MOST_BYTES = 24 }; /* of a range: two numbers, with a comma and a hyphen */
    const size_t room = MOST_RANGES * MOST_BYTES + 1;
    char *text = malloc(room);
    size_t length = 0, range = 0;
    *named = 0;
    for (size_t i = 0, last; text && i < count && range < MOST_RANGES; i = last + 1, range++) {
        last = i;
        while (last + 1 < count && numbers[last + 1] == numbers[last] + 1) {
            last++;
        }
        char *end = text + length;
        const char *comma = i ? "," : "";
        length +=
            (size_t)(last > i ? snprintf(end, room - length, "%s%" PRId32 "-%" PRId32, comma,
                                         numbers[i], numbers[last])
                              : snprintf(end, room - length, "%s%" PRId32, comma, numbers[i]));
        *named = last + 1;
    }
    return text;
}

char *st_told_numbers(int32_t *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, by_number);
    if (count == 1) {
        return st_told_format("rank %" PRId32, numbers[0]);
    }
    if (count == 2) {
        return st_told_format("ranks %" PRId32 " and %" PRId32, numbers[0], numbers[1]);
    }
    size_t named;
    char *ranges = ranges_of(numbers, count, &named), *text = NULL;
    if (ranges) {
        text = named < count ? st_told_format("ranks %s and %zu more", ranges, count - named)
                             : st_told_format("ranks %s", ranges);
    }
    free(ranges);
    return text;
}

/* The ranks that belong to world number `world`. *text becomes NULL if there are none. Returns
 * false if memory runs out. */
static bool tell_of_world(const struct st_wait_rank *ranks, const uint32_t *list, size_t count,
                          size_t world, char **text)
{
    int32_t *numbers = malloc((count + 1) * sizeof *numbers);
    size_t found = 0;
    for (size_t i = 0; numbers && i < count; i++) {
        const struct st_wait_rank *rank = &ranks[list[i]];
        if (st_wait_world_number(rank->worlds, rank->world) == world) {
            numbers[found++] = rank->world_rank;
        }
    }
    char *who = found ? st_told_numbers(numbers, found) : NULL;
    *text = who && world > 1 ? st_told_format("%s of world %zu", who, world) : who;
    if (*text != who) {
        free(who);
    }
    const bool done = numbers && (!found || *text);
    free(numbers);
    return done;
}

char *st_told_ranks(const struct st_wait_rank *ranks, const uint32_t *list, size_t count)
{
    const struct st_wait_worlds *worlds = count ? ranks[list[0]].worlds : NULL;
    const size_t world_count = worlds && worlds->count ? worlds->count : 1;
    char *text = NULL;
    for (size_t world = 1; world <= world_count; world++) {
        char *one, *before = text;
        if (!tell_of_world(ranks, list, count, world, &one)) {
            free(before);
            return NULL;
        }
        if (one && before) {
            text = st_told_format("%s and %s", before, one);
            free(before);
            free(one);
        } else if (one) {
            text = one;
        }
        if (!text && (one || before)) {
            return NULL;
        }
    }
    return text;
}

/* --- what a rank waits for ----------------------------------------------------------------- */

const struct st_wait_thread *st_told_thread(const struct st_wait_rank *rank)
{
    for (size_t i = 0; i < rank->thread_count; i++) {
        if (rank->threads[i].in_call) {
            return &rank->threads[i];
        }
    }
    return NULL;
}

char *st_told_place(const struct st_told_job *job, struct st_told_spot spot)
{
    char *place = job->place ? job->place(job->context, &spot) : NULL;
    return place ? place : st_told_format("%s", "");
}

struct st_missing {
    uint32_t *list;
    size_t count;
};

static void add_missing(uint32_t index, void *context)
{
    struct st_missing *missing = context;
    missing->list[missing->count++] = index;
}

/* Says what the ranks that a part waits for have not done. */
static char *missing_text(const struct st_wait_rank *rank, const struct st_wait_part *part,
                          const char *who, bool is_one)
{
    char process[ST_PROCESS_DESCRIBED];
    switch (part->sort) {
    case ST_WAIT_POSTS:
        return st_told_format("%s to call MPI_Win_post", who);
    case ST_WAIT_COMPLETES:
        return st_told_format("%s to call MPI_Win_complete", who);
    case ST_WAIT_LOCK:
        st_describe_process(rank->worlds, part->process, process, sizeof process);
        return st_told_format("the lock of %s, which %s %s", process, who, is_one ? "has" : "have");
    default:
        return part->of_some ? st_told_format("another rank of its group to come to it")
                             : st_told_format("%s to come to it", who);
    }
}

static bool is_same_shared(const struct st_wait_shared *one, const struct st_wait_shared *other)
{
    return one->id == other->id && one->n == other->n && one->starts == other->starts &&
           one->from_nearby == other->from_nearby && one->of_some == other->of_some &&
           one->is_blocking == other->is_blocking &&
           strcmp(one->function ? one->function : "", other->function ? other->function : "") == 0;
}

/* True if the answer is the same for all ranks in the call: on an intercommunicator it depends on the group. */
static bool is_for_all(const struct st_wait_rank *rank, const struct st_wait_part *part)
{
    return part->sort == ST_WAIT_COLLECTIVE && part->n && part->comm != ST_NO_COMM &&
           rank->comms[part->comm].id && !rank->comms[part->comm].own_size;
}

static bool find_missing(const struct st_told_job *job, const struct st_wait_rank *rank,
                         const struct st_wait_part *part, char **text);

/* "ranks 0 and 1 to come to it". *text becomes NULL if no rank is missing. Returns false if memory
 * runs out. */
static bool tell_missing(const struct st_told_job *job, const struct st_wait_rank *rank,
                         const struct st_wait_part *part, char **text)
{
    struct st_told_missing *known = job->known;
    *text = NULL;
    if (!known || !is_for_all(rank, part)) {
        return find_missing(job, rank, part, text);
    }
    const struct st_wait_shared call = st_wait_shared_of(rank, part);
    if (!known->is_known || !is_same_shared(&known->call, &call)) {
        free(known->text);
        *known = (struct st_told_missing){.call = call};
        if (!find_missing(job, rank, part, &known->text)) {
            return false;
        }
        known->is_known = true;
    }
    *text = known->text ? st_told_format("%s", known->text) : NULL;
    return !known->text || *text;
}

static bool find_missing(const struct st_told_job *job, const struct st_wait_rank *rank,
                         const struct st_wait_part *part, char **text)
{
    struct st_missing missing = {malloc((job->count + 1) * sizeof *missing.list), 0};
    *text = NULL;
    if (!missing.list) {
        return false;
    }
    st_wait_missing(job->ranks, job->count, rank, part, add_missing, &missing);
    char *who = missing.count ? st_told_ranks(job->ranks, missing.list, missing.count) : NULL;
    *text = who ? missing_text(rank, part, who, missing.count == 1) : NULL;
    bool done = !missing.count || *text;
    free(missing.list);
    free(who);
    return done;
}

/* What there is instead of a message: "; rank 1 has sent one with tag 9 (halo.c:49)", "". */
static char *tell_near_miss(const struct st_told_job *job, uint32_t index,
                            const struct st_wait_thread *thread, const struct st_wait_part *part)
{
    enum st_wait_miss miss;
    if (part->sort != ST_WAIT_RECEIVE && part->sort != ST_WAIT_PROBE) {
        return st_told_format("%s", "");
    }
    char words[ST_DESCRIBED];
    const struct st_wait_part *unready = st_wait_unready(job->ranks, job->count, index, part);
    if (unready) {
        st_describe_unready(&job->ranks[index], part, unready, words, sizeof words);
        return st_told_format("; %s", words);
    }
    const struct st_wait_sent *sent = st_wait_near_miss(job->ranks, index, part, &miss);
    if (!sent && !st_wait_is_missing(job->ranks, job->count, index, part)) {
        return st_told_format("%s", "");
    }
    st_describe_near_miss(job->ranks, index, part, sent, miss, words, sizeof words);
    char *place =
        sent ? st_told_place(job, (struct st_told_spot){sent->from, thread, NULL, sent, true})
             : st_told_format("%s", "");
    char *text =
        place ? st_told_format("; %s%s%s%s", words, *place ? " (" : "", place, *place ? ")" : "")
              : NULL;
    free(place);
    return text;
}

/* "a message from rank 0 with tag 8 (MPI_Irecv of halo.c:57)" */
static char *tell_wait(const struct st_told_job *job, uint32_t index,
                       const struct st_wait_thread *thread, const struct st_wait_part *part)
{
    const struct st_wait_rank *rank = &job->ranks[index];
    char wait[ST_DESCRIBED], *text;
    if (part->sort == ST_WAIT_COLLECTIVE || st_wait_is_of_window(part)) {
        if (!tell_missing(job, rank, part, &text) || text) {
            return text;
        }
    }
    st_describe_wait(rank, part, wait, sizeof wait);
    if (!part->is_request) {
        return st_told_format("%s", wait);
    }
    char *place = st_told_place(job, (struct st_told_spot){index, thread, part, NULL, true});
    text = place ? st_told_format("%s (%s%s%s)", wait, part->function, *place ? " of " : "", place)
                 : NULL;
    free(place);
    return text;
}

static char *tell_part(const struct st_told_job *job, uint32_t index,
                       const struct st_wait_thread *thread, const struct st_wait_part *part)
{
    char *wait = tell_wait(job, index, thread, part);
    char *miss = wait ? tell_near_miss(job, index, thread, part) : NULL;
    char *text = miss ? st_told_format("%s%s", wait, miss) : NULL;
    free(wait);
    free(miss);
    return text;
}

static bool has_text(char *const *texts, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(texts[i], text) == 0) {
            return true;
        }
    }
    return false;
}

static char *join_waits(char *const *texts, size_t count, const char *between)
{
    char *joined = st_told_format("%s", "");
    for (size_t i = 0; i < count && joined; i++) {
        char *longer = st_told_format("%s%s%s", joined, i ? between : "waits for ", texts[i]);
        free(joined);
        joined = longer;
    }
    return joined;
}

/* The call ends only after all of some messages that were not sent. */
static bool has_missing(const struct st_told_job *job, uint32_t rank,
                        const struct st_wait_thread *thread)
{
    bool has = false;
    for (size_t i = 0; i < thread->count && !has && st_wait_needs_all(thread); i++) {
        has = st_wait_is_missing(job->ranks, job->count, rank,
                                 &job->ranks[rank].parts[thread->first + i]);
    }
    return has;
}

char *st_told_waits(const struct st_told_job *job, uint32_t rank,
                    const struct st_wait_thread *thread)
{
    size_t count = 0;
    char **texts = malloc((thread->count + 1) * sizeof *texts);
    const bool only_missing = has_missing(job, rank, thread);
    bool done = texts;
    for (size_t i = 0; i < thread->count && done; i++) {
        const struct st_wait_part *part = &job->ranks[rank].parts[thread->first + i];
        if (only_missing && !st_wait_is_missing(job->ranks, job->count, rank, part)) {
            continue;
        }
        char *one = tell_part(job, rank, thread, part);
        done = one;
        if (one && !has_text(texts, count, one)) {
            texts[count++] = one;
        } else {
            free(one);
        }
    }
    char *joined = done ? join_waits(texts, count, only_missing ? ", and " : ", or ") : NULL;
    for (size_t i = 0; i < count; i++) {
        free(texts[i]);
    }
    free(texts);
    return joined;
}

static void mark_missing(uint32_t index, void *context)
{
    bool *is_target = context;
    is_target[index] = true;
}

static uint64_t gpid_of(const struct st_wait_rank *rank)
{
    return st_gpid(rank->world, rank->world_rank);
}

static void mark_process(const struct st_told_job *job, uint64_t gpid, bool *is_target)
{
    for (size_t i = 0; i < job->count; i++) {
        is_target[i] |= gpid_of(&job->ranks[i]) == gpid;
    }
}

void st_told_targets(const struct st_told_job *job, uint32_t rank, bool *is_target)
{
    const struct st_wait_rank *own = &job->ranks[rank];
    const struct st_wait_thread *thread = st_told_thread(own);
    for (size_t i = 0; thread && i < thread->count; i++) {
        const struct st_wait_part *part = &own->parts[thread->first + i];
        if (part->sort == ST_WAIT_COLLECTIVE || st_wait_is_of_window(part)) {
            st_wait_missing(job->ranks, job->count, own, part, mark_missing, is_target);
        } else if (part->world >= 0) {
            mark_process(job, part->process, is_target);
        } else if (part->world == ST_PEER_ANY && part->comm != ST_NO_COMM) {
            const struct st_wait_comm *comm = &own->comms[part->comm];
            for (int32_t k = 0; k < comm->size; k++) {
                uint64_t gpid = comm->members ? comm->members[k] : st_gpid(own->world, k);
                if (gpid != gpid_of(own)) {
                    mark_process(job, gpid, is_target);
                }
            }
        }
    }
}
