#include "told.h"

#include <stdlib.h>
#include <string.h>

#include "../findings/lines.h"
#include "../findings/skip.h"
#include "../proc.h"
#include "../say.h"
#include "../words.h"
#include "core/waits/describe.h"
#include "core/waits/told.h"
#include "report/catalogue.h"

/* --- places -------------------------------------------------------------------------------- */

/* A frame as a record has it. Returns NULL where nothing is known of the address. */
static json_t *frame_of(struct looked *rank, uint64_t frame)
{
    static struct memory_place place; /* too large for a small stack */
    struct st_fault fault;
    if (frame & ST_SITE_TEXT) {
        char *text;
        if (rank->registry == NULL || st_registry_frame_text(rank->registry, frame, &text, &fault))
            return NULL;
        /* "/path/script.py:12\nfunction" */
        char *line = strchr(text, '\n');
        if (line != NULL)
            *line++ = '\0';
        json_t *object = json_pack("{s:s}", "text",
                                   line != NULL ? text_of("%s in %s", text_base_name(text), line)
                                                : text_base_name(text));
        free(text);
        return object;
    }
    if (frame == 0 || !memory_place_of(rank->memory, frame - 1, &place))
        return NULL;
    return json_pack("{s:s, s:I, s:b}", "module", place.path, "offset",
                     (json_int_t)(place.offset + 1), "return", 1);
}

static json_t *frames_of_site(struct looked *rank, uint32_t site)
{
    enum { MOST = 16 };
    uint64_t pcs[MOST];
    struct st_fault fault;
    size_t count;
    json_t *list = json_array();
    if (rank->registry == NULL || site == ST_NO_SITE ||
        st_registry_site(rank->registry, site, pcs, MOST, &count, &fault))
        return list;
    for (size_t i = 0; i < count; i++) {
        json_t *frame = frame_of(rank, pcs[i]);
        if (frame != NULL)
            json_array_append_new(list, frame);
    }
    return list;
}

static json_t *frames_of_call(struct looked *rank, const struct st_thread_call *call)
{
    json_t *list = frames_of_site(rank, call->site);
    json_t *frame = json_array_size(list) == 0 ? frame_of(rank, call->pc) : NULL;
    if (frame != NULL)
        json_array_append_new(list, frame);
    return list;
}

/* The innermost place of a list of frames: "halo.c:57"; NULL: none. */
static char *short_place(json_t *frames)
{
    struct stack_writer writer = {0};
    json_t *record = json_array_get(frames, 0);
    if (record == NULL)
        return NULL;
    struct st_frame frame = {
        .text = facts_text(record, "text"),
        .module = facts_text(record, "module"),
        .offset = (uint64_t)facts_number(record, "offset"),
        .is_return = true,
    };
    lines_resolve(&frame, &writer);
    if (writer.count == 0)
        return NULL;
    if (writer.places[0].file != NULL)
        return text_of("%s:%d", text_base_name(writer.places[0].file), writer.places[0].line);
    return writer.frames[0].text != NULL ? text_of("%s", writer.frames[0].text) : NULL;
}

/* --- in words ------------------------------------------------------------------------------ */

/* Of a long place nothing but its being the same counts: the record has the frames themselves. */
static char *place_of(void *context, const struct st_told_spot *spot)
{
    const struct looks *looks = context;
    struct looked *rank = &looks->ranks[spot->rank];
    json_t *frames = spot->part != NULL ? frames_of_site(rank, spot->part->site)
                                        : frames_of_call(rank, &spot->thread->call);
    char *place = spot->is_short ? short_place(frames) : json_dumps(frames, JSON_COMPACT);
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
    return thread != NULL ? frames_of_call(rank, &thread->call) : json_array();
}

static json_t *calls_record(struct looks *looks, const struct st_wait_rank *ranks,
                            const struct st_told_calls *calls)
{
    json_t *others = json_array();
    for (size_t i = 0; i < calls->count; i++) {
        const struct st_told_call *call = &calls->list[i];
        json_t *other = json_pack("{s:i, s:s, s:s, s:o}", "rank", ranks[call->ranks[0]].world_rank,
                                  "label", call->who, "call", call->call, "site",
                                  frames_of_rank(&looks->ranks[call->ranks[0]]));
        if (call->waits[0] != '\0')
            json_object_set_new(other, "remark", json_string(call->waits));
        json_array_append_new(others, other);
    }
    return others;
}

static json_t *numbers_of(const struct st_wait_rank *ranks, const uint32_t *list, size_t count)
{
    json_t *numbers = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(numbers, json_integer(ranks[list[i]].world_rank));
    return numbers;
}

/* What all findings of the watch have. LINES and OTHERS are used up. */
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

/* Seconds that all of the ranks have been in their calls. */
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
    for (size_t i = 0; i < behind->count; i++)
        json_array_append_new(lines, json_pack("[s, s]", "behind", behind->list[i].line));
}

struct words told_attach(const struct looks *looks, const uint32_t *list, size_t count)
{
    struct words words = {0};
    struct report named = {0};
    for (size_t i = 0; i < count; i++)
        report_add_rank(&named, looks->ranks[list[i]].process->rank);
    words_add(&words, "mpipp");
    words_add(&words, "attach");
    if (count == 2)
        words_add(&words, text_of("--ranks=%d,%d", named.ranks[0], named.ranks[1]));
    else if (count > 2)
        words_add(&words, text_of("--ranks=%s", report_ranks(&named)));
    words_add(&words, text_of("%d", (int)looks->ranks[list[0]].memory->pid));
    return words;
}

static void add_nodes(const struct st_wait_rank *ranks, const struct st_told_calls *calls,
                      const char *state, json_t *nodes)
{
    for (size_t i = 0; i < calls->count; i++) {
        const struct st_told_call *call = &calls->list[i];
        json_array_append_new(nodes, json_pack("{s:o, s:s, s:s, s:s}", "ranks",
                                               numbers_of(ranks, call->ranks, call->count), "who",
                                               call->who, "call", call->call, "state", state));
    }
}

/* Edges from node number FROM, which is RANK's, to the nodes of those that it waits for. */
static void add_edges(const struct st_told_job *job, size_t from, uint32_t rank, json_t *nodes,
                      json_t *edges)
{
    bool *is_target = zeroed(job->count, sizeof *is_target);
    size_t to, i;
    json_t *node, *number;
    st_told_targets(job, rank, is_target);
    json_array_foreach(nodes, to, node)
    {
        bool waits = false;
        json_array_foreach(json_object_get(node, "ranks"), i, number)
        {
            for (size_t k = 0; k < job->count; k++)
                waits |= is_target[k] && job->ranks[k].world_rank == json_integer_value(number);
        }
        if (waits)
            json_array_append_new(edges, json_pack("[I, I]", (json_int_t)from, (json_int_t)to));
    }
    free(is_target);
}

/* {"nodes": [{"ranks": [0], "who": "rank 0", "call": "MPI_Recv(...)", "state": "waits"}, ...], "edges": [[0, 1], ...]}:
 * ranks that wait alike are one node. Of those that have left, "call" says how. */
static json_t *graph_of(const struct st_told_job *job, const struct st_death *death,
                        const struct st_told_text *told)
{
    json_t *nodes = json_array(), *edges = json_array();
    add_nodes(job->ranks, &told->calls, "waits", nodes);
    add_nodes(job->ranks, &told->behind, "behind", nodes);
    if (death->missing_count != 0) {
        char *who = st_told_ranks(job->ranks, death->missing, death->missing_count);
        const char *how = death->missing_count == 1
                              ? st_describe_presence(job->ranks[death->missing[0]].presence)
                              : "have left";
        json_array_append_new(
            nodes, json_pack("{s:o, s:s, s:s, s:s}", "ranks",
                             numbers_of(job->ranks, death->missing, death->missing_count), "who",
                             who != NULL ? who : "", "call", how, "state", "left"));
        free(who);
    }
    for (size_t i = 0; i < told->calls.count; i++)
        add_edges(job, i, told->calls.list[i].ranks[0], nodes, edges);
    for (size_t i = 0; i < told->behind.count; i++)
        add_edges(job, told->calls.count + i, told->behind.list[i].ranks[0], nodes, edges);
    return json_pack("{s:o, s:o}", "nodes", nodes, "edges", edges);
}

json_t *told_death(struct looks *looks, const struct st_wait_rank *ranks,
                   const struct st_death *death)
{
    const struct st_told_job job = job_of(looks, ranks);
    struct st_told_text told;
    json_t *lines = json_array();
    if (!st_told_death(&job, death, &told))
        fail(1, "out of memory");
    add_behind(&told.behind, lines);
    const struct words attach = told_attach(looks, death->ranks, death->rank_count);
    json_array_append_new(lines, json_pack("[s, s]", "look", words_join(&attach)));
    char *message =
        text_of("%s, for %lld s", told.message, seconds_of(looks, death->ranks, death->rank_count));
    json_t *record = finding_of(
        looks, ranks, death->kind == ST_DEATH_MISSING ? ST_COLLECTIVE_MISSING : ST_DEADLOCK,
        death->ranks, death->rank_count, told.subject, message,
        calls_record(looks, ranks, &told.calls), lines);
    if (record != NULL)
        json_object_set_new(record, "waits", graph_of(&job, death, &told));
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

/* Before the last line, which says how to look. */
static void insert_line(json_t *lines, const char *label, const char *text)
{
    json_array_insert_new(lines, json_array_size(lines) - 1, json_pack("[s, s]", label, text));
}

static char *told_call(struct looked *rank)
{
    const struct st_wait_thread *thread = st_told_thread(&rank->waits);
    if (thread == NULL)
        return text_of("in no MPI call");
    json_t *frames = frames_of_call(rank, &thread->call);
    char *place = short_place(frames);
    json_decref(frames);
    return text_of("%s%s%s", call_text(&rank->waits, thread), place != NULL ? "   " : "",
                   place != NULL ? place : "");
}

char *told_state(struct looked *rank)
{
    enum st_wait_presence presence = rank->waits.presence;
    if (presence != ST_WAIT_PRESENT && presence != ST_WAIT_UNSEEN)
        return text_of("%s", st_describe_presence(presence));
    if (rank->state == LOOKED_FORBIDDEN)
        return text_of("cannot be read");
    return told_call(rank);
}

/* --- ranks that wait for one that runs ------------------------------------------------------ */

/* What a rank does that others wait for. Behind some of it comes where. */
enum does { DOES_COMPUTE, DOES_RUN, DOES_OTHER, DOES_CALL, DOES_STAND, DOES_UNSEEN };

static const struct {
    const char *one, *several;
    bool has_place;
} does_texts[] = {
    [DOES_COMPUTE] = {"computes", "compute", true},
    [DOES_RUN] = {"runs", "run", true},
    [DOES_OTHER] = {"is outside MPI", "are outside MPI", true},
    [DOES_CALL] = {"is in", "are in", false},
    [DOES_STAND] = {"is stopped", "are stopped", true},
    [DOES_UNSEEN] = {"cannot be seen", "cannot be seen", false},
};

static enum does what_it_does(const struct looked *rank, const struct st_wait_thread *thread)
{
    enum { SAME = 1000 }; /* milliseconds without a call of MPI's */
    if (rank->state != LOOKED_RUNS || rank->waits.presence == ST_WAIT_UNSEEN)
        return DOES_UNSEEN;
    if (rank->is_stopped)
        return DOES_STAND;
    if (rank->counted < SAME)
        return DOES_RUN;
    if (thread != NULL)
        return DOES_CALL;
    return rank->computes ? DOES_COMPUTE : DOES_OTHER;
}

/* {"rank": 7, "does": 0, "call": "MPI_Test (solve.c:50)"}: "call" for DOES_CALL. */
static json_t *running_record(struct looks *looks, const struct st_wait_rank *ranks, uint32_t index)
{
    struct looked *rank = &looks->ranks[index];
    const struct st_wait_thread *thread = st_told_thread(&ranks[index]);
    enum does does = what_it_does(rank, thread);
    json_t *record = json_pack("{s:i, s:i}", "rank", ranks[index].world_rank, "does", (int)does);
    if (does == DOES_CALL) {
        json_t *frames = frames_of_call(rank, &thread->call);
        char *place = short_place(frames);
        json_object_set_new(record, "call",
                            json_string(place != NULL ? text_of("%s (%s)", thread->function, place)
                                                      : thread->function));
        json_decref(frames);
    }
    return record;
}

/* "relax() (solve.c:61)": the innermost place in the source of RANK in a tree of stacks; NULL: none is known. */
static char *place_in_stacks(const json_t *tree, json_int_t rank)
{
    char *found = NULL;
    while (tree != NULL) {
        const json_t *frame, *branch, *number, *next = NULL;
        size_t i, k;
        json_array_foreach(json_object_get(tree, "frames"), i, frame)
        {
            const char *file = facts_text(frame, "file"), *function = facts_text(frame, "function");
            if (file != NULL && function != NULL && strstr(file, "/sysdeps/") == NULL)
                found = text_of("%s() (%s:%lld)", function, text_base_name(file),
                                (long long)facts_number(frame, "line"));
        }
        json_array_foreach(json_object_get(tree, "branches"), i, branch)
        {
            json_array_foreach(json_object_get(branch, "ranks"), k, number)
            {
                if (next == NULL && json_integer_value(number) == rank)
                    next = branch;
            }
        }
        tree = next;
    }
    return found;
}

static char *does_text(const json_t *running, const json_t *tree, bool several)
{
    size_t does = (size_t)facts_number(running, "does");
    const char *text = several ? does_texts[does].several : does_texts[does].one;
    const char *call = facts_text(running, "call");
    char *place =
        does_texts[does].has_place ? place_in_stacks(tree, facts_number(running, "rank")) : NULL;
    if (call != NULL)
        return text_of("%s %s", text, call);
    return place != NULL ? text_of("%s in %s", text, place) : text_of("%s", text);
}

/* "which computes in relax() (solve.c:61)", and what each does in a line, where that is not the same. */
static char *running_text(const json_t *all, const json_t *tree, json_t *lines)
{
    enum { MOST = 16 };
    bool several = json_array_size(all) > 1, is_same = true;
    char *first = does_text(json_array_get(all, 0), tree, several);
    const json_t *running;
    size_t i;
    json_array_foreach(all, i, running) is_same &=
        strcmp(does_text(running, tree, several), first) == 0;
    if (is_same)
        return text_of("which %s", first);
    json_array_foreach(all, i, running)
    {
        if (i < MOST)
            insert_line(lines, i == 0 ? "runs" : "",
                        text_of("rank %lld %s", (long long)facts_number(running, "rank"),
                                does_text(running, tree, false)));
    }
    return text_of("%s", "which may go on");
}

/* Ends the message of told_waiting(), by what those do that are waited for. */
static void tell_running(json_t *record, const json_t *tree)
{
    const json_t *running = json_object_get(record, "running");
    char *does = running_text(running, tree, json_object_get(record, "lines"));
    char *message = text_of("%s, %s, for %lld s", facts_text(record, "message"), does,
                            (long long)facts_number(record, "seconds"));
    json_object_set_new(record, "message", json_string(message));
    json_object_del(record, "running");
    json_object_del(record, "seconds");
    free(message);
    free(does);
}

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
    if (calls->count != 1 || thread == NULL)
        return text_of("%s for %s", wait, who);
    char *place = place_of(looks, &(struct st_told_spot){first, thread, NULL, true});
    return text_of("%s in %s%s%s%s for %s", wait, thread->function, place != NULL ? " (" : "",
                   place != NULL ? place : "", place != NULL ? ")" : "", who);
}

json_t *told_waiting(struct looks *looks, const struct st_wait_rank *ranks,
                     const struct waiting *waiting)
{
    const struct st_told_job job = job_of(looks, ranks);
    struct st_told_calls calls;
    char *subject = st_told_ranks(ranks, waiting->stuck, waiting->stuck_count);
    json_t *lines = json_array();
    if (subject == NULL || !st_told_list(&job, waiting->stuck, waiting->stuck_count, &calls))
        fail(1, "out of memory");
    const bool is_known = waiting->running_count != 0;
    const struct words attach =
        told_attach(looks, is_known ? waiting->running : waiting->stuck,
                    is_known ? waiting->running_count : waiting->stuck_count);
    json_array_append_new(lines, json_pack("[s, s]", "look", words_join(&attach)));
    long long seconds = 0; /* of the one that waits longest */
    for (size_t i = 0; i < waiting->stuck_count; i++) {
        long long since = looks->ranks[waiting->stuck[i]].counted / 1000;
        seconds = since > seconds ? since : seconds;
    }
    char *message = waiting_message(looks, &job, &calls, waiting);
    if (!is_known)
        message = text_of("%s, for %lld s", message, seconds);
    json_t *record = finding_of(looks, ranks, ST_NO_PROGRESS, waiting->stuck, waiting->stuck_count,
                                subject, message, calls_record(looks, ranks, &calls), lines);
    json_t *running = json_array();
    for (size_t i = 0; i < waiting->running_count; i++)
        json_array_append_new(running, running_record(looks, ranks, waiting->running[i]));
    if (is_known) {
        json_object_set_new(record, "running", running);
        json_object_set_new(record, "seconds", json_integer(seconds));
    }
    free(message);
    free(subject);
    st_told_list_free(&calls);
    return record;
}

void told_add_stacks(json_t *record, const json_t *stacks)
{
    enum { MOST = 16 };
    json_t *lines = json_object_get(record, "lines"), *line;
    if (json_object_get(record, "running") != NULL)
        tell_running(record, json_object_get(stacks, "tree"));
    const json_t *taken = json_object_get(stacks, "lines");
    size_t i;
    if (stacks == NULL)
        insert_line(lines, "stacks", "could not be taken in time");
    json_array_foreach(taken, i, line)
    {
        if (i < MOST)
            insert_line(lines, i == 0 ? "stacks" : "", json_string_value(line));
    }
    if (json_array_size(taken) > MOST)
        insert_line(
            lines, "",
            text_of("and %zu more, which --report=FILE.html has", json_array_size(taken) - MOST));
    json_array_foreach(json_object_get(stacks, "missing"), i, line)
        insert_line(lines, "no stack", json_string_value(line));
    json_t *tree = json_object_get(stacks, "tree");
    if (json_array_size(taken) != 0)
        json_object_set(record, "stacks", tree);
}

char *told_last(struct looked *rank)
{
    return rank->was_read ? told_call(rank) : NULL;
}
