/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/misfits.h"

#include <string.h>

#include "core/agree/message_advice.h"
#include "core/model/hash.h"
#include "report/writer.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/places.h"
#include "runtime/ranks/words.h"
#include "runtime/record/root.h"
#include "runtime/report/finding.h"

enum { MOST_ARGUMENTS = 4, TEXT = 4096, SENT = 1, TAKEN = 0, RIVAL = 2, CALLS = ST_CIRCLE_TOLD };
_Static_assert((int)CALLS > (int)RIVAL, "a receive, its message and the other one");

/* Too large for a stack; mapped for one report. */
struct st_misfit_text {
    struct st_other_call others[CALLS];
    struct st_argument arguments[CALLS][MOST_ARGUMENTS];
    int32_t ranks[CALLS];
    struct st_places places;
    struct st_texts texts;
    char bytes[TEXT];
};

/* --- words ---------------------------------------------------------------------------------- */

static const char *function_of(uint32_t number)
{
    return number < st_form_count ? st_form_table[number]->name : "a call";
}

static bool is_probe(const struct st_message_end *taker)
{
    return taker->function < st_form_count && !st_form_table[taker->function]->part_count;
}

static void put_data(struct st_writer *writer, const uint64_t *hash, int64_t length, int64_t bytes,
                     uint16_t flags)
{
    if (flags & ST_MESSAGE_SIGNED) {
        st_put_elements(writer, length, hash[0], flags & ST_MESSAGE_UNIFORM);
    } else if (flags & ST_MESSAGE_SIZED) {
        st_put_number(writer, bytes);
        st_put(writer, " bytes");
    } else {
        st_put(writer, "a message");
    }
}

static void put_sent(struct st_writer *writer, const struct st_message *sent)
{
    const uint64_t hash[2] = {sent->hash[0], sent->hash[1]};
    put_data(writer, hash, sent->length, sent->bytes, st_message_flags(sent));
}

static void put_space(struct st_writer *writer, const struct st_message_end *taker)
{
    const struct st_message_data *data = &taker->space.data;
    put_data(writer, data->hash, data->length, data->bytes, data->flags);
}

/* In this file, RANK is an index in the table of ranks. */
static const char *write_rank(struct st_misfit_text *told, uint32_t rank)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    st_put_rank(&writer, rank);
    return st_texts_end(&told->texts, &writer);
}

static void put_sender(struct st_writer *writer, uint32_t sender)
{
    if (sender == st_ranks_node.rank) {
        st_put(writer, "it");
    } else {
        st_put_rank(writer, sender);
    }
}

/* "receives elements of 12 bytes where rank 0 sends 4 x MPI_INT, 16 bytes: ..." */
static void put_partial(struct st_writer *writer, const struct st_misfit *misfit)
{
    st_put(writer, "receives elements of ");
    st_put_number(writer, misfit->taker.space.data.element);
    st_put(writer, " bytes where ");
    put_sender(writer, misfit->sender);
    st_put(writer, " sends ");
    put_sent(writer, &misfit->sent);
    st_put(writer, ", ");
    st_put_number(writer, misfit->sent.bytes);
    st_put(writer, " bytes: the last element is not complete");
}

/* Returns the rank that has made the collective call before. */
static uint32_t beyond_rank(const struct st_misfit *misfit)
{
    return misfit->beyond.is_senders ? misfit->sender : st_ranks_node.rank;
}

/* Returns false if the collective call is not known (any more). */
static bool find_beyond(const struct st_misfit *misfit, struct st_collective *call)
{
    const struct st_collective like = {.comm = misfit->taker.id, .number = misfit->beyond.number};
    return misfit->beyond.number &&
           st_node_find_call(beyond_rank(misfit), st_collective_key(like.comm, like.number), &like,
                             call);
}

/* "receives what rank 0 sends after MPI_Bcast, ..." */
static void put_beyond(struct st_writer *writer, const struct st_misfit *misfit)
{
    struct st_collective call;
    const char *name = find_beyond(misfit, &call) ? function_of(call.called) : "a collective call";
    const bool is_senders = misfit->beyond.is_senders;
    st_put(writer, is_senders ? "waits for what " : "receives after ");
    if (!is_senders) {
        st_put(writer, name);
        st_put(writer, " what ");
    }
    put_sender(writer, misfit->sender);
    st_put(writer, is_senders ? " sends after " : " sends before it");
    st_put(writer, is_senders ? name : "");
    st_put(writer, is_senders ? ", and calls that later: it may wait for all ranks"
                              : ": only MPI's buffers let that pass");
}

/* "receives 10 x MPI_INT where rank 0 sends 10 x MPI_FLOAT" */
static const char *write_message(struct st_misfit_text *told, const struct st_misfit *misfit)
{
    const uint32_t sender = misfit->sender;
    struct st_writer writer = st_texts_begin(&told->texts);
    if (misfit->check == ST_MATCH_LOST) {
        st_put(&writer, "never receives what ");
        put_sender(&writer, sender);
        st_put(&writer, " sends with tag ");
        st_put_number(&writer, misfit->sent.tag);
        if (misfit->times > 1) {
            st_put(&writer, ", ");
            st_put_number(&writer, (int64_t)misfit->times);
            st_put(&writer, " messages");
            if (misfit->or_more) {
                st_put(&writer, " or more");
            }
        }
        return st_texts_end(&told->texts, &writer);
    }
    if (misfit->circle && misfit->circle->count > 2) {
        st_put(&writer,
               "each send to the next before they receive: only MPI's buffers let that pass");
        return st_texts_end(&told->texts, &writer);
    }
    if (misfit->beyond.number) {
        put_beyond(&writer, misfit);
        return st_texts_end(&told->texts, &writer);
    }
    if (misfit->check == ST_DEADLOCK_POTENTIAL) {
        st_put(&writer,
               sender == st_ranks_node.rank && (!misfit->circle || misfit->circle->count == 1)
                   ? "sends to itself before it receives: only MPI's buffers let that pass"
                   : "send to each other before they receive: only MPI's buffers let that pass");
        return st_texts_end(&told->texts, &writer);
    }
    if (misfit->check == ST_MATCH_RACE) {
        st_put(&writer, is_probe(&misfit->taker) ? "finds from any source what "
                                                 : "receives from any source what ");
        put_sender(&writer, sender);
        st_put(&writer, " sends, or what ");
        put_sender(&writer, misfit->rival->sender);
        st_put(&writer, " sends: whichever comes first");
        return st_texts_end(&told->texts, &writer);
    }
    if (misfit->check == ST_MATCH_READY) {
        st_put(&writer, "receives by a call that ");
        put_sender(&writer, sender);
        st_put(&writer, " has not waited for, in ");
        st_put(&writer, function_of(st_message_function(&misfit->sent)));
        return st_texts_end(&told->texts, &writer);
    }
    if (misfit->check == ST_MATCH_PARTIAL) {
        put_partial(&writer, misfit);
        return st_texts_end(&told->texts, &writer);
    }
    const bool has_room = misfit->check == ST_MATCH_TRUNCATION || misfit->check == ST_MATCH_ASSERT;
    st_put(&writer, has_room ? "has room for " : "receives ");
    put_space(&writer, &misfit->taker);
    st_put(&writer, " where ");
    put_sender(&writer, sender);
    st_put(&writer, " sends ");
    put_sent(&writer, &misfit->sent);
    if (misfit->check == ST_MATCH_ASSERT) {
        st_put(&writer, ", although the communicator's info says mpi_assert_exact_length");
    }
    return st_texts_end(&told->texts, &writer);
}

/* --- the calls ------------------------------------------------------------------------------ */

struct st_misfit_side {
    struct st_misfit_text *told;
    struct st_argument *list; /* MOST_ARGUMENTS */
    size_t count;
};

static void add_argument(struct st_misfit_side *side, const char *name,
                         const struct st_writer *writer)
{
    if (side->count < MOST_ARGUMENTS) {
        side->list[side->count++] =
            (struct st_argument){name, st_texts_end(&side->told->texts, writer)};
    }
}

static void add_number(struct st_misfit_side *side, const char *name, int64_t number,
                       const char *any)
{
    struct st_writer writer = st_texts_begin(&side->told->texts);
    if (number == ST_NUMBERING_ANY) {
        st_put(&writer, any);
    } else {
        st_put_number(&writer, number);
    }
    add_argument(side, name, &writer);
}

static size_t write_taken(struct st_misfit_text *told, const struct st_message_end *taker)
{
    struct st_misfit_side side = {told, told->arguments[TAKEN], 0};
    struct st_writer writer = st_texts_begin(&told->texts);
    if (!is_probe(taker)) {
        put_space(&writer, taker);
        add_argument(&side, "data", &writer);
    }
    add_number(&side, taker->sends ? "dest" : "source", taker->peer, "MPI_ANY_SOURCE");
    add_number(&side, "tag", taker->tag, "MPI_ANY_TAG");
    if (taker->sends) {
        return side.count;
    }
    writer = st_texts_begin(&told->texts);
    st_put_comm(&writer, ST_KIND_COMM,
                taker->comm->serial == taker->serial ? taker->comm->handle : 0);
    add_argument(&side, "comm", &writer);
    return side.count;
}

static size_t write_sent(struct st_misfit_text *told, const struct st_message *sent, int32_t to,
                         size_t which)
{
    struct st_misfit_side side = {told, told->arguments[which], 0};
    struct st_writer writer = st_texts_begin(&told->texts);
    put_sent(&writer, sent);
    add_argument(&side, "data", &writer);
    add_number(&side, "dest", to, "");
    add_number(&side, "tag", sent->tag, "");
    return side.count;
}

static void add_taken(struct st_misfit_text *told, const struct st_misfit *misfit)
{
    told->ranks[TAKEN] = st_root.world_rank;
    told->others[TAKEN] = (struct st_other_call){
        .rank = st_root.world_rank,
        .label = write_rank(told, st_ranks_node.rank),
        .call = function_of(misfit->taker.function),
        .arguments = told->arguments[TAKEN],
        .argument_count = write_taken(told, &misfit->taker),
        .site = st_place_read(st_ranks_node.area, misfit->taker.place, &told->places),
    };
}

/* A message of rank `sender`, to rank `to` of its communicator, as call number WHICH. */
static void add_sent(struct st_misfit_text *told, uint32_t sender, const struct st_message *sent,
                     int32_t to, size_t which)
{
    told->ranks[which] = st_node_world_rank(sender);
    told->others[which] = (struct st_other_call){
        .rank = told->ranks[which],
        .label = write_rank(told, sender),
        .call = function_of(st_message_function(sent)),
        .arguments = told->arguments[which],
        .argument_count = write_sent(told, sent, to, which),
        .site = st_place_read(st_node_area(sender), sent->place * 8u, &told->places),
    };
}

/* The collective call. Returns how many calls it has added. */
static size_t add_beyond(struct st_misfit_text *told, const struct st_misfit *misfit)
{
    const uint32_t rank = beyond_rank(misfit);
    struct st_collective call;
    if (!find_beyond(misfit, &call)) {
        return 0;
    }
    told->ranks[RIVAL] = st_node_world_rank(rank);
    told->others[RIVAL] = (struct st_other_call){
        .rank = told->ranks[RIVAL],
        .label = write_rank(told, rank),
        .call = function_of(call.called),
        .site = st_place_read(st_node_area(rank), call.place, &told->places),
    };
    return 1;
}

/* Returns how many calls the report has; the first of them is told->others[TAKEN]. */
static size_t add_calls(struct st_misfit_text *told, const struct st_misfit *misfit)
{
    const struct st_send_circle *circle = misfit->circle;
    const size_t count = !circle                          ? 0
                         : circle->count < ST_CIRCLE_TOLD ? circle->count
                                                          : ST_CIRCLE_TOLD;
    const bool is_lost = misfit->check == ST_MATCH_LOST;
    for (size_t i = 0; i < count; i++) {
        add_sent(told, circle->list[i].sender, &circle->list[i].message, circle->list[i].message.to,
                 i);
    }
    if (count) {
        return count;
    }
    if (!is_lost) {
        add_taken(told, misfit);
    }
    add_sent(told, misfit->sender, &misfit->sent, is_lost ? misfit->sent.to : misfit->taker.own,
             SENT);
    if (misfit->beyond.number) {
        return SENT + 1 + add_beyond(told, misfit);
    }
    if (misfit->check != ST_MATCH_RACE) {
        return SENT + 1;
    }
    add_sent(told, misfit->rival->sender, &misfit->rival->message, misfit->taker.own, RIVAL);
    return RIVAL + 1;
}

/* --- the finding ---------------------------------------------------------------------------- */

/* Returns a number that distinguishes calls whose site is not that of the running one. */
static uint32_t name_of_sent(const struct st_misfit *misfit)
{
    const struct st_message *sent = &misfit->sent;
    uint64_t place = (uint64_t)misfit->sender << 16 | sent->place;
    if (misfit->circle) {
        return (uint32_t)(misfit->circle->name >> 40);
    }
    if (misfit->check == ST_DEADLOCK_POTENTIAL) {
        place |= (uint64_t)misfit->taker.place << 32;
    }
    return (uint32_t)(st_hash_word(place, (uint32_t)sent->tag) >> 40);
}

/* Sorts the two calls, and returns "ranks 0 and 1" in the same order. */
static const char *sort_both(struct st_misfit_text *told)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    if (told->others[0].rank > told->others[1].rank) {
        const struct st_other_call first = told->others[0];
        told->others[0] = told->others[1];
        told->others[1] = first;
    }
    if (told->others[0].rank == told->others[1].rank) {
        return told->others[0].label;
    }
    st_put(&writer, "ranks ");
    st_put_number(&writer, told->others[0].rank);
    st_put(&writer, " and ");
    st_put_number(&writer, told->others[1].rank);
    return st_texts_end(&told->texts, &writer);
}

/* Returns NULL if it is obvious. */
static const char *write_first(struct st_misfit_text *told, const struct st_misfit *misfit)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    const struct st_message *sent = &misfit->sent;
    const struct st_message_data *taken = &misfit->taker.space.data;
    if (misfit->check != ST_MATCH_TYPE) {
        return NULL;
    }
    const struct st_side_of_data sides[2] = {
        {st_ranks_node.rank, taken->hash, taken->length, taken->flags & ST_MESSAGE_UNIFORM,
         told->others[TAKEN].label},
        {misfit->sender, sent->hash, sent->length, st_message_flags(sent) & ST_MESSAGE_UNIFORM,
         told->others[SENT].label}};
    return st_put_first_difference(&writer, sides) ? st_texts_end(&told->texts, &writer) : NULL;
}

/* Removes those that are there already. Returns how many ranks the finding names. */
static size_t count_ranks(struct st_misfit_text *told, size_t calls)
{
    size_t count = 0;
    for (size_t i = 0; i < calls; i++) {
        size_t k = 0;
        while (k < count && told->ranks[k] != told->ranks[i]) {
            k++;
        }
        told->ranks[k] = told->ranks[i];
        count += k == count;
    }
    return count;
}

/* "ranks 0, 1 and 2" */
static const char *write_circle(struct st_misfit_text *told, const struct st_send_circle *circle)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    if (circle->count > ST_CIRCLE_TOLD) {
        st_put_number(&writer, (int64_t)circle->count);
        st_put(&writer, " ranks");
        return st_texts_end(&told->texts, &writer);
    }
    if (circle->count == 1) {
        return told->others[0].label;
    }
    st_put(&writer, "ranks ");
    for (size_t i = 0; i < circle->count; i++) {
        if (i) {
            st_put(&writer, i + 1 < circle->count ? ", " : " and ");
        }
        st_put_number(&writer, told->others[i].rank);
    }
    return st_texts_end(&told->texts, &writer);
}

/* Returns true if the report has sends alone. */
static bool is_both_sent(const struct st_misfit *misfit)
{
    return misfit->check == ST_DEADLOCK_POTENTIAL && !misfit->beyond.number;
}

static const char *write_subject(struct st_misfit_text *told, const struct st_misfit *misfit)
{
    if (misfit->circle) {
        return write_circle(told, misfit->circle);
    }
    return is_both_sent(misfit) ? sort_both(told) : write_rank(told, st_ranks_node.rank);
}

static void add_finding(struct st_misfit_text *told, struct st_facts *facts,
                        const struct st_misfit *misfit, size_t calls)
{
    const struct st_line_of_report line = {"first", write_first(told, misfit)};
    const size_t first = misfit->check == ST_MATCH_LOST ? SENT : TAKEN;
    const bool are_both_sent = is_both_sent(misfit);
    const struct st_between between = {
        .subject = write_subject(told, misfit),
        .others = told->others + first,
        .other_count = calls - first,
        .lines = &line,
        .line_count = line.text ? 1 : 0,
        .ranks = told->ranks,
        .rank_count = count_ranks(told, calls),
    };
    const struct st_found found = {
        .check = misfit->check,
        .severity = misfit->severity,
        .parameter = -1,
        .message = write_message(told, misfit),
        .advice = misfit->beyond.number
                      ? "make the two calls in the same order in both ranks; larger "
                        "messages, or another MPI, may hang"
                      : st_message_advice(misfit->check),
        .between = &between,
        .by_other = are_both_sent || first == SENT,
        .other_site = name_of_sent(misfit)};
    if (misfit->circle) {
        st_find_at(&found, function_of(st_message_function(&misfit->circle->list[0].message)),
                   ST_NO_SITE, 1);
    } else if (facts) {
        st_find(facts, &found);
    } else {
        st_find_at(&found,
                   function_of(first == SENT ? st_message_function(&misfit->sent)
                                             : misfit->taker.function),
                   first == SENT ? ST_NO_SITE : misfit->taker.site, 1);
    }
}

void st_misfit_tell(struct st_facts *facts, const struct st_misfit *misfit)
{
    struct st_misfit_text *told = st_map(sizeof *told);
    if (!told) {
        return;
    }
    told->texts = (struct st_texts){told->bytes, sizeof told->bytes, 0};
    told->ranks[TAKEN] = st_root.world_rank;
    add_finding(told, facts, misfit, add_calls(told, misfit));
    st_unmap(told, sizeof *told);
}
