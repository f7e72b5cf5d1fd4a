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
    LOG2_SEEN = 16,
    MOST_QUESTIONS = 1024, /* at a time */
    LOG2_ENDED = 10,
    MOST_OF_PAIRS = 256, /* of them, of data from rank to rank */
    PAIRS_ASKED = 16,    /* of these, those that are asked at a time: the answers are long */
    TO_ASK = 50,         /* milliseconds: so long further ranks may come to the call first */
    TO_ASK_AGAIN = 1000, /* milliseconds, if some had not */
    PATIENCE = 8000      /* for the answers; an agent that is lost is known earlier */
};

/* What the first node has said of a call. */
struct seen {
    uint64_t comm, number, digest;
    uint32_t node;   /* + 1; 0: not used */
    bool is_asked;   /* nodes were asked for its data from rank to rank, or there was no room to */
    bool is_dropped; /* it was counted as not compared */
    bool is_told;    /* the difference was reported */
};

struct question {
    struct far_call call;
    uint32_t ticket; /* 0: not asked yet */
    int64_t due;     /* to be asked, then to be judged without the answers that are missing */
    size_t missing;
    bool is_second;  /* it was asked before, when some ranks had not come to the call */
    json_t *answers; /* an array of lists */
};

struct disagree {
    uint64_t ended
        [1
         << LOG2_ENDED]; /* communicators with a call of another function, by hash: the numbers of their
                                        other calls mean nothing */
    struct seen seen[1 << LOG2_SEEN];
    struct question questions[MOST_QUESTIONS];
    size_t question_count;
    uint32_t tickets;
    int64_t records;
    size_t pair_questions;  /* of them, those of data from rank to rank */
    size_t pairs_asked;     /* of these, those that are asked now */
    unsigned long unpaired; /* calls whose data from rank to rank was not compared */
    unsigned long dropped;  /* questions for which there was no room */
};

struct disagree *disagree_new(void)
{
    return zeroed(1, sizeof(struct disagree));
}

/* Returns false if there is no room. */
static bool add_question(struct disagree *disagree, const struct far_call *call, int64_t now)
{
    for (size_t i = 0; i < disagree->question_count; i++) {
        const struct far_call *other = &disagree->questions[i].call;
        if (other->comm == call->comm && other->number == call->number) {
            return true;
        }
    }
    const bool of_pairs = (call->flags & FAR_CALL_PAIRS) != 0;
    if (disagree->question_count == MOST_QUESTIONS ||
        (of_pairs && disagree->pair_questions == MOST_OF_PAIRS)) {
        return false;
    }
    disagree->pair_questions += of_pairs;
    disagree->questions[disagree->question_count++] =
        (struct question){.call = *call, .due = now + TO_ASK, .answers = json_array()};
    return true;
}

bool disagree_digest(const struct disagree *disagree, uint64_t comm, uint64_t number,
                     uint64_t *digest)
{
    const struct seen *seen = &disagree->seen[st_collective_place(comm, number, LOG2_SEEN)];
    *digest = seen->digest;
    return seen->node != 0 && seen->comm == comm && seen->number == number;
}

bool disagree_has_ended(const struct disagree *disagree, uint64_t comm)
{
    return disagree->ended[st_collective_place(comm, 0, LOG2_ENDED)] == comm;
}

bool disagree_take(struct disagree *disagree, uint32_t node, const struct far_call *call,
                   int64_t now)
{
    struct seen *seen = &disagree->seen[st_collective_place(call->comm, call->number, LOG2_SEEN)];
    if (seen->node == 0 || seen->comm != call->comm || seen->number != call->number) {
        *seen =
            (struct seen){call->comm, call->number, call->digest, node + 1, false, false, false};
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
    if (!add_question(disagree, call, now) && !seen->is_dropped) {
        seen->is_dropped = true;
        *(of_pairs ? &disagree->unpaired : &disagree->dropped) += 1;
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

size_t disagree_hurry(struct disagree *disagree)
{
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

/* Asks once more when the other ranks have had time to come. */
static void ask_later(struct question *question, int64_t now)
{
    json_array_clear(question->answers);
    question->ticket = 0;
    question->due = now + TO_ASK_AGAIN;
    question->is_second = true;
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
    struct seen *seen = &disagree->seen[st_collective_place(call->comm, call->number, LOG2_SEEN)];
    if (seen->comm == call->comm && seen->number == call->number) {
        seen->is_told = true;
    }
}

/* Compares the calls of all answers. */
static enum disagree_result judge_question(struct disagree *disagree, struct question *question,
                                           int64_t now, json_t **record)
{
    struct published_call *list = NULL;
    size_t count = 0, i;
    json_t *calls;
    bool is_told = disagree_has_ended(disagree, question->call.comm);
    json_array_foreach(question->answers, i, calls)
    {
        is_told |= calls_append(calls, &list, &count);
    }
    const char *found = "by mpipp, which compares the calls of the nodes";
    const int64_t number = FIRST_NUMBER + disagree->records;
    *record = is_told ? NULL : differing_record(list, count, number, found);
    if (question->call.flags & FAR_CALL_PAIRS && !is_told && *record == NULL) {
        *record = differing_pair_record(list, count, number, found);
        const bool is_whole = *record != NULL || differing_has_all_pairs(list, count);
        disagree->unpaired += !is_whole && question->is_second;
        if (!is_whole && !question->is_second) {
            ask_later(question, now);
        }
    }
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
        json_decref(question->answers);
        disagree->pair_questions -= (question->call.flags & FAR_CALL_PAIRS) != 0;
        *question = disagree->questions[--disagree->question_count];
        return result;
    }
    return DISAGREE_NOTHING;
}
