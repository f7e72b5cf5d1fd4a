#include "told.h"

#include <stdlib.h>
#include <string.h>

#include "../findings/lines.h"
#include "../findings/skip.h"
#include "../words.h"
#include "core/waits/describe.h"
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
    if (site == ST_NO_SITE || st_registry_site(rank->registry, site, pcs, MOST, &count, &fault))
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

/* --- ranks --------------------------------------------------------------------------------- */

/* "rank 0", "ranks 0 and 1", "ranks 0-3,7". */
static char *name_ranks(const struct st_wait_rank *ranks, const uint32_t *list, size_t count)
{
    struct report named = {0};
    for (size_t i = 0; i < count; i++)
        report_add_rank(&named, ranks[list[i]].world_rank);
    if (named.rank_count == 1)
        return text_of("rank %d", named.ranks[0]);
    if (named.rank_count == 2)
        return text_of("ranks %d and %d", named.ranks[0], named.ranks[1]);
    return text_of("ranks %s", report_ranks(&named));
}

static const struct st_wait_thread *first_thread(const struct st_wait_rank *rank)
{
    for (size_t i = 0; i < rank->thread_count; i++) {
        if (rank->threads[i].in_call)
            return &rank->threads[i];
    }
    return NULL;
}

static char *call_text(const struct st_wait_rank *rank, const struct st_wait_thread *thread)
{
    char text[ST_DESCRIBED];
    st_describe_call(rank, thread, text, sizeof text);
    return text_of("%s", text);
}

/* "rank 7, which has ended" */
static char *name_missing(const struct st_wait_rank *ranks, const struct st_death *death)
{
    enum st_wait_presence first = ranks[death->missing[0]].presence;
    bool same = true;
    for (size_t i = 0; i < death->missing_count; i++)
        same &= ranks[death->missing[i]].presence == first;
    const char *does = same ? st_describe_presence(first) : "has left";
    if (death->missing_count > 1)
        does = first == ST_WAIT_LEAVING && same ? "are in MPI_Finalize"
               : first == ST_WAIT_ENDED && same ? "have ended"
                                                : "have left";
    return text_of("%s, which %s", name_ranks(ranks, death->missing, death->missing_count), does);
}

/* Members that a collective call waits for, as far as they have not left. */
struct missing_list {
    uint32_t *list;
    size_t count;
};

static void add_missing(uint32_t index, void *context)
{
    struct missing_list *missing = context;
    missing->list[missing->count++] = index;
}

static char *wait_text(struct looks *looks, const struct st_wait_rank *ranks, struct looked *rank,
                       const struct st_wait_part *part)
{
    char text[ST_DESCRIBED];
    if (part->sort == ST_WAIT_COLLECTIVE) {
        struct missing_list missing = {zeroed(looks->count, sizeof *missing.list), 0};
        st_wait_missing(ranks, looks->count, &rank->waits, part, add_missing, &missing);
        char *names = missing.count != 0 ? text_of("%s to come to it",
                                                   name_ranks(ranks, missing.list, missing.count))
                                         : NULL;
        free(missing.list);
        if (names != NULL)
            return names;
    }
    st_describe_wait(&rank->waits, part, text, sizeof text);
    if (!part->is_request)
        return text_of("%s", text);
    json_t *frames = frames_of_site(rank, part->site);
    char *place = short_place(frames);
    json_decref(frames);
    return place != NULL ? text_of("%s (%s of %s)", text, part->function, place)
                         : text_of("%s (%s)", text, part->function);
}

/* What a rank waits for, the same of several parts once. */
static char *waits_text(struct looks *looks, const struct st_wait_rank *ranks, struct looked *rank,
                        const struct st_wait_thread *thread)
{
    char *text = NULL;
    for (size_t i = 0; i < thread->count; i++) {
        const struct st_wait_part *part = &rank->waits.parts[thread->first + i];
        char *one = wait_text(looks, ranks, rank, part);
        if (text == NULL)
            text = text_of("waits for %s", one);
        else if (strstr(text, one) == NULL)
            text = text_of("%s, or %s", text, one);
    }
    return text;
}

struct described {
    char *call, *waits;
    json_t *site;
    uint32_t *list;
    size_t count;
};

static bool is_same(const struct described *one, const struct described *other)
{
    return strcmp(one->call, other->call) == 0 && json_equal(one->site, other->site) &&
           (one->waits == NULL) == (other->waits == NULL) &&
           (one->waits == NULL || strcmp(one->waits, other->waits) == 0);
}

static bool describe(struct looks *looks, const struct st_wait_rank *ranks, uint32_t index,
                     struct described *described)
{
    struct looked *rank = &looks->ranks[index];
    const struct st_wait_thread *thread = first_thread(&rank->waits);
    if (thread == NULL)
        return false;
    described->call = call_text(&rank->waits, thread);
    described->waits = waits_text(looks, ranks, rank, thread);
    described->site = frames_of_call(rank, &thread->call);
    return true;
}

/* Ranks that are in the same call, and wait for the same, in one entry. */
static json_t *other_calls(struct looks *looks, const struct st_wait_rank *ranks,
                           const uint32_t *list, size_t count)
{
    struct described *all = zeroed(count, sizeof *all);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        struct described one = {0};
        if (!describe(looks, ranks, list[i], &one))
            continue;
        size_t at = 0;
        while (at < used && !is_same(&all[at], &one))
            at++;
        if (at == used) {
            one.list = zeroed(count, sizeof *one.list);
            all[used++] = one;
        } else {
            json_decref(one.site);
        }
        all[at].list[all[at].count++] = list[i];
    }
    json_t *others = json_array();
    for (size_t i = 0; i < used; i++) {
        json_t *other = json_pack("{s:i, s:s, s:s, s:o}", "rank", ranks[all[i].list[0]].world_rank,
                                  "label", name_ranks(ranks, all[i].list, all[i].count), "call",
                                  all[i].call, "site", all[i].site);
        if (all[i].waits != NULL)
            json_object_set_new(other, "remark", json_string(all[i].waits));
        json_array_append_new(others, other);
        free(all[i].list);
    }
    free(all);
    return others;
}

/* --- the finding --------------------------------------------------------------------------- */

static char *message_of(struct looks *looks, const struct st_wait_rank *ranks,
                        const struct st_death *death, bool is_missing)
{
    long long seconds = 0;
    for (size_t i = 0; i < death->rank_count; i++) {
        long long since = looks->ranks[death->ranks[i]].counted / 1000;
        seconds = i == 0 || since < seconds ? since : seconds;
    }
    const char *wait = death->rank_count == 1 ? "waits" : "wait";
    if (is_missing) {
        const struct st_wait_thread *thread = first_thread(&ranks[death->ranks[0]]);
        return text_of("%s in %s for %s, for %lld s", wait,
                       thread != NULL ? thread->function : "a collective call",
                       name_missing(ranks, death), seconds);
    }
    if (death->missing_count != 0)
        return text_of("%s for %s, for %lld s", wait, name_missing(ranks, death), seconds);
    if (death->rank_count == 1)
        return text_of("waits for itself, for %lld s", seconds);
    return text_of("wait for each other, for %lld s", seconds);
}

static void add_behind(struct looks *looks, const struct st_wait_rank *ranks,
                       const struct st_death *death, json_t *lines)
{
    json_t *others = other_calls(looks, ranks, death->behind, death->behind_count);
    for (size_t i = 0; i < json_array_size(others); i++) {
        json_t *other = json_array_get(others, i);
        const char *name = facts_text(other, "label");
        char *place = short_place(json_object_get(other, "site"));
        char *text = text_of("%s %s for them in %s%s%s%s", name,
                             text_begins(name, "ranks") ? "wait" : "waits",
                             facts_text(other, "call"), place != NULL ? " (" : "",
                             place != NULL ? place : "", place != NULL ? ")" : "");
        json_array_append_new(lines, json_pack("[s, s]", "behind", text));
    }
    json_decref(others);
}

static void add_look(struct looks *looks, const struct st_wait_rank *ranks,
                     const struct st_death *death, json_t *lines)
{
    enum { MOST = 4 };
    char *text = NULL;
    for (size_t i = 0; i < death->rank_count && i < MOST; i++) {
        struct looked *rank = &looks->ranks[death->ranks[i]];
        text = text_of("%s%smpipp attach %d (rank %d)", text != NULL ? text : "",
                       text != NULL ? ", " : "", (int)rank->memory->pid,
                       ranks[death->ranks[i]].world_rank);
    }
    if (text != NULL)
        json_array_append_new(lines, json_pack("[s, s]", "look", text));
}

json_t *told_death(struct looks *looks, const struct st_wait_rank *ranks,
                   const struct st_death *death)
{
    bool is_missing = death->kind == ST_DEATH_MISSING;
    struct looked *first = &looks->ranks[death->ranks[0]];
    const struct st_wait_thread *thread = first_thread(&first->waits);
    json_t *lines = json_array(), *members = json_array();
    for (size_t i = 0; i < death->rank_count; i++)
        json_array_append_new(members, json_integer(ranks[death->ranks[i]].world_rank));
    add_behind(looks, ranks, death, lines);
    add_look(looks, ranks, death, lines);
    const struct st_check_row *row =
        &st_check_rows[is_missing ? ST_COLLECTIVE_MISSING : ST_DEADLOCK];
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:I, s:i, s:o, s:o, s:o}", "record",
                     "finding", "id", row->id, "severity", st_severity_name(row->severity),
                     "subject", name_ranks(ranks, death->ranks, death->rank_count), "message",
                     message_of(looks, ranks, death, is_missing), "rank",
                     ranks[death->ranks[0]].world_rank, "ranks", members, "pid",
                     (json_int_t)first->memory->pid, "count", 1, "site",
                     thread != NULL ? frames_of_call(first, &thread->call) : json_array(), "other",
                     other_calls(looks, ranks, death->ranks, death->rank_count), "lines", lines);
}

static char *told_call(struct looked *rank)
{
    const struct st_wait_thread *thread = first_thread(&rank->waits);
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

/* The ranks that may go on, the same of several once. */
static void add_running(struct looks *looks, const struct st_wait_rank *ranks, json_t *lines)
{
    enum { MOST = 8 };
    size_t told = 0;
    for (size_t i = 0; i < looks->count && told < MOST; i++) {
        if (ranks[i].is_stuck)
            continue;
        char *text = text_of("rank %d: %s", ranks[i].world_rank, told_state(&looks->ranks[i]));
        json_array_append_new(lines, json_pack("[s, s]", "not stuck", text));
        told++;
    }
}

json_t *told_waiting(struct looks *looks, const struct st_wait_rank *ranks, const uint32_t *stuck,
                     size_t count)
{
    struct looked *first = &looks->ranks[stuck[0]];
    const struct st_wait_thread *thread = first_thread(&first->waits);
    json_t *lines = json_array(), *members = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(members, json_integer(ranks[stuck[i]].world_rank));
    add_running(looks, ranks, lines);
    const struct st_check_row *row = &st_check_rows[ST_NO_PROGRESS];
    char *message = text_of("%s for what may still come, for %lld s", count == 1 ? "waits" : "wait",
                            (long long)first->counted / 1000);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:I, s:i, s:o, s:o, s:o}", "record",
                     "finding", "id", row->id, "severity", st_severity_name(row->severity),
                     "subject", name_ranks(ranks, stuck, count), "message", message, "rank",
                     ranks[stuck[0]].world_rank, "ranks", members, "pid",
                     (json_int_t)first->memory->pid, "count", 1, "site",
                     thread != NULL ? frames_of_call(first, &thread->call) : json_array(), "other",
                     other_calls(looks, ranks, stuck, count), "lines", lines);
}

char *told_last(struct looked *rank)
{
    return rank->was_read ? told_call(rank) : NULL;
}
