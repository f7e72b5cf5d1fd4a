/* SPDX-License-Identifier: BSD-3-Clause */
#include "running.h"

#include <stdlib.h>
#include <string.h>

#include "../findings/facts.h"
#include "../words.h"
#include "core/waits/told.h"
#include "in_stacks.h"
#include "spots.h"
#include "told.h"

/* What a rank does while others wait for it. For some of these the place follows. */
enum does { DOES_COMPUTE, DOES_RUN, DOES_POLL, DOES_OTHER, DOES_CALL, DOES_STAND, DOES_UNSEEN };

static const struct {
    const char *one, *several;
    bool has_place;
} does_texts[] = {
    [DOES_COMPUTE] = {"computes", "compute", true},
    [DOES_RUN] = {"runs", "run", true},
    [DOES_POLL] = {"polls", "poll", false},
    [DOES_OTHER] = {"is outside MPI", "are outside MPI", true},
    [DOES_CALL] = {"is in", "are in", false},
    [DOES_STAND] = {"is stopped", "are stopped", true},
    [DOES_UNSEEN] = {"cannot be seen", "cannot be seen", false},
};

static enum does what_it_does(const struct looked *rank, const struct st_wait_thread *thread)
{
    enum { SAME = 1000 }; /* milliseconds without an MPI call */
    if (rank->state != LOOKED_RUNS || rank->waits.presence == ST_WAIT_UNSEEN) {
        return DOES_UNSEEN;
    }
    if (rank->processor.is_stopped) {
        return DOES_STAND;
    }
    if (rank->counted < SAME) {
        return polls_go_on(rank->polls) ? DOES_POLL : DOES_RUN;
    }
    if (thread != NULL) {
        return DOES_CALL;
    }
    return rank->computes ? DOES_COMPUTE : DOES_OTHER;
}

bool running_computes(const struct looked *rank)
{
    return what_it_does(rank, st_told_thread(&rank->waits)) == DOES_COMPUTE;
}

bool running_polls(const struct looked *rank)
{
    return what_it_does(rank, st_told_thread(&rank->waits)) == DOES_POLL;
}

/* "MPI_Test (solve.c:50)" */
static char *call_text(struct looked *rank, const struct st_thread_call *call, const char *function)
{
    json_t *frames = spots_of_call(rank, call);
    char *place = spots_short(frames, function);
    json_decref(frames);
    return place != NULL ? text_of("%s (%s)", function, place) : text_of("%s", function);
}

json_t *running_record(struct looks *looks, const struct st_wait_rank *ranks, uint32_t index)
{
    struct looked *rank = &looks->ranks[index];
    const struct st_wait_thread *thread = st_told_thread(&ranks[index]);
    enum does does = what_it_does(rank, thread);
    json_t *record = json_pack("{s:i, s:i}", "rank", ranks[index].world_rank, "does", (int)does);
    if (does == DOES_CALL) {
        json_object_set_new(record, "call",
                            json_string(call_text(rank, &thread->call, thread->function)));
    } else if (does == DOES_POLL) {
        char *call = call_text(rank, &rank->polls->call, rank->polls->function);
        char *pending = polls_text(&ranks[index]);
        json_object_set_new(record, "call",
                            json_string(pending[0] != '\0' ? text_of("%s, pending: %s", call, pending)
                                                           : call));
    }
    return record;
}

/* "relax() (solve.c:61)". Returns NULL if nothing is known. */
static char *place_in_stacks(const json_t *tree, json_int_t rank)
{
    const json_t *frame = in_stacks_innermost(tree, rank);
    if (frame == NULL) {
        return NULL;
    }
    return text_of("%s() (%s:%lld)", facts_text(frame, "function"),
                   text_base_name(facts_text(frame, "file")),
                   (long long)facts_number(frame, "line"));
}

static char *does_text(const json_t *running, const json_t *tree, bool several)
{
    size_t does = (size_t)facts_number(running, "does");
    const char *text = several ? does_texts[does].several : does_texts[does].one;
    const char *call = facts_text(running, "call");
    char *place =
        does_texts[does].has_place ? place_in_stacks(tree, facts_number(running, "rank")) : NULL;
    if (call != NULL) {
        return text_of("%s %s", text, call);
    }
    return place != NULL ? text_of("%s in %s", text, place) : text_of("%s", text);
}

/* "which computes in relax() (solve.c:61)". If the ranks do different things, also adds a line for
 * each. */
static char *running_text(const json_t *all, const json_t *tree, json_t *lines)
{
    enum { MOST = 16 };
    bool several = json_array_size(all) > 1, is_same = true;
    char *first = does_text(json_array_get(all, 0), tree, several);
    const json_t *running;
    size_t i;
    json_array_foreach(all, i, running) is_same &=
        strcmp(does_text(running, tree, several), first) == 0;
    if (is_same) {
        return text_of("which %s", first);
    }
    json_array_foreach(all, i, running)
    {
        if (i < MOST) {
            told_insert_line(lines, i == 0 ? "runs" : "",
                             text_of("rank %lld %s", (long long)facts_number(running, "rank"),
                                     does_text(running, tree, false)));
        }
    }
    return text_of("%s", "which may go on");
}

/* For programs that read the report: {"rank": 7, "does": "computes", "at": {"function": "relax", "file": ..., "line": 61}} */
static void tell_programs(json_t *all, const json_t *tree)
{
    json_t *running;
    size_t i;
    json_array_foreach(all, i, running)
    {
        const size_t does = (size_t)facts_number(running, "does");
        const json_t *frame = does_texts[does].has_place
                                  ? in_stacks_innermost(tree, facts_number(running, "rank"))
                                  : NULL;
        json_object_set_new(running, "does", json_string(does_texts[does].one));
        if (frame != NULL) {
            json_object_set_new(
                running, "at",
                json_pack("{s:s, s:s, s:I}", "function", facts_text(frame, "function"), "file",
                          facts_text(frame, "file"), "line", facts_number(frame, "line")));
        }
    }
}

void running_tell(json_t *record, const json_t *tree)
{
    const json_t *running = json_object_get(record, "running");
    char *does = running_text(running, tree, json_object_get(record, "lines"));
    char *message = text_of("%s, %s, for %lld s", facts_text(record, "message"), does,
                            (long long)facts_number(record, "seconds"));
    json_object_set_new(record, "message", json_string(message));
    tell_programs(json_object_get(record, "running"), tree);
    free(message);
    free(does);
}
