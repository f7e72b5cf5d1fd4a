/* SPDX-License-Identifier: BSD-3-Clause */
#include "hangs.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "../nodes/far.h"
#include "../say.h"
#include "../words.h"
#include "core/model/hash.h"
#include "job_stacks.h"
#include "looks.h"
#include "still.h"
#include "told.h"
#include "whole.h"

enum { MILLISECONDS_TO_LOOK = 1000 };
/* Milliseconds. At least one rank of a finding has been in its call for the whole timeout. The
 * finding also includes all ranks that have been in their calls for this short time: on a busy
 * machine only little of a rank's time counts. */
enum { SHORT_WAIT = 1 };
/* Numbers of these findings, larger than the numbers that ranks give to their own. */
#define FIRST_NUMBER (INT64_C(1) << 40)

/* A finding that is reported once the stacks of its ranks have been read. */
struct verdict {
    uint32_t rank; /* index of the rank that the finding is attributed to */
    bool is_hang;  /* the ranks can never go on, or do not after an error */
    json_t *record;
};

struct hangs {
    bool synchronous; /* sends wait for their receives */
    int64_t timeout;  /* milliseconds; 0: never */
    struct looks *looks;
    int64_t due; /* time of the next look */
    int64_t number;
    unsigned looks_without_progress;
    bool told_no_progress;    /* the note on ranks that wait for running ones was given */
    bool told_after_error;    /* the note on a job that stands still after an error was given */
    bool told_hang;           /* the last verdict found ranks that can never go on */
    struct verdict *verdicts; /* not reported yet */
    size_t verdict_count;
    struct job_stacks
        *stacks;         /* of the verdicts' ranks, one group for each verdict; NULL: none can be
                                  taken */
    struct words attach; /* the command that looks at the ranks of the last verdict */
};

/* A verdict takes lists of all ranks, and for many ranks fresh memory costs more than the work in it. So what the looks
 * before have given back is kept, as far as it is needed again. */
static void keep_memory(void)
{
    enum { MOST = 1 << 26 };
    mallopt(M_MMAP_THRESHOLD, MOST / 8); /* larger ones would leave gaps between those that stay */
    mallopt(M_TRIM_THRESHOLD, MOST);
}

struct hangs *hangs_new(const struct hang_choice *choice, bool synchronous)
{
    struct hangs *hangs = zeroed(1, sizeof *hangs);
    keep_memory();
    hangs->synchronous = synchronous;
    hangs->timeout = (int64_t)hang_choice_timeout(choice) * 1000;
    hangs->looks = looks_new();
    hangs->number = FIRST_NUMBER;
    return hangs;
}

void hangs_answers(struct hangs *hangs)
{
    hangs->looks->is_asked = true;
}

/* --- verdicts ------------------------------------------------------------------------------ */

/* The states of the ranks in one array. */
static struct st_wait_rank *list_states(const struct looks *looks)
{
    struct st_wait_rank *states = zeroed(looks->count, sizeof *states);
    const uint64_t only = looks->worlds.count == 1 ? looks->worlds.names[0] : 0;
    for (size_t i = 0; i < looks->count; i++) {
        states[i] = looks->ranks[i].waits;
        if (!looks->ranks[i].was_read && states[i].world == 0) {
            states[i].world = only;
        }
        states[i].worlds = &looks->worlds;
    }
    return states;
}

/* Adds a record to the findings. */
static void tell_hang(struct hangs *hangs, struct findings *findings, uint32_t rank, json_t *record)
{
    if (record == NULL) {
        fail(1, "out of memory");
    }
    json_object_set_new(record, "n", json_integer((json_int_t)hangs->number++));
    char *line = json_dumps(record, JSON_COMPACT);
    if (line == NULL) {
        fail(1, "out of memory");
    }
    findings_line(findings, hangs->looks->ranks[rank].process->key, line, strlen(line));
    free(line);
    json_decref(record);
}

/* Finds what can never go on among the ranks that have been in the same call for TIMEOUT
 * milliseconds. Returns the states that were used, or NULL if nothing is known. */
static struct st_wait_rank *find_deaths(struct hangs *hangs, int64_t timeout,
                                        struct st_deaths *deaths)
{
    looks_read(hangs->looks, timeout);
    struct st_wait_rank *states = list_states(hangs->looks);
    looks_read_messages(hangs->looks, states);
    if (st_deaths_find(states, hangs->looks->count, deaths)) {
        return states;
    }
    free(states);
    return NULL;
}

/* True if one of its ranks was reported already in the call that it is still in. Ranks that join
 * the same wait later are not reported again. */
static bool was_told(const struct looks *looks, const struct st_death *death)
{
    for (size_t i = 0; i < death->rank_count; i++) {
        const struct looked *rank = &looks->ranks[death->ranks[i]];
        if (rank->told == rank->identity) {
            return true;
        }
    }
    return false;
}

/* A hash of the ranks of a death, and of their calls. */
static uint64_t hash_death(const struct looks *looks, const struct st_death *death)
{
    uint64_t hash = 1;
    for (size_t i = 0; i < death->rank_count; i++) {
        hash = st_hash_word(st_hash_word(hash, death->ranks[i]),
                            looks->ranks[death->ranks[i]].identity);
    }
    return hash | 1;
}

/* True if the rank had a processor since it was suspected first. On a busy machine what it waits for may
 * have come, and only the rank itself does not know yet. */
static bool had_time(const struct looked *rank)
{
    return rank->memory->far != NULL ? !rank->processor.is_starved
                                     : processor_had_time(rank->memory->pid, rank->suspected_time);
}

/* True if the same ranks could not go on at the previous look either, and all had time to go on since. */
static bool confirm_death(struct looks *looks, const struct st_death *death)
{
    const uint64_t suspected = hash_death(looks, death);
    bool is_confirmed = true;
    for (size_t i = 0; i < death->rank_count && is_confirmed; i++) {
        const struct looked *rank = &looks->ranks[death->ranks[i]];
        is_confirmed = rank->suspected == suspected && had_time(rank);
    }
    for (size_t i = 0; i < death->rank_count; i++) {
        looks->ranks[death->ranks[i]].is_confirmed = is_confirmed;
    }
    return is_confirmed;
}

/* Remembers that a rank can never go on now, and was suspected of BEFORE. */
static void suspect_rank(struct looked *rank, uint64_t before, uint64_t suspected)
{
    rank->suspected = suspected;
    if (before != suspected && rank->memory->far == NULL) {
        rank->suspected_time = processor_time(rank->memory->pid);
    }
}

/* Remembers which ranks can never go on now, and looks at them again a second later. Returns true
 * if a death was there at the previous look already, so that it has to be reported. */
static bool suspect_deaths(struct looks *looks, const struct st_deaths *deaths)
{
    bool due = false;
    uint64_t *before = zeroed(looks->count + 1, sizeof *before);
    for (size_t i = 0; i < looks->count; i++) {
        before[i] = looks->ranks[i].suspected;
        looks->ranks[i].is_confirmed = false;
    }
    for (size_t i = 0; i < deaths->count; i++) {
        if (!was_told(looks, &deaths->list[i])) {
            due |= confirm_death(looks, &deaths->list[i]);
            looks_hurry(looks);
        }
    }
    for (size_t i = 0; i < looks->count; i++) {
        looks->ranks[i].suspected = 0;
    }
    for (size_t i = 0; i < deaths->count; i++) {
        const struct st_death *death = &deaths->list[i];
        const uint64_t suspected = hash_death(looks, death);
        for (size_t k = 0; k < death->rank_count; k++) {
            suspect_rank(&looks->ranks[death->ranks[k]], before[death->ranks[k]], suspected);
        }
    }
    free(before);
    return due;
}

/* A group for the ranks of two lists. */
static struct ranks_group group_of(const struct looks *looks, const uint32_t *first,
                                   size_t first_count, const uint32_t *second, size_t second_count)
{
    struct ranks_group group = {zeroed(first_count + second_count + 1, sizeof *group.ranks), 0};
    for (size_t i = 0; i < first_count + second_count; i++) {
        group.ranks[group.count++] =
            &looks->ranks[i < first_count ? first[i] : second[i - first_count]];
    }
    return group;
}

static void add_verdict(struct hangs *hangs, uint32_t rank, bool is_hang, json_t *record)
{
    hangs->verdicts =
        realloc(hangs->verdicts, (hangs->verdict_count + 1) * sizeof *hangs->verdicts);
    if (hangs->verdicts == NULL || record == NULL) {
        fail(1, "out of memory");
    }
    hangs->verdicts[hangs->verdict_count++] = (struct verdict){rank, is_hang, record};
}

/* True if the note on ranks that wait is due. Where the user has asked for notes, it is enough that
 * some ranks wait. By default the job as a whole has to stand still. */
static bool is_note_due(struct hangs *hangs, const struct findings *findings,
                        const struct waiting *waiting, int64_t now)
{
    if (waiting->stuck_count == 0 || hangs->told_no_progress ||
        findings->least > ST_SEVERITY_WARNING) {
        return false;
    }
    if (findings->least <= ST_SEVERITY_NOTE) {
        return ++hangs->looks_without_progress == 2;
    }
    return still_is_long(hangs->looks, waiting, hangs->timeout, now);
}

/* Reports once per job that ranks wait although no error can be shown. */
static void prepare_no_progress(struct hangs *hangs, const struct findings *findings,
                                const struct st_wait_rank *states, int64_t now)
{
    struct waiting waiting = still_list(hangs->looks, states);
    const bool is_hang = !hangs->told_after_error &&
                         still_after_error(hangs->looks, findings, &waiting, hangs->timeout, now);
    const bool due = is_hang || is_note_due(hangs, findings, &waiting, now);
    still_free(&waiting);
    if (!due) {
        return;
    }
    hangs->told_no_progress = true;
    hangs->told_after_error |= is_hang;
    looks_read(hangs->looks, SHORT_WAIT); /* includes the ranks that started to wait recently */
    struct st_wait_rank *all = list_states(hangs->looks);
    if (all == NULL) {
        return;
    }
    waiting = still_list(hangs->looks, all);
    if (waiting.stuck_count != 0) {
        struct ranks_group group = group_of(hangs->looks, waiting.running, waiting.running_count,
                                            waiting.stuck, waiting.stuck_count);
        if (is_hang) {
            hangs->attach = told_attach(hangs->looks, waiting.stuck, waiting.stuck_count);
        }
        add_verdict(hangs, waiting.stuck[0], is_hang,
                    told_waiting(hangs->looks, all, &waiting, is_hang));
        hangs->stacks = job_stacks_start(&group, 1);
        free(group.ranks);
    }
    still_free(&waiting);
    free(all);
}

/* Prepares the report of the current deaths that have a confirmed rank. */
static void prepare_deaths(struct hangs *hangs, const struct st_wait_rank *states,
                           const struct st_deaths *deaths)
{
    struct looks *looks = hangs->looks;
    uint32_t *ranks = zeroed(looks->count, sizeof *ranks); /* the ranks that the report names */
    struct ranks_group *groups = zeroed(deaths->count, sizeof *groups);
    size_t count = 0;
    for (size_t i = 0; i < deaths->count; i++) {
        const struct st_death *death = &deaths->list[i];
        bool is_confirmed = false;
        for (size_t k = 0; k < death->rank_count; k++) {
            is_confirmed |= looks->ranks[death->ranks[k]].is_confirmed;
        }
        if (!is_confirmed || was_told(looks, death)) {
            continue;
        }
        for (size_t k = 0; k < death->rank_count; k++) {
            looks->ranks[death->ranks[k]].told = looks->ranks[death->ranks[k]].identity;
            ranks[count++] = death->ranks[k];
        }
        groups[hangs->verdict_count] =
            group_of(looks, death->ranks, death->rank_count, death->behind, death->behind_count);
        add_verdict(hangs, death->ranks[0], true,
                    told_death(looks, states, death, hangs->synchronous));
    }
    if (count != 0) {
        hangs->attach = told_attach(looks, ranks, count);
        hangs->stacks = job_stacks_start(groups, hangs->verdict_count);
    }
    for (size_t i = 0; i < hangs->verdict_count; i++) {
        free(groups[i].ranks);
    }
    free(groups);
    free(ranks);
}

/* Reports the deaths that were there at the previous look already, with the ranks that have joined
 * them since. */
static void judge_hangs(struct hangs *hangs, const struct findings *findings, int64_t now)
{
    struct st_deaths deaths;
    struct st_wait_rank *states = find_deaths(hangs, hangs->timeout, &deaths);
    if (states == NULL) {
        return;
    }
    bool due = suspect_deaths(hangs->looks, &deaths);
    if (deaths.count == 0) {
        prepare_no_progress(hangs, findings, states, now);
    }
    st_deaths_free(&deaths);
    free(states);
    if (!due) {
        return;
    }
    states = find_deaths(hangs, SHORT_WAIT, &deaths);
    if (states == NULL) {
        return;
    }
    prepare_deaths(hangs, states, &deaths);
    st_deaths_free(&deaths);
    free(states);
}

/* Adds the findings, with the stacks that could be read. Returns true if ranks can never go on. */
static bool tell_verdicts(struct hangs *hangs, struct findings *findings)
{
    json_t *taken = hangs->stacks != NULL ? job_stacks_end(hangs->stacks) : NULL;
    hangs->stacks = NULL;
    hangs->told_hang = false;
    for (size_t i = 0; i < hangs->verdict_count; i++) {
        struct verdict *verdict = &hangs->verdicts[i];
        told_add_stacks(verdict->record, json_array_get(taken, i));
        hangs->told_hang |= verdict->is_hang;
        tell_hang(hangs, findings, verdict->rank, verdict->record);
    }
    json_decref(taken);
    hangs->verdict_count = 0;
    return hangs->told_hang;
}

bool hangs_step(struct hangs *hangs, struct findings *findings, int64_t now)
{
    if (hangs->verdict_count == 0 && now >= hangs->due) {
        hangs->due = now + MILLISECONDS_TO_LOOK;
        looks_take(hangs->looks, findings, now);
        if (hangs->timeout != 0 && looks_is_due(hangs->looks, hangs->timeout, now)) {
            judge_hangs(hangs, findings, now);
        }
    }
    if (hangs->verdict_count == 0 ||
        (hangs->stacks != NULL && !job_stacks_are_done(hangs->stacks, now))) {
        return false;
    }
    return tell_verdicts(hangs, findings);
}

void hangs_finish(struct hangs *hangs, struct findings *findings)
{
    if (hangs->verdict_count != 0) {
        tell_verdicts(hangs, findings);
    }
}

int hangs_file(const struct hangs *hangs)
{
    return hangs->stacks != NULL ? job_stacks_file(hangs->stacks) : -1;
}

const struct words *hangs_attach(const struct hangs *hangs)
{
    return &hangs->attach;
}

/* --- state of the ranks -------------------------------------------------------------------- */

struct state_line {
    char *text;
    size_t world;
    struct report ranks;
    int64_t seconds; /* the longest time of its ranks; -1: not known */
};

static void add_state(struct state_line *lines, size_t *count, const struct looked *rank,
                      size_t world, char *text, int64_t seconds)
{
    size_t at = 0;
    while (at < *count && (lines[at].world != world || strcmp(lines[at].text, text) != 0)) {
        at++;
    }
    if (at == *count) {
        lines[(*count)++] = (struct state_line){.text = text, .world = world, .seconds = seconds};
    }
    lines[at].seconds = seconds > lines[at].seconds ? seconds : lines[at].seconds;
    report_add_rank(&lines[at].ranks, rank->process->rank);
}

static char *join_lines(const struct state_line *lines, size_t count)
{
    char *text = text_of("%s", "");
    for (size_t i = 0; i < count; i++) {
        char *who = text_of("%s %s", lines[i].ranks.rank_count == 1 ? "rank" : "ranks",
                            report_ranks(&lines[i].ranks));
        if (lines[i].world > 1) {
            who = text_of("%s of world %zu", who, lines[i].world);
        }
        char *since = lines[i].seconds >= 0 ? text_of("   for %lld s", (long long)lines[i].seconds)
                                            : text_of("%s", "");
        text = text_of("%s  %-9s %s%s\n", text, who, text_visible(lines[i].text), since);
    }
    return text;
}

char *hangs_snapshot(struct hangs *hangs, const struct findings *findings, int64_t now)
{
    looks_take(hangs->looks, findings, now);
    looks_read(hangs->looks, 0);
    struct state_line *lines = zeroed(hangs->looks->count, sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; i < hangs->looks->count; i++) {
        struct looked *rank = &hangs->looks->ranks[i];
        add_state(lines, &count, rank, looks_world(hangs->looks, rank), told_state(rank),
                  rank->counted / 1000);
    }
    char *text =
        text_of("mpipp: what %zu %s in now\n%s", hangs->looks->count,
                hangs->looks->count == 1 ? "rank is" : "ranks are", join_lines(lines, count));
    free(lines);
    return text;
}

json_t *hangs_ranks(struct hangs *hangs, const struct findings *findings, int64_t now)
{
    far_describe(now);
    if (!far_are_described(now)) {
        return NULL;
    }
    looks_take(hangs->looks, findings, now);
    return whole_ranks(hangs->looks);
}

json_t *hangs_deadlocks(struct hangs *hangs, const struct findings *findings, int64_t now)
{
    struct st_deaths deaths;
    looks_take(hangs->looks, findings, now);
    hangs->looks->with_stopped = true;
    struct st_wait_rank *states = find_deaths(hangs, 0, &deaths);
    hangs->looks->with_stopped = false;
    if (states == NULL) {
        return json_null();
    }
    json_t *answer = whole_deadlocks(hangs->looks, states, &deaths);
    st_deaths_free(&deaths);
    free(states);
    return answer;
}

struct job_stacks *hangs_stacks(const struct hangs *hangs)
{
    struct ranks_group group = {zeroed(hangs->looks->count + 1, sizeof *group.ranks), 0};
    for (size_t i = 0; i < hangs->looks->count; i++) {
        if (hangs->looks->ranks[i].state != LOOKED_ENDED) {
            group.ranks[group.count++] = &hangs->looks->ranks[i];
        }
    }
    struct job_stacks *stacks = group.count != 0 ? job_stacks_start(&group, 1) : NULL;
    free(group.ranks);
    return stacks;
}

char *hangs_last(struct hangs *hangs)
{
    struct state_line *lines = zeroed(hangs->looks->count, sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; i < hangs->looks->count; i++) {
        struct looked *rank = &hangs->looks->ranks[i];
        char *state = rank->process->ended ? NULL : told_last(rank);
        if (state != NULL) {
            add_state(lines, &count, rank, looks_world(hangs->looks, rank), state, -1);
        }
    }
    char *text = join_lines(lines, count);
    free(lines);
    return count != 0 ? text_of("mpipp: what they were in when they were looked at last\n%s", text)
                      : text;
}
