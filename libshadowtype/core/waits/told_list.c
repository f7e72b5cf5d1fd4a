/* SPDX-License-Identifier: BSD-3-Clause */
/* The verdict, and the ranks in it that are in the same call. In a job of many ranks that all wait for different ones there are as many calls as
 * ranks: some are told, and the others are counted. */
#include <stdlib.h>
#include <string.h>

#include "core/model/hash.h"
#include "core/waits/describe.h"
#include "core/waits/told_internal.h"

/* --- ranks in the same call ---------------------------------------------------------------- */

static void free_call(struct st_told_call *call)
{
    free(call->ranks);
    free(call->who);
    free(call->call);
    free(call->place);
    free(call->waits);
    free(call->line);
}

void st_told_list_free(struct st_told_calls *calls)
{
    for (size_t i = 0; i < calls->count; i++) {
        free_call(&calls->list[i]);
    }
    free(calls->list);
    *calls = (struct st_told_calls){0};
}

/* The calls that were found so far, and what differs in those of ranks that are in different ones: most often that is
 * enough to know that a rank is in none of them. */
struct call_table {
    struct st_told_job job; /* with `known` */
    struct st_told_missing known;
    struct st_told_calls *calls;
    uint64_t keys[ST_TOLD_MOST];
    size_t room[ST_TOLD_MOST + 1]; /* of the lists of ranks */
};

/* A hash of what a call waits for. Ranks in the same call have the same, unless they have started its operations in
 * different orders. */
static uint64_t hash_parts(const struct st_wait_rank *rank, const struct st_wait_thread *thread)
{
    uint64_t hash = st_hash_text(thread->count, thread->function);
    for (size_t i = 0; i < thread->count; i++) {
        const struct st_wait_part *part = &rank->parts[thread->first + i];
        hash = st_hash_word(hash, (uint64_t)part->sort << 32 | (uint32_t)part->tag);
        hash = st_hash_word(hash, (uint64_t)(uint32_t)part->peer << 32 | (uint32_t)part->world);
    }
    return hash;
}

/* Adds a rank to a list that grows. */
static bool append_rank(struct call_table *table, size_t at, uint32_t rank)
{
    struct st_told_call *call = &table->calls->list[at];
    if (call->count == table->room[at]) {
        const size_t room = table->room[at] ? 2 * table->room[at] : 4;
        uint32_t *longer = realloc(call->ranks, room * sizeof *longer);
        if (!longer) {
            return false;
        }
        call->ranks = longer;
        table->room[at] = room;
    }
    call->ranks[call->count++] = rank;
    return true;
}

/* Adds a rank to the last entry, of those that are not told. */
static bool count_rank(struct call_table *table, uint32_t rank)
{
    struct st_told_calls *calls = table->calls;
    if (calls->count == ST_TOLD_MOST) {
        calls->list[calls->count++] = (struct st_told_call){.is_rest = true};
    }
    return append_rank(table, ST_TOLD_MOST, rank);
}

static bool has_key(const struct call_table *table, uint64_t key)
{
    for (size_t i = 0; i < ST_TOLD_MOST && i < table->calls->count; i++) {
        if (table->keys[i] == key) {
            return true;
        }
    }
    return false;
}

static bool is_same_call(const struct st_told_call *one, const struct st_told_call *other)
{
    return strcmp(one->call, other->call) == 0 && strcmp(one->place, other->place) == 0 &&
           strcmp(one->waits, other->waits) == 0;
}

static bool describe_call(const struct st_told_job *job, uint32_t rank,
                          const struct st_wait_thread *thread, struct st_told_call *call)
{
    char text[ST_DESCRIBED];
    st_describe_call(&job->ranks[rank], thread, text, sizeof text);
    call->call = st_told_format("%s", text);
    call->place = st_told_place(job, (struct st_told_spot){rank, thread, NULL, NULL, false});
    call->waits = st_told_waits(job, rank, thread);
    return call->call && call->place && call->waits;
}

/* Adds a rank to the entry of its call, or a new entry. */
static bool add_rank(struct call_table *table, uint32_t rank, const struct st_wait_thread *thread)
{
    struct st_told_calls *calls = table->calls;
    struct st_told_call one = {0};
    size_t at = 0;
    const uint64_t key = hash_parts(&table->job.ranks[rank], thread);
    if (calls->count >= ST_TOLD_MOST && !has_key(table, key)) {
        return count_rank(table, rank);
    }
    if (!describe_call(&table->job, rank, thread, &one)) {
        free_call(&one);
        return false;
    }
    while (at < calls->count && at < ST_TOLD_MOST && !is_same_call(&calls->list[at], &one)) {
        at++;
    }
    if (at < calls->count || at == ST_TOLD_MOST) {
        free_call(&one);
        return at == ST_TOLD_MOST ? count_rank(table, rank) : append_rank(table, at, rank);
    }
    table->keys[at] = key;
    calls->list[calls->count++] = one;
    return append_rank(table, at, rank);
}

static bool finish_rest(struct st_told_call *call)
{
    const char *what = call->count == 1 ? "in another call" : "in other calls, or for other ranks";
    call->call = st_told_format("%s", what);
    call->place = st_told_format("%s", "");
    call->waits = st_told_format("%s", "");
    call->line = st_told_format("%s %s %s", call->who, call->count == 1 ? "waits" : "wait", what);
    return call->call && call->place && call->waits && call->line;
}

static bool finish_call(const struct st_told_job *job, struct st_told_call *call)
{
    uint32_t first = call->ranks[0];
    call->who = st_told_ranks(job->ranks, call->ranks, call->count);
    if (!call->who || call->is_rest) {
        return call->who && finish_rest(call);
    }
    const struct st_wait_thread *thread = st_told_thread(&job->ranks[first]);
    char *place = st_told_place(job, (struct st_told_spot){first, thread, NULL, NULL, true});
    if (place) {
        call->line = st_told_format("%s %s for them in %s%s%s%s", call->who,
                                    call->count == 1 ? "waits" : "wait", call->call,
                                    *place ? " (" : "", place, *place ? ")" : "");
    }
    free(place);
    return call->line;
}

bool st_told_list(const struct st_told_job *job, const uint32_t *ranks, size_t count,
                  struct st_told_calls *calls)
{
    struct call_table table = {.job = *job, .calls = calls};
    table.job.known = &table.known;
    *calls = (struct st_told_calls){.list = malloc((ST_TOLD_MOST + 1) * sizeof *calls->list)};
    bool done = calls->list;
    for (size_t i = 0; i < count && done; i++) {
        const struct st_wait_thread *thread = st_told_thread(&job->ranks[ranks[i]]);
        done = !thread || add_rank(&table, ranks[i], thread);
    }
    free(table.known.text);
    for (size_t i = 0; i < calls->count && done; i++) {
        done = finish_call(job, &calls->list[i]);
    }
    if (!done) {
        st_told_list_free(calls);
    }
    return done;
}

/* --- the verdict --------------------------------------------------------------------------- */

/* Says what the missing ranks did: "have ended". */
static const char *what_they_did(const struct st_wait_rank *ranks, const struct st_death *death)
{
    enum st_wait_presence first = ranks[death->missing[0]].presence;
    bool is_one = death->missing_count == 1, is_same_of_all = true;
    for (size_t i = 0; i < death->missing_count; i++) {
        is_same_of_all &= ranks[death->missing[i]].presence == first;
    }
    if (is_one) {
        return st_describe_presence(first);
    }
    return is_same_of_all && first == ST_WAIT_LEAVING ? "are in MPI_Finalize"
           : is_same_of_all && first == ST_WAIT_ENDED ? "have ended"
                                                      : "have left";
}

static char *message_of(const struct st_wait_rank *ranks, const struct st_death *death)
{
    const char *wait = death->rank_count == 1 ? "waits" : "wait";
    if (!death->missing_count) {
        return st_told_format("%s",
                              death->rank_count == 1 ? "waits for itself" : "wait for each other");
    }
    char *who = st_told_ranks(ranks, death->missing, death->missing_count), *text = NULL;
    const char *what = what_they_did(ranks, death);
    const struct st_wait_thread *thread = st_told_thread(&ranks[death->ranks[0]]);
    if (who && death->kind == ST_DEATH_MISSING) {
        text = st_told_format("%s in %s for %s, which %s", wait,
                              thread ? thread->function : "a collective call", who, what);
    } else if (who) {
        text = st_told_format("%s for %s, which %s", wait, who, what);
    }
    free(who);
    return text;
}

bool st_told_death(const struct st_told_job *job, const struct st_death *death,
                   struct st_told_text *told)
{
    *told = (struct st_told_text){0};
    told->subject = st_told_ranks(job->ranks, death->ranks, death->rank_count);
    told->message = message_of(job->ranks, death);
    if (told->subject && told->message &&
        st_told_list(job, death->ranks, death->rank_count, &told->calls) &&
        st_told_list(job, death->behind, death->behind_count, &told->behind)) {
        return true;
    }
    st_told_free(told);
    return false;
}

void st_told_free(struct st_told_text *told)
{
    free(told->subject);
    free(told->message);
    st_told_list_free(&told->calls);
    st_told_list_free(&told->behind);
    *told = (struct st_told_text){0};
}
