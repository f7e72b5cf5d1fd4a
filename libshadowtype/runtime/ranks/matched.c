/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/matched.h"

#include <string.h>

#include "runtime/objects/asserted.h"
#include "runtime/ranks/beyond.h"
#include "runtime/ranks/buffered.h"
#include "runtime/ranks/clocks.h"
#include "runtime/ranks/far.h"
#include "runtime/ranks/matched_internal.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/owner.h"
#include "runtime/ranks/partial.h"
#include "runtime/ranks/raced.h"
#include "runtime/ranks/requested.h"
#include "runtime/ranks/shown.h"
#include "runtime/record/root.h"
#include "runtime/report/finding.h"

struct st_matched st_matched;

/* Posted receives, by their number in st_matched.numbering. */
static struct st_receiving {
    struct st_message_end end;
    int64_t bytes;         /* bytes of the message that it took */
    bool is_probe;         /* it took a message that MPI_Mrecv will receive */
    bool is_numbered;      /* it has been compared */
    bool is_cut;           /* MPI has refused its message, which was reported, for it has no room */
    struct st_channel cut; /* of that message */
} *receiving;

enum { MOST_COMMS = 64 };

/* Communicators on which messages are not written any more, because it is not known in what order
 * they were sent. */
static uint64_t mute[MOST_COMMS];
static uint32_t mute_count;

/* Communicators on which a message was received that could not be compared, by st_message_comm():
 * it is not known which message it was. */
static uint32_t unsure[MOST_COMMS], unsure_count;

/* --- counted -------------------------------------------------------------------------------- */

/* Adds one to what only the holder of the lock writes. */
static void count_one(_Atomic uint64_t *count)
{
    const uint64_t before = atomic_load_explicit(count, memory_order_relaxed);
    atomic_store_explicit(count, before + 1, memory_order_relaxed);
}

void st_matched_count(bool is_compared)
{
    count_one(&st_message_calls);
    if (!is_compared) {
        count_one(&st_message_uncompared);
    }
}

bool st_matched_is_unsure(uint32_t comm)
{
    for (uint32_t i = 0; i < unsure_count && i < MOST_COMMS; i++) {
        if (unsure[i] == comm) {
            return true;
        }
    }
    return unsure_count > MOST_COMMS;
}

/* Counts a message that was received on a communicator and is not compared. END NULL: on any
 * communicator. */
static void pass_message(const struct st_message_end *end)
{
    st_matched_count(false);
    st_buffered_stop();
    if (st_clocks_are_on()) {
        st_clocks_join_all();
    }
    if (!end) {
        unsure_count = MOST_COMMS + 1;
    } else if (!st_matched_is_unsure(st_message_comm(end->id)) && unsure_count++ < MOST_COMMS) {
        unsure[unsure_count - 1] = st_message_comm(end->id);
    }
}

void st_matched_pass(const struct st_message_end *end)
{
    st_shown_unsure();
    pass_message(end);
}

/* Returns what the program asserts of the communicator (enum st_assertion). */
static uint32_t assertions_of(const struct st_message_end *end)
{
    return end->comm->serial == end->serial ? st_asserted_of(end->comm->handle, end->serial) : 0;
}

/* --- sending -------------------------------------------------------------------------------- */

static bool is_mute(uint64_t comm)
{
    for (uint32_t i = 0; i < mute_count && i < MOST_COMMS; i++) {
        if (mute[i] == comm) {
            return true;
        }
    }
    return mute_count > MOST_COMMS;
}

/* What was sent on a communicator is not known any more. */
void st_matched_silence(uint64_t comm)
{
    st_matched.age++;
    st_shown_unsure();
    st_buffered_stop();
    if (is_mute(comm)) {
        return;
    }
    if (mute_count < MOST_COMMS) {
        mute[mute_count] = comm;
    }
    mute_count++;
    st_message_forget(st_ranks_node.messages, st_ranks_node.message_mask, comm);
}

void st_matched_stop(void)
{
    if (st_clocks_are_on()) {
        st_clocks_blind();
    }
    st_matched.age++;
    st_shown_unsure();
    st_buffered_stop();
    mute_count = MOST_COMMS + 1;
    unsure_count = MOST_COMMS + 1;
    st_message_forget_all(st_ranks_node.messages, st_ranks_node.message_mask);
}

static int32_t world_rank_of(uint64_t gpid)
{
    return gpid && st_gpid_world(gpid) == st_root.world ? st_gpid_rank(gpid) : -1;
}

uint64_t *st_matched_sent(const struct st_message_end *end)
{
    const struct st_channel channel = {end->id, end->peer, end->tag};
    return is_mute(end->id) ? NULL : st_channel_count(&st_matched.sent, &channel);
}

struct st_message st_matched_message(const struct st_message_end *end)
{
    const struct st_message_data *data = &end->space.data;
    st_far_name(end->function);
    return (struct st_message){
        .channel = st_message_channel(end->id, end->own, end->peer, end->tag),
        .hash = {data->hash[0], data->hash[1]},
        .length = data->length,
        .bytes = data->bytes,
        .tag = end->tag,
        .to = world_rank_of(st_message_peer(end, end->peer)),
        .comm = st_message_comm(end->id),
        .place = (uint16_t)(end->place / 8),
        .called =
            st_message_called(end->function, data->flags | (end->is_ready ? ST_MESSAGE_READY : 0u)),
    };
}

/* How many collective calls this rank had begun when it left the message in a place (st_message_after()). */
static uint32_t *after;

/* Writes the message, whose number and flags are complete. */
static inline void write_message(const struct st_message *message, uint32_t sent_after)
{
    const uint32_t place = st_message_open(&st_matched.writer, message->channel, message->number);
    if (place == ST_NO_MESSAGE) {
        return;
    }
    __atomic_store_n(&after[place], sent_after, __ATOMIC_RELEASE);
    if (st_clocks_are_on()) {
        st_clocks_sends(place);
    }
    st_message_close(&st_matched.writer, place, message);
}

void st_matched_write(const struct st_message_end *end, struct st_message *message, uint64_t number)
{
    const uint16_t blocks = st_message_called(0, ST_MESSAGE_BLOCKS);
    uint64_t had_received = 0;
    const bool is_blocking =
        st_buffered_leave(end, st_numbering_is_idle(st_matched.numbering), &had_received);
    if (is_blocking) {
        st_buffered_sent(end, message->channel, number);
    }
    /* What was just written in two bytes the processor cannot read at once as a part of eight. */
    if (is_blocking != !!(message->called & blocks)) {
        message->called ^= blocks;
    }
    message->number = number | had_received << ST_MESSAGE_NUMBER_BITS;
    if (end->is_ready) {
        __atomic_store_n(&st_ranks_node.messages->facts.has_ready, 1, __ATOMIC_RELEASE);
    }
    if (st_clocks_are_on()) {
        st_clocks_last_message = st_clocks_name_message(message->channel, number);
    }
    write_message(message, st_beyond_last(end->id).any);
    st_shown_sent(message->to);
    if (st_ranks_node.remote) {
        st_far_sent(message, number);
    }
}

void st_matched_leave(const struct st_message_end *end, struct st_sent_name *name)
{
    name->number = 0;
    if (st_clocks_are_on()) {
        st_owner_listen();
    }
    uint64_t *count = assertions_of(end) & ST_ASSERT_ALLOW_OVERTAKING ? NULL : st_matched_sent(end);
    if (!count) {
        st_matched_silence(end->id);
        return;
    }
    struct st_message message = st_matched_message(end);
    ++*count;
    *name = (struct st_sent_name){message.channel, *count,
                                  st_ranks_node.ranks[st_ranks_node.rank].gpid, end->process};
    st_matched_write(end, &message, *count);
}

/* --- receiving ------------------------------------------------------------------------------ */

static void add_misfit(struct st_misfits *found, enum st_check check,
                       const struct st_found_message *sent_one, int32_t source,
                       const struct st_message_end *taker)
{
    if (found->count < ST_MOST_MISFITS) {
        found->list[found->count++] = (struct st_misfit){.check = check,
                                                         .sent = sent_one->message,
                                                         .sender = sent_one->sender,
                                                         .source = source,
                                                         .taker = *taker};
    }
}

/* Returns true if there may be messages of MPI_Rsend from the peer. */
static bool has_ready(const struct st_message_end *end)
{
    const uint32_t sender = st_node_rank_of(end->process);
    const struct st_message_room *room = sender != ST_NO_RANK ? st_node_messages(sender) : NULL;
    return room && __atomic_load_n(&room->facts.has_ready, __ATOMIC_ACQUIRE);
}

/* A receive is about to be posted, and it is certain that it takes a message that is there already. */
static void look_ahead(const struct st_message_end *end, struct st_misfits *found)
{
    const struct st_channel channel = {end->id, end->peer, end->tag};
    struct st_found_message ahead;
    if (end->peer == ST_NUMBERING_ANY || end->tag == ST_NUMBERING_ANY || !has_ready(end) ||
        !st_matched_find(end, &channel, st_numbering_of(st_matched.numbering, &channel), &ahead)) {
        return;
    }
    if (st_message_flags(&ahead.message) & ST_MESSAGE_READY) {
        add_misfit(found, ST_MATCH_READY, &ahead, end->peer, end);
    }
}

/* --- posting -------------------------------------------------------------------------------- */

static struct st_receiving *start_receiving(uint32_t receive, const struct st_message_end *end)
{
    receiving[receive] = (struct st_receiving){.end = *end};
    receiving[receive].end.posted = ++st_matched.posted;
    receiving[receive].end.completed = 0;
    receiving[receive].end.is_exact = assertions_of(end) & ST_ASSERT_EXACT_LENGTH;
    receiving[receive].end.sends_before = st_buffered_sends();
    receiving[receive].end.begun_before = st_beyond_last(end->id).blocking;
    receiving[receive].end.is_waited = receiving[receive].end.is_vague = false;
    return &receiving[receive];
}

uint32_t st_matched_post(const struct st_message_end *end, struct st_misfits *found)
{
    look_ahead(end, found);
    if (st_raced_is_on()) {
        st_matched_look_again(found);
    }
    return st_matched_post_late(end);
}

uint32_t st_matched_post_late(const struct st_message_end *end)
{
    if (assertions_of(end) & ST_ASSERT_ALLOW_OVERTAKING) {
        st_numbering_lose(st_matched.numbering, end->id);
    }
    uint32_t receive = st_numbering_post(st_matched.numbering, end->id, end->peer, end->tag);
    if (receive != ST_NO_RECEIVE) {
        start_receiving(receive, end);
    } else {
        st_matched_pass(end);
    }
    return receive;
}

static void find_circle(const struct st_found_message *taken, int32_t source,
                        const struct st_message_end *end, struct st_misfits *found)
{
    const struct st_sent_message sent = {taken->message, taken->sender, 0};
    const struct st_send_circle *circle = st_buffered_circle(&sent, end->sends_before);
    if (!circle || found->count == ST_MOST_MISFITS) {
        return;
    }
    add_misfit(found, ST_DEADLOCK_POTENTIAL, taken, source, end);
    found->list[found->count - 1].circle = circle;
}

static void find_beyond(const struct st_found_message *taken, int32_t source,
                        const struct st_message_end *end, struct st_misfits *found)
{
    struct st_beyond_call call;
    if (found->count < ST_MOST_MISFITS && st_beyond_find(end, taken, &call)) {
        add_misfit(found, ST_DEADLOCK_POTENTIAL, taken, source, end);
        found->list[found->count - 1].beyond = call;
    }
}

void st_matched_take(const struct st_message_end *end, const struct st_channel *channel,
                     const struct st_found_message *taken, struct st_misfits *found)
{
    const uint64_t sender = st_ranks_node.ranks[taken->sender].gpid;
    st_matched_count(true);
    if (st_clocks_are_on()) {
        st_clocks_take(st_clocks_name_message(taken->message.channel,
                                              st_message_number(taken->message.number)));
        st_clocks_receives(taken->sender, taken->place);
    }
    st_shown_taken(taken->sender, taken->place, &taken->message);
    if (st_raced_is_on()) {
        st_matched_find_races(end, channel, taken, found);
    }
    const struct st_message_end *own = st_buffered_find(sender, &taken->message, end->sends_before);
    st_buffered_received(sender, &taken->message);
    const enum st_message_fit fit = st_message_end_fits(&taken->message, &end->space);
    if (fit == ST_MESSAGE_OTHER_TYPE) {
        add_misfit(found, ST_MATCH_TYPE, taken, channel->source, end);
    } else if (fit == ST_MESSAGE_ENDS_INSIDE) {
        count_one(&st_message_uncompared);
    }
    if (own) {
        add_misfit(found, ST_DEADLOCK_POTENTIAL, taken, channel->source, own);
    }
    find_circle(taken, channel->source, end, found);
    find_beyond(taken, channel->source, end, found);
}

/* Returns true if both sides are known, and they match. */
static bool fits(const struct st_message *sent, const struct st_message_space *space)
{
    return st_message_flags(sent) & space->data.flags & ST_MESSAGE_SIGNED &&
           st_message_end_fits(sent, space) != ST_MESSAGE_OTHER_TYPE;
}

/* A message of another node is compared there. */
static void take_far(void)
{
    st_matched_count(true);
    if (st_clocks_are_on()) {
        st_clocks_join_all();
    }
}

/* Compares the receive with the message of this number. BYTES: -1 if that is not known. */
static void compare_message(const struct st_message_end *end, const struct st_channel *channel,
                            uint64_t number, int64_t bytes, struct st_misfits *found)
{
    struct st_found_message taken;
    st_shown_received(st_message_peer(end, channel->source));
    if (st_raced_is_on() && end->peer == ST_NUMBERING_ANY) {
        st_far_wild_one();
    }
    if (st_far_received(end, channel, number, bytes)) {
        take_far();
        return;
    }
    if (!st_matched_find(end, channel, number, &taken)) {
        pass_message(end);
        return;
    }
    if (bytes < 0 && st_message_end_fits(&taken.message, &end->space) != ST_MESSAGE_TOO_LONG) {
        bytes = taken.message.bytes; /* MPI has not said how long it was */
    }
    /* If not, it is another message: something was received that was not seen here. */
    if (!st_matched_is_it(&taken.message, bytes)) {
        st_numbering_lose(st_matched.numbering, end->id);
        st_matched_pass(end);
        return;
    }
    st_matched_take(end, channel, &taken, found);
    if (end->is_exact && end->space.data.flags & ST_MESSAGE_SIZED &&
        end->space.data.bytes != bytes) {
        add_misfit(found, ST_MATCH_ASSERT, &taken, channel->source, end);
    }
    if (st_partial_is(&end->space, bytes) && fits(&taken.message, &end->space)) {
        add_misfit(found, ST_MATCH_PARTIAL, &taken, channel->source, end);
    }
}

static void compare_probed(struct st_probed *probed, struct st_misfits *found)
{
    if (probed->receive != ST_NO_RECEIVE || probed->bytes < 0) {
        return;
    }
    compare_message(&probed->end, &probed->channel, probed->number, probed->bytes, found);
    st_probed_drop(probed);
}

static void number_probed(const struct st_numbered *numbered, struct st_misfits *found)
{
    struct st_probed *probed = st_probed_posted(numbered->receive);
    if (!probed) {
        return;
    }
    probed->receive = ST_NO_RECEIVE;
    probed->channel = numbered->channel;
    probed->number = numbered->number;
    compare_probed(probed, found);
}

/* Counts a message that was reported already. */
static __attribute__((noinline)) void pass_cut(const struct st_receiving *own,
                                               const struct st_numbered *numbered)
{
    struct st_misfits known = {.count = 0};
    compare_message(&own->end, &numbered->channel, numbered->number, own->bytes, &known);
}

/* Compares all receives that have their numbers now. */
static void compare_numbered(struct st_misfits *found)
{
    struct st_numbered numbered;
    while (st_numbering_next(st_matched.numbering, &numbered)) {
        struct st_receiving *own = &receiving[numbered.receive];
        own->is_numbered = true;
        if (own->is_probe) {
            number_probed(&numbered, found);
        } else if (own->is_cut) {
            pass_cut(own, &numbered);
        } else {
            compare_message(&own->end, &numbered.channel, numbered.number, own->bytes, found);
        }
    }
    st_shown_unnumbered(st_numbering_unnumbered(st_matched.numbering));
}

/* A call has received a message that MPI_Mprobe had taken. STATUS NULL: its length is not known. */
void st_matched_probed(struct st_probed *probed, const struct st_status_facts *status,
                       struct st_misfits *found)
{
    if (!probed) {
        st_matched_pass(NULL);
        return;
    }
    probed->bytes = status ? status->bytes : INT64_MAX;
    compare_probed(probed, found);
}

void st_matched_receive(uint32_t receive, const struct st_status_facts *status,
                        struct st_misfits *found)
{
    if (status && status->cancelled) {
        st_numbering_took_none(st_matched.numbering, receive);
    } else if (status) {
        receiving[receive].bytes = status->bytes;
        st_matched_note_end(&receiving[receive].end);
        st_numbering_took(st_matched.numbering, receive, status->source, status->tag);
    } else if (receiving[receive].is_cut) { /* MPI has received what there was room for */
        const struct st_channel *cut = &receiving[receive].cut;
        st_numbering_took(st_matched.numbering, receive, cut->source, cut->tag);
    } else {
        st_numbering_lose(st_matched.numbering, receiving[receive].end.id);
        st_numbering_took_none(st_matched.numbering, receive);
        st_matched_pass(&receiving[receive].end);
    }
    compare_numbered(found);
    if (st_clocks_are_on() && status && !status->cancelled && !receiving[receive].is_numbered) {
        st_matched_join_source(&receiving[receive].end, status->source);
    }
}

void st_matched_probe(const struct st_message_end *end, uint64_t message,
                      const struct st_status_facts *status, struct st_misfits *found)
{
    if (assertions_of(end) & ST_ASSERT_ALLOW_OVERTAKING) {
        st_numbering_lose(st_matched.numbering, end->id);
    }
    uint32_t receive = st_numbering_post(st_matched.numbering, end->id, end->peer, end->tag);
    if (receive == ST_NO_RECEIVE) {
        return;
    }
    struct st_receiving *own = start_receiving(receive, end);
    own->is_probe = true;
    st_matched_note_end(&own->end);
    if (!st_probed_keep(message, receive, &own->end)) {
        st_matched_pass(end);
    }
    st_numbering_took(st_matched.numbering, receive, status->source, status->tag);
    compare_numbered(found);
    if (st_clocks_are_on()) {
        st_matched_join_source(end, status->source);
    }
}

bool st_matched_may_wait(void)
{
    return !st_numbering_is_idle(st_matched.numbering);
}

void st_matched_waited(const struct st_sent_name *name)
{
    st_buffered_waited(name);
}

void st_matched_cancels(uint32_t receive)
{
    st_numbering_cancels(st_matched.numbering, receive);
}

void st_matched_lose(const struct st_message_end *end)
{
    st_numbering_lose(st_matched.numbering, end->id);
    st_shown_unsure();
    st_buffered_stop();
}

struct st_message_end *st_matched_end(uint32_t receive)
{
    return &receiving[receive].end;
}

bool st_matched_cut(uint32_t receive, bool fatal, struct st_misfits *found)
{
    struct st_channel channel;
    struct st_found_message cut;
    const struct st_message_end *end = &receiving[receive].end;
    uint64_t number = st_numbering_expects(st_matched.numbering, receive, &channel);
    if (number && st_far_cut(end, &channel, number, !fatal)) {
        return true;
    }
    if (!number || !st_matched_find(end, &channel, number, &cut)) {
        return false;
    }
    const enum st_message_fit fit = st_message_end_fits(&cut.message, &end->space);
    if (fit == ST_MESSAGE_OTHER_TYPE || fit == ST_MESSAGE_TOO_LONG) {
        receiving[receive].is_cut = true;
        receiving[receive].cut = channel;
        receiving[receive].bytes = cut.message.bytes;
    }
    if (fit == ST_MESSAGE_OTHER_TYPE) {
        /* MPICH says so, too, if a message ends within a basic element of the receive. */
        add_misfit(found, ST_MATCH_TYPE, &cut, channel.source, end);
        return true;
    }
    if (fit != ST_MESSAGE_TOO_LONG) {
        return false;
    }
    add_misfit(found, ST_MATCH_TRUNCATION, &cut, channel.source, end);
    if (!fatal) { /* like all errors that the program itself handles */
        found->list[found->count - 1].severity = ST_SEVERITY_NOTE;
    }
    return true;
}

/* --- the run -------------------------------------------------------------------------------- */

static bool begin_writing(void)
{
    struct st_message_writer *writer = &st_matched.writer;
    if (!st_node_make_messages(writer)) {
        return false;
    }
    after = st_message_after(writer->room, writer->mask);
    writer->next = st_map((writer->mask + 1) / ST_MESSAGE_WAYS);
    return writer->next;
}

bool st_matched_begin(void)
{
    if (!st_matched.numbering && begin_writing()) {
        st_matched.numbering = st_numbering_new();
        receiving = st_map(ST_NUMBERING_ROOM * sizeof *receiving);
        st_buffered_begin();
        st_far_begin();
        st_shown_begin();
    }
    return st_matched.numbering && receiving;
}
