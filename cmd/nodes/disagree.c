/* SPDX-License-Identifier: BSD-3-Clause */
#include "disagree.h"

#include <stdlib.h>
#include <string.h>

#include "../words.h"
#include "calls.h"
#include "core/agree/collective.h"

/* Numbers of these records, different from those of the ranks and of watch/. */
#define FIRST_NUMBER (INT64_C(1) << 42)

enum {
    LOG2_SEEN = 15,        /* sets of calls */
    WAYS = 4,              /* calls of a set: the oldest one makes room */
    MOST_QUESTIONS = 1024, /* at a time */
    LOG2_ENDED = 10,
    MOST_OF_PAIRS = 256, /* of them, of data from rank to rank */
    PAIRS_ASKED = 16,    /* of these, those that are asked at a time: the answers are long */
    TO_COME = 20,        /* milliseconds for the ranks of nodes that have not come to a call yet */
    /* The same, for data from rank to rank: the first time, each time four times as long, and at most. */
    PAIRS_TO_COME = 200,
    MOST_TO_COME = 12800,
    TO_TELL = 1000,   /* for a rank that has come to tell a difference between calls of its node */
    PATIENCE = 60000, /* for the answers; of an agent that is lost nothing is waited for */
    LAST_PATIENCE = 2000 /* for those of the others then */
};

/* What the first node has said of a call. */
struct seen {
    uint64_t comm, number, digest;
    uint32_t node;   /* + 1; 0: not used */
    bool is_asked;   /* nodes were asked for its data from rank to rank, or there was no room to */
    bool is_dropped; /* it was counted as not compared */
    bool is_told;    /* the difference was reported */
};

struct seen_set {
    struct seen calls[WAYS];
    unsigned next; /* the oldest */
};

struct question {
    struct far_call call;
    uint32_t ticket; /* 0: not asked yet */
    int64_t due;     /* to be asked, then to be judged without the answers that are missing */
    size_t missing;
    unsigned asked;  /* how often; some ranks had not come to the call */
    bool is_last;    /* it is not asked again: all ranks have ended */
    int64_t untold;  /* since when some node has had a difference among its own ranks; 0: none */
    json_t *answers; /* an array of lists */
};

struct disagree {
    uint64_t ended
        [1
         << LOG2_ENDED]; /* communicators with a call of another function, by hash: the numbers of their
                                        other calls mean nothing */
    struct seen_set seen[1 << LOG2_SEEN];
    struct question questions[MOST_QUESTIONS];
    size_t question_count;
    uint32_t tickets;
    int64_t records;
    size_t pair_questions;  /* of them, those of data from rank to rank */
    size_t pairs_asked;     /* of these, those that are asked now */
    unsigned long unpaired; /* calls whose data from rank to rank was not compared */
    unsigned long dropped;  /* questions for which there was no room, and calls that are gone */
    bool is_hurried;        /* all ranks have ended */
};

struct disagree *disagree_new(void)
{
    struct disagree *disagree = zeroed(1, sizeof *disagree);
    /* The kernel gives its memory now. Later it would interrupt the comparison for each page twice, to read and to write. */
    for (size_t i = 0; i < sizeof disagree->seen / sizeof *disagree->seen; i++) {
        *(volatile unsigned *)&disagree->seen[i].next = 0;
    }
    return disagree;
}

static uint32_t set_of(uint64_t comm, uint64_t number)
{
    return st_collective_place(comm, number, LOG2_SEEN);
}

/* Returns the place of a call in its set; WAYS if nobody has said anything of it, or that was long ago. */
static unsigned way_of(const struct seen_set *set, uint64_t comm, uint64_t number)
{
    unsigned way = 0;
    while (way < WAYS && !(set->calls[way].node != 0 && set->calls[way].number == number &&
                           set->calls[way].comm == comm)) {
        way++;
    }
    return way;
}

/* Returns what was said of a call; NULL if that is nothing. */
static struct seen *find_seen(struct disagree *disagree, uint64_t comm, uint64_t number)
{
    struct seen_set *set = &disagree->seen[set_of(comm, number)];
    const unsigned way = way_of(set, comm, number);
    return way < WAYS ? &set->calls[way] : NULL;
}

static void add_seen(struct disagree *disagree, uint32_t node, const struct far_call *call)
{
    struct seen_set *set = &disagree->seen[set_of(call->comm, call->number)];
    set->calls[set->next++ % WAYS] =
        (struct seen){call->comm, call->number, call->digest, node + 1, false, false, false};
}

static void remove_question(struct disagree *disagree, struct question *question)
{
    json_decref(question->answers);
    disagree->pair_questions -= (question->call.flags & FAR_CALL_PAIRS) != 0;
    *question = disagree->questions[--disagree->question_count];
}

/* A question of data from rank to rank that waits for ranks makes room for another one. Returns false if none waits. */
static bool displace_question(struct disagree *disagree)
{
    for (size_t i = 0; i < disagree->question_count; i++) {
        struct question *question = &disagree->questions[i];
        if (question->call.flags & FAR_CALL_PAIRS && question->asked != 0 &&
            question->ticket == 0) {
            remove_question(disagree, question);
            disagree->unpaired++;
            return true;
        }
    }
    return false;
}

/* Returns false if there is no room. */
static bool add_question(struct disagree *disagree, const struct far_call *call, int64_t due)
{
    for (size_t i = 0; i < disagree->question_count; i++) {
        const struct far_call *other = &disagree->questions[i].call;
        if (other->comm == call->comm && other->number == call->number) {
            return true;
        }
    }
    const bool of_pairs = (call->flags & FAR_CALL_PAIRS) != 0;
    if ((disagree->question_count == MOST_QUESTIONS ||
         (of_pairs && disagree->pair_questions == MOST_OF_PAIRS)) &&
        !displace_question(disagree)) {
        return false;
    }
    disagree->pair_questions += of_pairs;
    disagree->questions[disagree->question_count++] =
        (struct question){.call = *call, .due = due, .answers = json_array()};
    return true;
}

bool disagree_digest(const struct disagree *disagree, uint64_t comm, uint64_t number,
                     uint64_t *digest)
{
    const struct seen_set *set = &disagree->seen[set_of(comm, number)];
    const unsigned way = way_of(set, comm, number);
    *digest = way < WAYS ? set->calls[way].digest : 0;
    return way < WAYS;
}

bool disagree_has_ended(const struct disagree *disagree, uint64_t comm)
{
    return disagree->ended[st_collective_place(comm, 0, LOG2_ENDED)] == comm;
}

bool disagree_take(struct disagree *disagree, uint32_t node, const struct far_call *call,
                   int64_t due)
{
    struct seen *seen = find_seen(disagree, call->comm, call->number);
    if (seen == NULL) {
        add_seen(disagree, node, call);
        return true;
    }
    const bool differs = seen->digest != call->digest;
    const bool of_pairs = (call->flags & FAR_CALL_PAIRS) != 0;
    /* The question of data from rank to rank is repeated by itself until all ranks have come. */
    if (seen->is_told || seen->node == node + 1 || !(differs || call->flags & FAR_CALL_ASK) ||
        (of_pairs && !differs && seen->is_asked)) {
        return false;
    }
    seen->is_asked = true;
    if (!add_question(disagree, call, due) && !seen->is_dropped) {
        seen->is_dropped = true;
        *(of_pairs ? &disagree->unpaired : &disagree->dropped) += 1;
    }
    return false;
}

bool disagree_is_busy(const struct disagree *disagree, int64_t now)
{
    for (size_t i = 0; i < disagree->question_count; i++) {
        const struct question *question = &disagree->questions[i];
        if (question->ticket != 0 || question->due <= now + TO_COME) {
            return true;
        }
    }
    return false;
}

size_t disagree_open(const struct disagree *disagree)
{
    return disagree->question_count;
}

bool disagree_next(struct disagree *disagree, int64_t now, size_t answers, struct far_call *call,
                   uint32_t *ticket)
{
    for (size_t i = 0; i < disagree->question_count; i++) {
        struct question *question = &disagree->questions[i];
        const bool of_pairs = (question->call.flags & FAR_CALL_PAIRS) != 0;
        if (question->ticket == 0 && now >= question->due &&
            !(of_pairs && disagree->pairs_asked == PAIRS_ASKED)) {
            disagree->pairs_asked += of_pairs;
            question->ticket = ++disagree->tickets;
            question->asked++;
            question->is_last = disagree->is_hurried;
            question->due = now + PATIENCE;
            question->missing = answers;
            *call = question->call;
            *ticket = question->ticket;
            return true;
        }
    }
    return false;
}

unsigned long disagree_unpaired(const struct disagree *disagree)
{
    return disagree->unpaired;
}

unsigned long disagree_dropped(const struct disagree *disagree)
{
    return disagree->dropped;
}

void disagree_lose(struct disagree *disagree, int64_t now)
{
    for (size_t i = 0; i < disagree->question_count; i++) {
        struct question *question = &disagree->questions[i];
        if (question->ticket != 0 && question->due > now + LAST_PATIENCE) {
            question->due = now + LAST_PATIENCE;
        }
    }
}

size_t disagree_hurry(struct disagree *disagree)
{
    disagree->is_hurried = true;
    for (size_t i = 0; i < disagree->question_count; i++) {
        if (disagree->questions[i].ticket == 0) {
            disagree->questions[i].due = 0;
        }
    }
    return disagree->question_count;
}

void disagree_give_up(struct disagree *disagree)
{
    for (size_t i = 0; i < disagree->question_count; i++) {
        const bool of_pairs = (disagree->questions[i].call.flags & FAR_CALL_PAIRS) != 0;
        *(of_pairs ? &disagree->unpaired : &disagree->dropped) += 1;
        json_decref(disagree->questions[i].answers);
    }
    disagree->question_count = 0;
}

void disagree_answer(struct disagree *disagree, uint32_t ticket, json_t *calls)
{
    for (size_t i = 0; i < disagree->question_count; i++) {
        struct question *question = &disagree->questions[i];
        if (question->ticket == ticket && question->missing != 0) {
            question->missing--;
            json_array_append(question->answers, calls);
        }
    }
    json_decref(calls);
}

/* Asks once more when the ranks have had so much time. */
static void ask_later(struct question *question, int64_t now, int wait)
{
    json_array_clear(question->answers);
    question->ticket = 0;
    question->due = now + wait;
}

/* Milliseconds until data from rank to rank is asked for again. */
static int pairs_to_come(const struct question *question)
{
    int wait = PAIRS_TO_COME;
    for (unsigned i = 1; i < question->asked && wait < MOST_TO_COME; i++) {
        wait *= 4;
    }
    return wait;
}

/* Returns how many nodes have answered with the calls of their ranks. */
static size_t nodes_with_calls(const struct question *question)
{
    size_t i, count = 0;
    json_t *calls;
    json_array_foreach(question->answers, i, calls)
    {
        count += json_array_size(calls) != 0;
    }
    return count;
}

/* True if no rank of some node has come to the call. */
static bool lacks_nodes(const struct question *question)
{
    return nodes_with_calls(question) < json_array_size(question->answers);
}

/* Compares nothing more of the communicator if a function differs. */
static void mark_ended(struct disagree *disagree, uint64_t comm, const json_t *record)
{
    const char *id = json_string_value(json_object_get(record, "id"));
    if (id != NULL && strcmp(id, "collective-call") == 0) {
        disagree->ended[st_collective_place(comm, 0, LOG2_ENDED)] = comm;
    }
}

/* Asks no more about a call. */
static void mark_told(struct disagree *disagree, const struct far_call *call)
{
    struct seen *seen = find_seen(disagree, call->comm, call->number);
    if (seen != NULL) {
        seen->is_told = true;
    }
}

static const char found[] = "by mpipp, which compares the calls of the nodes";

/* Returns what is wrong with these calls; NULL if that is nothing. */
static json_t *record_of(const struct published_call *list, size_t count, bool of_pairs,
                         int64_t number)
{
    json_t *record = differing_record(list, count, number, found);
    return record == NULL && of_pairs ? differing_pair_record(list, count, number, found) : record;
}

/* True if the calls of one node differ: the rank that came last is about to tell it. */
static bool is_within_node(const struct question *question)
{
    const bool of_pairs = (question->call.flags & FAR_CALL_PAIRS) != 0;
    bool is_within = false;
    size_t i;
    json_t *calls;
    json_array_foreach(question->answers, i, calls)
    {
        struct published_call *list = NULL;
        size_t count = 0;
        calls_append(calls, &list, &count);
        json_t *record = count > 1 && !is_within ? record_of(list, count, of_pairs, 0) : NULL;
        is_within |= record != NULL;
        json_decref(record);
        calls_free(list, count);
    }
    return is_within;
}

/* Returns true if the difference must be looked at again later: other nodes may come, or a rank may tell it. */
static bool waits_with(struct question *question, int64_t now)
{
    if (question->asked < 2 && lacks_nodes(question)) {
        ask_later(question, now, TO_COME);
        return true;
    }
    if (!is_within_node(question)) {
        return false;
    }
    question->untold = question->untold == 0 ? now : question->untold;
    if (now - question->untold >= TO_TELL) {
        return false;
    }
    ask_later(question, now, TO_COME);
    return true;
}

/* Data from rank to rank in which no difference was found: is asked for again if ranks have not come yet. */
static void wait_for_pairs(struct disagree *disagree, struct question *question,
                           const struct published_call *list, size_t count, int64_t now)
{
    const enum differing_pairs pairs = differing_known_pairs(list, count);
    if (pairs == DIFFERING_PAIRS_TO_COME && !question->is_last) {
        ask_later(question, now, pairs_to_come(question));
    } else if (pairs != DIFFERING_PAIRS_ALL) {
        disagree->unpaired++;
    }
}

/* Compares the calls of all answers. The question has no ticket afterwards if it is to be asked again. */
static enum disagree_result judge_question(struct disagree *disagree, struct question *question,
                                           int64_t now, json_t **record)
{
    const bool of_pairs = (question->call.flags & FAR_CALL_PAIRS) != 0;
    struct published_call *list = NULL;
    size_t count = 0, i;
    json_t *calls;
    bool is_told = disagree_has_ended(disagree, question->call.comm);
    json_array_foreach(question->answers, i, calls)
    {
        is_told |= calls_append(calls, &list, &count);
    }
    *record = is_told ? NULL : record_of(list, count, of_pairs, FIRST_NUMBER + disagree->records);
    if (*record != NULL && waits_with(question, now)) {
        json_decref(*record);
        *record = NULL;
    } else if (*record == NULL && !is_told && of_pairs) {
        wait_for_pairs(disagree, question, list, count, now);
    }
    /* Two nodes have told of the call: if one of them does not know it any more, later calls have taken its place. */
    disagree->dropped += *record == NULL && !is_told && question->ticket != 0 && !of_pairs &&
                         nodes_with_calls(question) < 2;
    disagree->records += *record != NULL;
    mark_ended(disagree, question->call.comm, *record);
    if (is_told || *record != NULL) {
        mark_told(disagree, &question->call);
    }
    calls_free(list, count);
    return is_told ? DISAGREE_TOLD : *record != NULL ? DISAGREE_DIFFERS : DISAGREE_AGREE;
}

enum disagree_result disagree_result(struct disagree *disagree, int64_t now, struct far_call *call,
                                     json_t **record)
{
    *record = NULL;
    for (size_t i = 0; i < disagree->question_count; i++) {
        struct question *question = &disagree->questions[i];
        if (question->ticket == 0 || (question->missing != 0 && now < question->due)) {
            continue;
        }
        *call = question->call;
        disagree->pairs_asked -= (question->call.flags & FAR_CALL_PAIRS) != 0;
        const enum disagree_result result = judge_question(disagree, question, now, record);
        if (question->ticket == 0) {
            return DISAGREE_AGREE; /* so far */
        }
        remove_question(disagree, question);
        return result;
    }
    return DISAGREE_NOTHING;
}
