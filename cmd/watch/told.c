/* SPDX-License-Identifier: BSD-3-Clause */
#include "told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../say.h"
#include "../words.h"
#include "core/waits/describe.h"
#include "in_stacks.h"
#include "report/catalogue.h"
#include "running.h"
#include "spots.h"

/* --- in words ------------------------------------------------------------------------------ */

/* The function whose call the spot is. */
static void function_of(const struct looks *looks, const struct st_told_spot *spot,
                        char name[ST_FUNCTION_BYTES])
{
    if (spot->sent != NULL) {
        st_wait_sent_function(&looks->messages, spot->sent, name);
    } else {
        snprintf(name, ST_FUNCTION_BYTES, "%s",
                 spot->part != NULL ? spot->part->function : spot->thread->function);
    }
}

static json_t *frames_of_message(const struct looks *looks, const struct st_told_spot *spot)
{
    uint64_t frames[SPOTS_MOST];
    const size_t count = st_wait_sent_site(&looks->messages, spot->sent, frames, SPOTS_MOST);
    return spots_of_frames(&looks->ranks[spot->rank], frames, count);
}

/* A long place is only compared for equality, so it need not be readable. The record has the frames
 * themselves. */
static char *place_of(void *context, const struct st_told_spot *spot)
{
    const struct looks *looks = context;
    struct looked *rank = &looks->ranks[spot->rank];
    if (!spot->is_short && spot->sent == NULL && spot->part == NULL && rank->states != NULL) {
        const char *text = states_frames_text(rank->states, spot->thread->call.site);
        return text_of("%s", text != NULL ? text : "[]");
    }
    json_t *frames = spot->sent != NULL   ? frames_of_message(looks, spot)
                     : spot->part != NULL ? spots_of_site(rank, spot->part->site)
                                          : spots_of_call(rank, &spot->thread->call);
    char call[ST_FUNCTION_BYTES];
    function_of(looks, spot, call);
    char *place = spot->is_short ? spots_short(frames, call) : json_dumps(frames, JSON_COMPACT);
    json_decref(frames);
    return place;
}

static struct st_told_job job_of(struct looks *looks, const struct st_wait_rank *ranks)
{
    return (struct st_told_job){
        .ranks = ranks, .count = looks->count, .place = place_of, .context = looks};
}

void told_targets(struct looks *looks, const struct st_wait_rank *ranks, uint32_t index,
                  bool *is_target)
{
    const struct st_told_job job = job_of(looks, ranks);
    st_told_targets(&job, index, is_target);
}

static json_t *frames_of_rank(struct looked *rank)
{
    const struct st_wait_thread *thread = st_told_thread(&rank->waits);
    return thread != NULL ? spots_of_call(rank, &thread->call) : json_array();
}

static json_t *calls_record(struct looks *looks, const struct st_wait_rank *ranks,
                            const struct st_told_calls *calls)
{
    json_t *others = json_array();
    for (size_t i = 0; i < calls->count; i++) {
        const struct st_told_call *call = &calls->list[i];
        json_t *other =
            json_pack("{s:i, s:s, s:s, s:o}", "rank", ranks[call->ranks[0]].world_rank, "label",
                      call->who, "call", call->call, "site",
                      call->is_rest ? json_array() : frames_of_rank(&looks->ranks[call->ranks[0]]));
        if (call->waits[0] != '\0') {
            json_object_set_new(other, "remark", json_string(call->waits));
        }
        json_array_append_new(others, other);
    }
    return others;
}

static json_t *numbers_of(const struct st_wait_rank *ranks, const uint32_t *list, size_t count)
{
    json_t *numbers = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(numbers, json_integer(ranks[list[i]].world_rank));
    }
    return numbers;
}

/* Makes the members that all findings of this folder have. Takes ownership of LINES and OTHERS. */
static json_t *finding_of(struct looks *looks, const struct st_wait_rank *ranks,
                          enum st_check check, const uint32_t *list, size_t count,
                          const char *subject, const char *message, json_t *others, json_t *lines)
{
    struct looked *first = &looks->ranks[list[0]];
    const struct st_check_row *row = &st_check_rows[check];
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:I, s:i, s:o, s:o, s:o}", "record",
                     "finding", "id", row->id, "severity", st_severity_name(row->severity),
                     "subject", subject, "message", message, "rank", ranks[list[0]].world_rank,
                     "ranks", numbers_of(ranks, list, count), "pid", (json_int_t)first->memory->pid,
                     "count", 1, "site", frames_of_rank(first), "other", others, "lines", lines);
}

/* --- the finding --------------------------------------------------------------------------- */

/* The seconds for which all of these ranks have been in their calls. */
static long long seconds_of(const struct looks *looks, const uint32_t *list, size_t count)
{
    long long seconds = 0;
    for (size_t i = 0; i < count; i++) {
        long long since = looks->ranks[list[i]].counted / 1000;
        seconds = i == 0 || since < seconds ? since : seconds;
    }
    return seconds;
}

static void add_behind(const struct st_told_calls *behind, json_t *lines)
{
    for (size_t i = 0; i < behind->count; i++) {
        json_array_append_new(lines, json_pack("[s, s]", "behind", behind->list[i].line));
    }
}

static bool is_on_this_host(const struct looks *looks, const struct looked *rank)
{
    return strcmp(rank->process->host, looks->host) == 0;
}

/* The first rank of the list that is on this host; NULL: none is. Counts them, and lists their numbers. */
static const struct looked *list_near(const struct looks *looks, const uint32_t *list,
                                      size_t *count, struct report *named)
{
    const struct looked *first = NULL;
    const size_t all = *count;
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        const struct looked *rank = &looks->ranks[list[i]];
        if (is_on_this_host(looks, rank)) {
            first = first == NULL ? rank : first;
            report_add_rank(named, rank->process->rank);
            ++*count;
        }
    }
    return first;
}

/* Adds an option that names the ranks. */
static void add_ranks(const struct looks *looks, struct words *words, const struct report *named,
                      size_t count)
{
    if (count > 1 && looks->worlds.count > 1) { /* each world has a rank 0 */
        words_add(words, "--job");
    } else if (count == 2) {
        words_add(words, text_of("--ranks=%d,%d", named->ranks[0], named->ranks[1]));
    } else if (count > 2) {
        words_add(words, text_of("--ranks=%s", report_ranks(named)));
    }
}

/* Ranks of several hosts are found by this process, which answers where they are. */
static void add_all(const struct looks *looks, const uint32_t *list, size_t count,
                    struct words *words)
{
    struct report named = {0};
    for (size_t i = 0; i < count; i++) {
        report_add_rank(&named, looks->ranks[list[i]].process->rank);
    }
    add_ranks(looks, words, &named, count);
    words_add(words, text_of("%d", (int)getpid()));
}

struct words told_attach(const struct looks *looks, const uint32_t *list, size_t count)
{
    struct words words = {0};
    struct report named = {0};
    const size_t all = count;
    const struct looked *first = list_near(looks, list, &count, &named);
    words_add(&words, "mpipp");
    words_add(&words, "attach");
    if (count < all && all > 1 && looks->is_asked) {
        add_all(looks, list, all, &words);
        return words;
    }
    if (first == NULL) {
        first = &looks->ranks[list[0]];
        words_add(&words, text_of("%s:%d", first->process->host, (int)first->memory->pid));
        return words;
    }
    add_ranks(looks, &words, &named, count);
    words_add(&words, text_of("%d", (int)first->memory->pid));
    return words;
}

/* the rank has no node */
#define NO_NODE SIZE_MAX

static void add_node(const struct st_wait_rank *ranks, const uint32_t *list, size_t count,
                     json_t *node, size_t *node_of, json_t *nodes)
{
    for (size_t i = 0; i < count; i++) {
        node_of[list[i]] = json_array_size(nodes);
    }
    json_object_set_new(node, "ranks", numbers_of(ranks, list, count));
    json_array_append_new(nodes, node);
}

static void add_nodes(const struct st_wait_rank *ranks, const struct st_told_calls *calls,
                      const char *state, size_t *node_of, json_t *nodes)
{
    for (size_t i = 0; i < calls->count; i++) {
        const struct st_told_call *call = &calls->list[i];
        add_node(ranks, call->ranks, call->count,
                 json_pack("{s:s, s:s, s:s}", "who", call->who, "call", call->call, "state", state),
                 node_of, nodes);
    }
}

/* Adds edges from node number FROM, that of rank number RANK, to the nodes of the ranks that it
 * waits for. */
static void add_edges(const struct st_told_job *job, size_t from, uint32_t rank,
                      const size_t *node_of, size_t node_count, json_t *edges)
{
    bool *is_target = zeroed(job->count, sizeof *is_target);
    bool *waits = zeroed(node_count, sizeof *waits);
    st_told_targets(job, rank, is_target);
    for (size_t i = 0; i < job->count; i++) {
        if (is_target[i] && node_of[i] != NO_NODE) {
            waits[node_of[i]] = true;
        }
    }
    for (size_t to = 0; to < node_count; to++) {
        if (waits[to]) {
            json_array_append_new(edges, json_pack("[I, I]", (json_int_t)from, (json_int_t)to));
        }
    }
    free(waits);
    free(is_target);
}

/* {"nodes": [{"ranks": [0], "who": "rank 0", "call": "MPI_Recv(...)", "state": "waits"}, ...],
 * "edges": [[0, 1], ...]}. Ranks that wait in the same way are one node. For ranks that have left,
 * "call" says how. */
static json_t *graph_of(const struct st_told_job *job, const struct st_death *death,
                        const struct st_told_text *told)
{
    json_t *nodes = json_array(), *edges = json_array();
    size_t *node_of = zeroed(job->count, sizeof *node_of);
    for (size_t i = 0; i < job->count; i++) {
        node_of[i] = NO_NODE;
    }
    add_nodes(job->ranks, &told->calls, "waits", node_of, nodes);
    add_nodes(job->ranks, &told->behind, "behind", node_of, nodes);
    if (death->missing_count != 0) {
        char *who = st_told_ranks(job->ranks, death->missing, death->missing_count);
        const char *how = death->missing_count == 1
                              ? st_describe_presence(job->ranks[death->missing[0]].presence)
                              : "have left";
        add_node(job->ranks, death->missing, death->missing_count,
                 json_pack("{s:s, s:s, s:s}", "who", who != NULL ? who : "", "call", how, "state",
                           "left"),
                 node_of, nodes);
        free(who);
    }
    for (size_t i = 0; i < told->calls.count; i++) {
        add_edges(job, i, told->calls.list[i].ranks[0], node_of, json_array_size(nodes), edges);
    }
    for (size_t i = 0; i < told->behind.count; i++) {
        add_edges(job, told->calls.count + i, told->behind.list[i].ranks[0], node_of,
                  json_array_size(nodes), edges);
    }
    free(node_of);
    return json_pack("{s:o, s:o}", "nodes", nodes, "edges", edges);
}

/* True for a send that MPI may complete before the receive is posted. */
static bool is_standard_send(const struct st_wait_part *part)
{
    static const char *const names[] = {"MPI_Send",    "MPI_Send_c",    "MPI_Isend",
                                        "MPI_Isend_c", "MPI_Send_init", "MPI_Send_init_c"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(part->function, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* True if the cycle has such a send, and no collective call. */
static bool waits_for_sends(const struct st_wait_rank *ranks, const struct st_death *death)
{
    bool sends = false;
    for (size_t i = 0; i < death->rank_count; i++) {
        const struct st_wait_rank *rank = &ranks[death->ranks[i]];
        for (size_t k = 0; k < rank->part_count; k++) {
            if (rank->parts[k].sort == ST_WAIT_COLLECTIVE) {
                return false;
            }
            sends |= !rank->parts[k].is_complete && is_standard_send(&rank->parts[k]);
        }
    }
    return sends;
}

/* Each is in a blocking collective call, and they are on several communicators, windows or files. */
static bool is_of_orders(const struct st_wait_rank *ranks, const struct st_death *death)
{
    uint64_t first = 0;
    bool several = false;
    for (size_t i = 0; i < death->rank_count; i++) {
        const struct st_wait_rank *rank = &ranks[death->ranks[i]];
        const struct st_wait_thread *thread = st_told_thread(rank);
        if (thread == NULL || rank->thread_count != 1 || thread->count != 1 ||
            !st_wait_is_collective(thread->function)) {
            return false;
        }
        const struct st_wait_part *part = &rank->parts[thread->first];
        const uint64_t id =
            part->sort == ST_WAIT_COLLECTIVE && !part->is_request && part->comm != ST_NO_COMM
                ? rank->comms[part->comm].id
                : 0;
        if (id == 0) {
            return false;
        }
        several |= first != 0 && id != first;
        first = id;
    }
    return several;
}

static enum st_check check_of(const struct st_wait_rank *ranks, const struct st_death *death,
                              bool synchronous)
{
    if (death->kind == ST_DEATH_MISSING) {
        return ST_COLLECTIVE_MISSING;
    }
    if (is_of_orders(ranks, death)) {
        return ST_COLLECTIVE_ORDER;
    }
    return synchronous && waits_for_sends(ranks, death) ? ST_DEADLOCK_POTENTIAL : ST_DEADLOCK;
}

void told_describe(struct looks *looks, const struct st_wait_rank *ranks,
                   const struct st_death *death, struct st_told_text *told)
{
    const struct st_told_job job = job_of(looks, ranks);
    if (!st_told_death(&job, death, told)) {
        fail(1, "out of memory");
    }
}

char *told_place(struct looked *rank)
{
    const struct st_wait_thread *thread = st_told_thread(&rank->waits);
    json_t *frames = frames_of_rank(rank);
    const struct place place = spots_place(frames, thread != NULL ? thread->function : NULL);
    const char *function = place.function != NULL ? place.function : "";
    char *text = place.file == NULL ? text_of("%s", function)
                                    : text_of("%s:%d%s%s", text_base_name(place.file), place.line,
                                              function[0] != '\0' ? " in " : "", function);
    json_decref(frames);
    return text;
}

json_t *told_death(struct looks *looks, const struct st_wait_rank *ranks,
                   const struct st_death *death, bool synchronous)
{
    const struct st_told_job job = job_of(looks, ranks);
    struct st_told_text told;
    json_t *lines = json_array();
    told_describe(looks, ranks, death, &told);
    add_behind(&told.behind, lines);
    const struct words attach = told_attach(looks, death->ranks, death->rank_count);
    json_array_append_new(lines, json_pack("[s, s]", "look", words_join(&attach)));
    const enum st_check check = check_of(ranks, death, synchronous);
    const bool is_potential = check == ST_DEADLOCK_POTENTIAL;
    char *message =
        text_of("%s%s, for %lld s", told.message, is_potential ? " if no message is buffered" : "",
                seconds_of(looks, death->ranks, death->rank_count));
    json_t *record = finding_of(looks, ranks, check, death->ranks, death->rank_count, told.subject,
                                message, calls_record(looks, ranks, &told.calls), lines);
    if (record != NULL) {
        json_object_set_new(record, "waits", graph_of(&job, death, &told));
    }
    if (record != NULL && is_potential) {
        json_object_set_new(
            record, "advice",
            json_string("let one rank receive first, or use MPI_Sendrecv or MPI_Irecv; with larger "
                        "messages, or another MPI, this may hang without --synchronous, too"));
    }
    if (record != NULL && check == ST_COLLECTIVE_ORDER) {
        json_object_set_new(
            record, "advice",
            json_string("make the calls of several communicators in the same order in all ranks"));
    }
    free(message);
    st_told_free(&told);
    return record;
}

static char *call_text(const struct st_wait_rank *rank, const struct st_wait_thread *thread)
{
    char text[ST_DESCRIBED];
    st_describe_call(rank, thread, text, sizeof text);
    return text_of("%s", text);
}

void told_insert_line(json_t *lines, const char *label, const char *text)
{
    json_array_insert_new(lines, json_array_size(lines) - 1, json_pack("[s, s]", label, text));
}

static char *told_call(struct looked *rank)
{
    const struct st_wait_thread *thread = st_told_thread(&rank->waits);
    if (thread == NULL) {
        return text_of("in no MPI call");
    }
    json_t *frames = spots_of_call(rank, &thread->call);
    char *place = spots_short(frames, thread->function);
    json_decref(frames);
    return text_of("%s%s%s", call_text(&rank->waits, thread), place != NULL ? "   " : "",
                   place != NULL ? place : "");
}

/* Of one rank or several, as told_call() has it. NULL: it is there. */
static const char *presence_text(enum st_wait_presence presence)
{
    switch (presence) {
    case ST_WAIT_LEAVING:
        return "in MPI_Finalize";
    case ST_WAIT_LEFT:
        return "after MPI_Finalize";
    case ST_WAIT_ENDED:
        return "ended";
    default:
        return NULL;
    }
}

char *told_state(struct looked *rank)
{
    const char *presence = presence_text(rank->waits.presence);
    if (presence != NULL) {
        return text_of("%s", presence);
    }
    if (rank->state == LOOKED_FORBIDDEN) {
        return text_of("cannot be read");
    }
    return told_call(rank);
}

/* --- ranks that wait for a running rank ------------------------------------------------------ */

/* "wait in MPI_Barrier (solve.c:90) for rank 7" */
static char *waiting_message(struct looks *looks, const struct st_told_job *job,
                             const struct st_told_calls *calls, const struct waiting *waiting)
{
    uint32_t first = waiting->stuck[0];
    const struct st_wait_thread *thread = st_told_thread(&job->ranks[first]);
    char *who = waiting->running_count != 0
                    ? st_told_ranks(job->ranks, waiting->running, waiting->running_count)
                    : text_of("%s", "what may still come");
    const char *wait = waiting->stuck_count == 1 ? "waits" : "wait";
    if (calls->count != 1 || thread == NULL) {
        return text_of("%s for %s", wait, who);
    }
    char *place = place_of(looks, &(struct st_told_spot){first, thread, NULL, NULL, true});
    return text_of("%s in %s%s%s%s for %s", wait, thread->function, place != NULL ? " (" : "",
                   place != NULL ? place : "", place != NULL ? ")" : "", who);
}

json_t *told_waiting(struct looks *looks, const struct st_wait_rank *ranks,
                     const struct waiting *waiting, bool after_error)
{
    const struct st_told_job job = job_of(looks, ranks);
    struct st_told_calls calls;
    char *subject = st_told_ranks(ranks, waiting->stuck, waiting->stuck_count);
    json_t *lines = json_array();
    if (subject == NULL || !st_told_list(&job, waiting->stuck, waiting->stuck_count, &calls)) {
        fail(1, "out of memory");
    }
    const bool is_known = waiting->running_count != 0;
    const struct words attach =
        told_attach(looks, is_known ? waiting->running : waiting->stuck,
                    is_known ? waiting->running_count : waiting->stuck_count);
    json_array_append_new(lines, json_pack("[s, s]", "look", words_join(&attach)));
    long long seconds = 0; /* of the rank that waits longest */
    for (size_t i = 0; i < waiting->stuck_count; i++) {
        long long since = looks->ranks[waiting->stuck[i]].counted / 1000;
        seconds = since > seconds ? since : seconds;
    }
    char *message = waiting_message(looks, &job, &calls, waiting);
    if (!is_known) {
        message = text_of("%s, for %lld s", message, seconds);
    }
    json_t *record = finding_of(looks, ranks, ST_NO_PROGRESS, waiting->stuck, waiting->stuck_count,
                                subject, message, calls_record(looks, ranks, &calls), lines);
    json_t *running = json_array();
    for (size_t i = 0; i < waiting->running_count; i++) {
        json_array_append_new(running, running_record(looks, ranks, waiting->running[i]));
    }
    if (is_known) {
        json_object_set_new(record, "running", running);
        json_object_set_new(record, "seconds", json_integer(seconds));
    }
    if (after_error) {
        json_object_set_new(record, "advice",
                            json_string("an error was reported before: no rank goes on, perhaps "
                                        "because of it"));
    }
    free(message);
    free(subject);
    st_told_list_free(&calls);
    return record;
}

/* Corrects the place of each call that the record names. */
static void correct_places(json_t *record, const json_t *tree)
{
    json_t *other;
    size_t i;
    in_stacks_correct(json_object_get(record, "site"), tree, facts_number(record, "rank"));
    json_array_foreach(json_object_get(record, "other"), i, other)
        in_stacks_correct(json_object_get(other, "site"), tree, facts_number(other, "rank"));
}

void told_add_stacks(json_t *record, const json_t *stacks)
{
    enum { MOST = 16 };
    json_t *lines = json_object_get(record, "lines"), *line;
    json_t *tree = json_object_get(stacks, "tree");
    if (json_object_get(record, "running") != NULL) {
        running_tell(record, tree);
    }
    correct_places(record, tree);
    const json_t *taken = json_object_get(stacks, "lines");
    size_t i;
    if (stacks == NULL) {
        told_insert_line(lines, "stacks", "could not be taken in time");
    }
    json_array_foreach(taken, i, line)
    {
        if (i < MOST) {
            told_insert_line(lines, i == 0 ? "stacks" : "", json_string_value(line));
        }
    }
    if (json_array_size(taken) > MOST) {
        told_insert_line(
            lines, "",
            text_of("and %zu more, which --report=FILE.html has", json_array_size(taken) - MOST));
    }
    json_array_foreach(json_object_get(stacks, "missing"), i, line)
        told_insert_line(lines, "no stack", json_string_value(line));
    if (json_array_size(taken) != 0) {
        json_object_set(record, "stacks", tree);
    }
}

char *told_last(struct looked *rank)
{
    return rank->was_read ? told_call(rank) : NULL;
}
