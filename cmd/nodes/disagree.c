/* SPDX-License-Identifier: BSD-3-Clause */
#include "disagree.h"

#include <stdlib.h>

#include "../words.h"
#include "calls.h"
#include "core/agree/collective.h"

/* Numbers of these records, different from those of the ranks and of watch/. */
#define FIRST_NUMBER (INT64_C(1) << 42)

enum {
    LOG2_SEEN = 16,
    MOST_QUESTIONS = 1024, /* at a time */
    TO_ASK = 50,           /* milliseconds: so long further ranks may come to the call first */
    PATIENCE = 3000        /* for the answers */
};

/* What the first node has said of a call. */
struct seen {
    uint64_t comm, number, digest;
    uint32_t node;    /* + 1; 0: not used */
    bool is_unpaired; /* has been counted so */
};

struct question {
    struct far_call call;
    uint32_t ticket; /* 0: not asked yet */
    int64_t due;     /* to be asked, then to be judged without the answers that are missing */
    size_t missing;
    json_t *answers; /* an array of lists */
};

struct disagree {
    struct seen seen[1 << LOG2_SEEN];
    struct question questions[MOST_QUESTIONS];
    size_t question_count;
    uint32_t tickets;
    int64_t records;
    unsigned long unpaired;
    unsigned long dropped; /* questions for which there was no room */
};

struct disagree *disagree_new(void)
{
    return zeroed(1, sizeof(struct disagree));
}

static void add_question(struct disagree *disagree, const struct far_call *call, int64_t now)
{
    for (size_t i = 0; i < disagree->question_count; i++) {
        const struct far_call *other = &disagree->questions[i].call;
        if (other->comm == call->comm && other->number == call->number) {
            return;
        }
    }
    if (disagree->question_count == MOST_QUESTIONS) {
        disagree->dropped++;
    } else {
        disagree->questions[disagree->question_count++] =
            (struct question){.call = *call, .due = now + TO_ASK, .answers = json_array()};
    }
}

void disagree_take(struct disagree *disagree, uint32_t node, const struct far_call *call,
                   int64_t now)
{
    struct seen *seen = &disagree->seen[st_collective_place(call->comm, call->number, LOG2_SEEN)];
    if (seen->node == 0 || seen->comm != call->comm || seen->number != call->number) {
        *seen = (struct seen){call->comm, call->number, call->digest, node + 1, false};
        return;
    }
    if (seen->node != node + 1 && call->flags & FAR_CALL_PAIRS && !seen->is_unpaired) {
        seen->is_unpaired = true;
        disagree->unpaired++;
    }
    if (seen->node != node + 1 && (seen->digest != call->digest || call->flags & FAR_CALL_ASK)) {
        add_question(disagree, call, now);
    }
}

bool disagree_next(struct disagree *disagree, int64_t now, size_t answers, struct far_call *call,
                   uint32_t *ticket)
{
    for (size_t i = 0; i < disagree->question_count; i++) {
        struct question *question = &disagree->questions[i];
        if (question->ticket == 0 && now >= question->due) {
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

bool disagree_hurry(struct disagree *disagree)
{
    for (size_t i = 0; i < disagree->question_count; i++) {
        if (disagree->questions[i].ticket == 0) {
            disagree->questions[i].due = 0;
        }
    }
    return disagree->question_count != 0;
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

/* Compares the calls of all answers. */
static enum disagree_result judge_question(struct disagree *disagree,
                                           const struct question *question, json_t **record)
{
    struct published_call *list = NULL;
    size_t count = 0, i;
    json_t *calls;
    bool is_told = false;
    json_array_foreach(question->answers, i, calls)
    {
        is_told |= calls_append(calls, &list, &count);
    }
    *record = is_told || count == 0
                  ? NULL
                  : differing_record(list, count, FIRST_NUMBER + disagree->records,
                                     "by mpipp, which compares the calls of the nodes");
    disagree->records += *record != NULL;
    free(list);
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
        const enum disagree_result result = judge_question(disagree, question, record);
        json_decref(question->answers);
        *question = disagree->questions[--disagree->question_count];
        return result;
    }
    return DISAGREE_NOTHING;
}
