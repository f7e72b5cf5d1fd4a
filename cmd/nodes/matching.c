/* SPDX-License-Identifier: BSD-3-Clause */
#include "matching.h"

#include <stdlib.h>
#include <string.h>

#include "../words.h"
#include "core/model/hash.h"
#include "exchange.h"
#include "misfit.h"

/* Numbers of these records, different from those of the ranks, of watch/ and of disagree.c. */
#define FIRST_NUMBER (UINT64_C(1) << 43)

enum {
    QUIET = 100,        /* milliseconds without a change, before the messages are asked for */
    MOST_QUESTIONS = 8, /* at a time */
    PATIENCE = 3000,    /* for the answers */
    LOG2_TOLD = 14,     /* messages that were reported */
    MOST_GROUPS = 16    /* of misfits of a pair, by call sites */
};

/* The messages from one rank to another. */
struct pair {
    uint64_t world; /* 0: not used */
    int32_t from, to;
    uint64_t sent, sent_sum, got, got_sum;
    uint64_t base;     /* the difference of the sums that is explained */
    uint64_t compared; /* messages that were received and are compared, or counted as not */
    uint32_t asks, answered;
    uint32_t changed; /* milliseconds */
    bool is_queued, is_lost_asked;
};

struct question {
    struct pair *pair;
    uint32_t ticket; /* 0: not asked yet */
    int64_t due;
    json_t *received, *sent; /* the answers; NULL: not there yet */
};

struct matching {
    struct pair **table;
    size_t room, count;
    struct pair **queue;
    size_t queued, queue_room;
    struct question questions[MOST_QUESTIONS];
    size_t question_count;
    uint32_t tickets;
    uint64_t records, uncompared;
    uint64_t told[1 << LOG2_TOLD];
    json_t *found; /* an array of records */
    bool is_over;
};

struct matching *matching_new(void)
{
    struct matching *matching = zeroed(1, sizeof *matching);
    matching->found = json_array();
    return matching;
}

/* --- pairs ------------------------------------------------------------------------------------- */

static size_t place_of(const struct matching *matching, uint64_t world, int32_t from, int32_t to)
{
    const uint64_t ends = (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
    return (size_t)st_hash_word(world, ends) & (matching->room - 1);
}

static void put_pair(struct matching *matching, struct pair *pair)
{
    size_t at = place_of(matching, pair->world, pair->from, pair->to);
    while (matching->table[at] != NULL) {
        at = (at + 1) & (matching->room - 1);
    }
    matching->table[at] = pair;
}

static void grow_table(struct matching *matching)
{
    struct pair **old = matching->table;
    const size_t room = matching->room;
    matching->room = room != 0 ? 2 * room : 64;
    matching->table = zeroed(matching->room, sizeof(struct pair *));
    for (size_t i = 0; i < room; i++) {
        if (old[i] != NULL) {
            put_pair(matching, old[i]);
        }
    }
    free(old);
}

static struct pair *pair_of(struct matching *matching, uint64_t world, int32_t from, int32_t to)
{
    for (size_t at = matching->room != 0 ? place_of(matching, world, from, to) : 0;
         matching->room != 0 && matching->table[at] != NULL; at = (at + 1) & (matching->room - 1)) {
        struct pair *pair = matching->table[at];
        if (pair->world == world && pair->from == from && pair->to == to) {
            return pair;
        }
    }
    if (2 * ++matching->count > matching->room) {
        grow_table(matching);
    }
    struct pair *pair = zeroed(1, sizeof *pair);
    pair->world = world;
    pair->from = from;
    pair->to = to;
    put_pair(matching, pair);
    return pair;
}

static void queue_pair(struct matching *matching, struct pair *pair)
{
    if (pair->is_queued) {
        return;
    }
    if (matching->queued == matching->queue_room) {
        const size_t wider = matching->queue_room != 0 ? 2 * matching->queue_room : 64;
        struct pair **longer = realloc(matching->queue, wider * sizeof(struct pair *));
        if (longer == NULL) {
            return;
        }
        matching->queue = longer;
        matching->queue_room = wider;
    }
    pair->is_queued = true;
    matching->queue[matching->queued++] = pair;
}

void matching_take(struct matching *matching, const struct far_sums *sums, int64_t now)
{
    struct pair *out = pair_of(matching, sums->world, sums->rank, sums->peer),
                *in = pair_of(matching, sums->world, sums->peer, sums->rank);
    const struct st_remote_sums *more = &sums->sums;
    if (more->sent != out->sent) {
        out->sent = more->sent;
        out->sent_sum = more->sent_sum;
        out->changed = (uint32_t)now;
        queue_pair(matching, out);
    }
    if (more->got != in->got) {
        in->got = more->got;
        in->got_sum = more->got_sum;
        in->asks = more->asks;
        in->changed = (uint32_t)now;
        queue_pair(matching, in);
    }
}

/* --- questions --------------------------------------------------------------------------------- */

/* True if both have counted as many messages, and their sums are those of equal ones. */
static bool are_equal(const struct pair *pair)
{
    return pair->sent == pair->got && pair->sent_sum - pair->got_sum == pair->base;
}

static bool has_to_ask(const struct matching *matching, const struct pair *pair)
{
    return (pair->sent == pair->got && !are_equal(pair)) || pair->asks != pair->answered ||
           (matching->is_over && pair->sent > pair->got && !pair->is_lost_asked);
}

/* Passes over pairs of which nothing has to be asked. Returns the next one that has to be. */
static struct pair *next_pair(struct matching *matching, int64_t now)
{
    for (size_t i = 0; i < matching->queued;) {
        struct pair *pair = matching->queue[i];
        const bool asks = pair->asks != pair->answered;
        if (!matching->is_over && !asks && (uint32_t)now - pair->changed < QUIET) {
            i++;
            continue;
        }
        matching->queue[i] = matching->queue[--matching->queued];
        pair->is_queued = false;
        if (are_equal(pair)) {
            pair->compared = pair->got;
        }
        if (has_to_ask(matching, pair)) {
            return pair;
        }
    }
    return NULL;
}

bool matching_next(struct matching *matching, int64_t now, struct far_question *question,
                   uint32_t *ticket)
{
    struct question *open = NULL;
    for (size_t i = 0; i < matching->question_count && open == NULL; i++) {
        open = matching->questions[i].ticket == 0 ? &matching->questions[i] : NULL;
    }
    if (open == NULL && matching->question_count < MOST_QUESTIONS) {
        struct pair *pair = next_pair(matching, now);
        open = pair != NULL ? &matching->questions[matching->question_count++] : NULL;
        if (open != NULL) {
            *open = (struct question){.pair = pair};
        }
    }
    if (open == NULL) {
        return false;
    }
    open->ticket = *ticket = ++matching->tickets;
    open->due = now + PATIENCE;
    *question = (struct far_question){.world = open->pair->world,
                                      .from = open->pair->from,
                                      .to = open->pair->to,
                                      .of_sender = open->received != NULL};
    return true;
}

void matching_answer(struct matching *matching, uint32_t ticket, json_t *list)
{
    for (size_t i = 0; i < matching->question_count; i++) {
        struct question *question = &matching->questions[i];
        if (question->ticket != ticket || !json_is_object(list)) {
            continue;
        }
        if (question->received == NULL) {
            question->received = json_incref(list);
            question->ticket = 0; /* now the sender */
        } else if (question->sent == NULL) {
            question->sent = json_incref(list);
        }
    }
    json_decref(list);
}

/* --- compared ---------------------------------------------------------------------------------- */

struct comparison {
    struct matching *matching;
    struct pair *pair;
    struct exchanged sender, receiver;
    struct misfit groups[MOST_GROUPS];
    size_t group_count;
    size_t known; /* received messages whose sends are known */
};

static int by_name(const void *a, const void *b)
{
    const struct st_message *x = a, *y = b;
    const uint64_t one = st_message_number(x->number), other = st_message_number(y->number);
    if (x->channel != y->channel) {
        return x->channel < y->channel ? -1 : 1;
    }
    return (one > other) - (one < other);
}

static int by_received_name(const void *a, const void *b)
{
    return by_name(&((const struct st_remote_message *)a)->as,
                   &((const struct st_remote_message *)b)->as);
}

/* Returns false if the message was reported before. */
static bool tell_once(struct matching *matching, const struct st_message *message)
{
    const uint64_t name = st_hash_word(message->channel, message->number) | 1;
    uint64_t *told = &matching->told[name >> (64 - LOG2_TOLD)];
    if (*told == name) {
        return false;
    }
    *told = name;
    return true;
}

static bool are_same_calls(const struct misfit *one, const struct misfit *other)
{
    const struct st_message *x = one->sent, *y = other->sent;
    const bool receives = one->received != NULL && other->received != NULL;
    return one->check == other->check &&
           (x == NULL || y == NULL
                ? x == y
                : x->place == y->place && x->tag == y->tag && x->called == y->called) &&
           (receives ? one->received->as.place == other->received->as.place
                     : one->received == other->received);
}

static void add_misfit(struct comparison *comparison, enum st_check check,
                       const struct st_message *sent, const struct st_remote_message *received)
{
    struct misfit misfit = {.check = check,
                            .is_handled = received != NULL && received->flags & ST_REMOTE_HANDLED,
                            .sender = &comparison->sender,
                            .receiver = &comparison->receiver,
                            .sent = sent,
                            .received = received,
                            .from = comparison->pair->from,
                            .to = comparison->pair->to,
                            .times = 1};
    for (size_t i = 0; i < comparison->group_count; i++) {
        if (are_same_calls(&comparison->groups[i], &misfit)) {
            comparison->groups[i].times++;
            return;
        }
    }
    if (comparison->group_count < MOST_GROUPS) {
        comparison->groups[comparison->group_count++] = misfit;
    }
}

static void compare_one(struct comparison *comparison, const struct st_remote_message *received)
{
    const struct exchanged *sender = &comparison->sender;
    const struct st_message *sent =
        sender->count != 0
            ? bsearch(&received->as, sender->sent, sender->count, sizeof *sender->sent, by_name)
            : NULL;
    comparison->known += sent != NULL;
    if (sent == NULL) {
        if (received->flags & ST_REMOTE_CUT && tell_once(comparison->matching, &received->as)) {
            add_misfit(comparison, ST_MATCH_TRUNCATION, NULL, received);
        }
        return;
    }
    const enum st_remote_match match = st_remote_compare(sent, received);
    if (match == ST_REMOTE_MATCHES || match == ST_REMOTE_OTHER ||
        !tell_once(comparison->matching, &received->as)) {
        return;
    }
    add_misfit(comparison,
               match == ST_REMOTE_OTHER_TYPE    ? ST_MATCH_TYPE
               : match == ST_REMOTE_TOO_LONG    ? ST_MATCH_TRUNCATION
               : match == ST_REMOTE_ENDS_INSIDE ? ST_MATCH_PARTIAL
                                                : ST_MATCH_ASSERT,
               sent, received);
}

/* --- lost messages ----------------------------------------------------------------------------- */

static bool was_received(const struct comparison *comparison, const struct st_message *sent)
{
    const struct st_remote_message name = {
        .as = {.channel = sent->channel, .number = st_message_number(sent->number)}};
    const struct exchanged *receiver = &comparison->receiver;
    return receiver->count != 0 && bsearch(&name, receiver->received, receiver->count, sizeof name,
                                           by_received_name) != NULL;
}

/* As many as were not received, if it is known which. */
static void find_lost(struct comparison *comparison)
{
    const struct exchanged *sender = &comparison->sender, *receiver = &comparison->receiver;
    const uint64_t lost = sender->sums.sent - receiver->sums.got;
    uint64_t open = 0;
    if (sender->is_unsure || receiver->is_unsure || receiver->state != ST_REMOTE_ENDED ||
        sender->sums.sent <= receiver->sums.got) {
        return;
    }
    for (size_t i = 0; i < sender->count; i++) {
        open += !was_received(comparison, &sender->sent[i]);
    }
    /* Of more the receiver has forgotten some. */
    for (size_t i = 0; i < sender->count && open <= lost; i++) {
        if (!was_received(comparison, &sender->sent[i])) {
            add_misfit(comparison, ST_MATCH_LOST, &sender->sent[i], NULL);
        }
    }
    if (comparison->group_count == 1 && open < lost) {
        comparison->groups[0].times = lost;
    }
}

/* --- results ----------------------------------------------------------------------------------- */

/* As many messages are on both sides: what differs in their sums is explained, or cannot be. */
static void settle_sums(struct comparison *comparison)
{
    struct pair *pair = comparison->pair;
    const struct st_remote_sums *sent = &comparison->sender.sums,
                                *received = &comparison->receiver.sums;
    const bool is_sure = !comparison->sender.is_unsure && !comparison->receiver.is_unsure &&
                         sent->vague == 0 && received->vague == 0;
    const uint64_t open = received->got - pair->compared;
    if (sent->sent_sum - received->got_sum != pair->base && comparison->group_count == 0) {
        if (is_sure && comparison->known < received->got) {
            add_misfit(comparison, ST_MATCH_TYPE, NULL, NULL);
            comparison->groups[0].times = open;
        } else if (open > comparison->known) {
            comparison->matching->uncompared += open - comparison->known;
        }
    }
    pair->base = sent->sent_sum - received->got_sum;
    pair->compared = received->got;
}

static void compare_lists(struct comparison *comparison)
{
    struct exchanged *sender = &comparison->sender, *receiver = &comparison->receiver;
    struct pair *pair = comparison->pair;
    pair->answered = receiver->sums.asks;
    const char *node = json_string_value(json_object_get(sender->json, "node"));
    const char *other = json_string_value(json_object_get(receiver->json, "node"));
    pair->is_lost_asked = comparison->matching->is_over;
    if (node == NULL || other == NULL || strcmp(node, other) == 0) {
        return;
    }
    if (sender->count != 0) {
        qsort(sender->sent, sender->count, sizeof *sender->sent, by_name);
    }
    if (receiver->count != 0) {
        qsort(receiver->received, receiver->count, sizeof *receiver->received, by_received_name);
    }
    for (size_t i = 0; i < receiver->count; i++) {
        compare_one(comparison, &receiver->received[i]);
    }
    if (sender->sums.sent == receiver->sums.got) {
        settle_sums(comparison);
    } else if (comparison->matching->is_over) {
        find_lost(comparison);
        if (comparison->known > pair->compared && comparison->known <= pair->got) {
            pair->compared = comparison->known;
        }
    }
}

static void judge_question(struct matching *matching, struct question *question)
{
    struct comparison *comparison = zeroed(1, sizeof *comparison);
    comparison->matching = matching;
    comparison->pair = question->pair;
    const bool is_read = exchange_read(question->sent, true, &comparison->sender),
               is_received = exchange_read(question->received, false, &comparison->receiver);
    if (is_read && is_received) {
        compare_lists(comparison);
    }
    for (size_t i = 0; i < comparison->group_count; i++) {
        comparison->groups[i].number = FIRST_NUMBER + matching->records++;
        json_array_append_new(matching->found, misfit_record(&comparison->groups[i]));
    }
    exchange_free(&comparison->sender);
    exchange_free(&comparison->receiver);
    free(comparison);
}

json_t *matching_record(struct matching *matching, int64_t now)
{
    for (size_t i = 0; i < matching->question_count;) {
        struct question *question = &matching->questions[i];
        const bool is_late = question->ticket != 0 && now >= question->due;
        if (question->sent == NULL && !is_late) {
            i++;
            continue;
        }
        if (question->sent != NULL) {
            judge_question(matching, question);
        }
        question->pair->answered = question->pair->asks;
        question->pair->is_lost_asked |= matching->is_over;
        json_decref(question->sent);
        json_decref(question->received);
        *question = matching->questions[--matching->question_count];
    }
    json_t *record = json_array_get(matching->found, 0);
    if (record != NULL) {
        json_incref(record);
        json_array_remove(matching->found, 0);
    }
    return record;
}

/* --- the end ----------------------------------------------------------------------------------- */

bool matching_hurry(struct matching *matching)
{
    if (!matching->is_over) {
        matching->is_over = true;
        for (size_t i = 0; i < matching->room; i++) {
            if (matching->table[i] != NULL) {
                queue_pair(matching, matching->table[i]);
            }
        }
    }
    return matching->queued != 0 || matching->question_count != 0;
}

uint64_t matching_uncompared(const struct matching *matching)
{
    uint64_t count = matching->uncompared;
    for (size_t i = 0; i < matching->room; i++) {
        const struct pair *pair = matching->table[i];
        count += pair != NULL && !are_equal(pair) ? pair->got - pair->compared : 0;
    }
    return count;
}
