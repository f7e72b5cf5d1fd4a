/* SPDX-License-Identifier: BSD-3-Clause */
#include "whole.h"

#include <stdlib.h>

#include "../nodes/far.h"
#include "../words.h"
#include "core/waits/describe.h"
#include "core/waits/told.h"
#include "described.h"
#include "told.h"

/* --- what they do -------------------------------------------------------------------------------- */

static const char *why_unknown(const struct looked *rank)
{
    if (rank->state == LOOKED_FORBIDDEN) {
        return "it may not be read from outside";
    }
    return rank->memory->far != NULL && far_described(rank->memory->far) == NULL
               ? "its agent does not answer"
               : "it cannot be read now";
}

static void add_member(json_t *to, const json_t *from, const char *name)
{
    json_t *member = json_object_get(from, name);
    if (member != NULL) {
        json_object_set(to, name, member);
    }
}

/* The number of a world by its name in a description. */
static size_t world_of(const struct looks *looks, const json_t *described)
{
    const char *name = json_string_value(json_object_get(described, "world"));
    const uint64_t world = name != NULL ? strtoull(name, NULL, 16) : 0;
    const size_t number = world != 0 ? st_wait_world_number(&looks->worlds, world) : 1;
    return number != 0 ? number : 1;
}

static json_t *row_of(struct looks *looks, struct looked *rank)
{
    const struct process *process = rank->process;
    json_t *own = rank->memory->far == NULL ? described_rank(rank) : NULL;
    const json_t *described = own != NULL ? own : far_described(rank->memory->far);
    json_t *row =
        json_pack("{s:i, s:I, s:s, s:I, s:s}", "rank", process->rank, "world",
                  (json_int_t)world_of(looks, described), "host",
                  process->host != NULL ? process->host : "", "pid", (json_int_t)process->pid,
                  "program", process->program != NULL ? process->program : "");
    if (described != NULL) {
        json_object_set(row, "id", json_object_get(described, "world"));
    }
    add_member(row, described, "line");
    add_member(row, described, "since");
    if (json_object_get(row, "line") == NULL) {
        json_object_set_new(row, "why", json_string(why_unknown(rank)));
    }
    char *place = described_place(json_object_get(described, "site"),
                                  json_string_value(json_object_get(described, "call")));
    json_object_set_new(row, "place", json_string(place));
    free(place);
    json_decref(own);
    return row;
}

json_t *whole_ranks(struct looks *looks)
{
    json_t *list = json_array();
    for (size_t i = 0; i < looks->count; i++) {
        if (looks->ranks[i].state != LOOKED_ENDED) {
            json_array_append_new(list, row_of(looks, &looks->ranks[i]));
        }
    }
    return list;
}

/* --- who can never go on ------------------------------------------------------------------------- */

static json_t *lines_of(const struct st_told_calls *calls)
{
    json_t *lines = json_array();
    for (size_t i = 0; i < calls->count; i++) {
        json_array_append_new(lines, json_string(calls->list[i].line));
    }
    return lines;
}

static json_t *verdict_of(struct looks *looks, const struct st_wait_rank *states,
                          const struct st_death *death)
{
    struct st_told_text told;
    json_t *calls = json_array();
    told_describe(looks, states, death, &told);
    for (size_t i = 0; i < told.calls.count; i++) {
        const struct st_told_call *call = &told.calls.list[i];
        char *place = call->is_rest ? text_of("%s", "") : told_place(&looks->ranks[call->ranks[0]]);
        json_array_append_new(calls, json_pack("{s:s, s:s, s:s, s:s}", "who", call->who, "call",
                                               call->call, "place", place, "waits", call->waits));
        free(place);
    }
    json_t *verdict = json_pack("{s:s, s:s, s:o, s:o}", "subject", told.subject, "message",
                                told.message, "calls", calls, "behind", lines_of(&told.behind));
    st_told_free(&told);
    return verdict;
}

/* The ranks that may release others, as "ranks 8 and 9": those that were not read, and those of the first
 * world that have not reported themselves. */
static char *name_unseen(const struct looks *looks, const struct st_wait_rank *states)
{
    int size = 0;
    size_t count = 0;
    for (size_t i = 0; i < looks->count; i++) {
        size = looks->ranks[i].process->size > size ? looks->ranks[i].process->size : size;
    }
    bool *is_seen = zeroed((size_t)size + 1, sizeof *is_seen);
    for (size_t i = 0; i < looks->count; i++) {
        const int rank = looks->ranks[i].process->rank;
        if (rank >= 0 && rank < size && states[i].presence != ST_WAIT_UNSEEN) {
            is_seen[rank] = true;
        }
    }
    int32_t *numbers = zeroed((size_t)size + 1, sizeof *numbers);
    for (int rank = 0; rank < size; rank++) {
        if (!is_seen[rank]) {
            numbers[count++] = rank;
        }
    }
    char *text = count != 0 ? st_told_numbers(numbers, count) : text_of("%s", "");
    free(numbers);
    free(is_seen);
    return text;
}

json_t *whole_deadlocks(struct looks *looks, const struct st_wait_rank *states,
                        const struct st_deaths *deaths)
{
    json_t *list = json_array();
    char *unseen = name_unseen(looks, states);
    for (size_t i = 0; i < deaths->count; i++) {
        json_array_append_new(list, verdict_of(looks, states, &deaths->list[i]));
    }
    json_t *answer =
        json_pack("{s:o, s:s}", "deadlocks", list, "unseen", unseen != NULL ? unseen : "");
    free(unseen);
    return answer;
}
