/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/buffered.h"

#include <string.h>

#include "core/model/hash.h"
#include "runtime/ranks/node.h"
#include "runtime/record/root.h"

/* By rank in MPI_COMM_WORLD. `sent`: messages to it in which this rank is blocked until a receive,
 * or a buffer, takes them. */
static struct st_blocking {
    uint32_t sent;
    uint32_t received;          /* messages from it of the same kind */
    uint64_t last_sent;         /* number of the last one, among the messages to all ranks */
    struct st_message_end last; /* the last one */
} *blocking;

static uint64_t all_sent;

/* The last of them, by st_buffered_sends() when they began. */
enum { KEPT = 64 };
static struct st_own_send {
    uint64_t count;
    struct st_sent_name name;
    bool blocks; /* MPI_Send: its message has ST_MESSAGE_BLOCKS */
} *own_sends;

/* Circles that were found, by their call sites; reports refer to them. */
enum { MOST_CIRCLES = 32 };
static struct st_send_circle *circles;
static uint32_t circle_count;

enum { COUNTED = 0xffffff }; /* limit of st_message_had_received() */

/* MPI_Send, MPI_Send_c */
static uint16_t sends[2];

static uint16_t number_of(const char *name)
{
    for (uint16_t i = 0; i < st_form_count; i++) {
        if (strcmp(st_form_table[i]->name, name) == 0) {
            return i;
        }
    }
    return UINT16_MAX;
}

void st_buffered_begin(void)
{
    sends[0] = number_of("MPI_Send");
    sends[1] = number_of("MPI_Send_c");
    blocking = st_map(ST_SEGMENT_RANKS * sizeof *blocking);
    own_sends = st_map(KEPT * sizeof *own_sends);
    circles = st_map(MOST_CIRCLES * sizeof *circles);
}

/* Returns NULL if the process is not in this MPI_COMM_WORLD, or if this check is off. */
static struct st_blocking *blocking_of(uint64_t gpid)
{
    const int32_t rank = gpid && st_gpid_world(gpid) == st_root.world ? st_gpid_rank(gpid) : -1;
    return blocking && rank >= 0 && rank < ST_SEGMENT_RANKS ? &blocking[rank] : NULL;
}

bool st_buffered_leave(const struct st_message_end *end, bool alone, uint64_t *had_received)
{
    if (!alone || !blocking || (end->function != sends[0] && end->function != sends[1])) {
        return false;
    }
    struct st_blocking *to = blocking_of(end->process);
    if (!to) {
        return false;
    }
    to->sent++;
    to->last_sent = ++all_sent;
    if (!end->kept || to->last.kept != end->kept) {
        to->last = *end;
    }
    *had_received = to->received & COUNTED;
    return true;
}

static uint64_t own_process(void)
{
    return st_ranks_node.ranks[st_ranks_node.rank].gpid;
}

void st_buffered_sent(const struct st_message_end *end, uint64_t channel, uint64_t number)
{
    if (own_sends) {
        own_sends[all_sent % KEPT] =
            (struct st_own_send){all_sent, {channel, number, own_process(), end->process}, true};
    }
}

void st_buffered_received(uint64_t sender, const struct st_message *message)
{
    struct st_blocking *from = blocking_of(sender);
    if (from && st_message_flags(message) & ST_MESSAGE_BLOCKS) {
        from->received++;
    }
}

void st_buffered_stop(void)
{
    blocking = NULL; /* its memory is never freed */
}

uint64_t st_buffered_sends(void)
{
    return all_sent;
}

/* Returns how many of this rank's blocking sends to the sender of a message had not been received
 * when that was sent. */
static uint32_t count_open(const struct st_blocking *to, const struct st_message *taken)
{
    return (to->sent - st_message_had_received(taken)) & COUNTED;
}

const struct st_message_end *st_buffered_find(uint64_t sender, const struct st_message *taken,
                                              uint64_t before)
{
    const struct st_blocking *to = blocking_of(sender);
    if (!to || to->last_sent > before || !(st_message_flags(taken) & ST_MESSAGE_BLOCKS)) {
        return NULL;
    }
    const uint32_t open = count_open(to, taken);
    return open != 0 && open < COUNTED / 2 ? &to->last : NULL;
}

void st_buffered_waited(const struct st_sent_name *name)
{
    if (!blocking || !own_sends) {
        return;
    }
    all_sent++;
    own_sends[all_sent % KEPT] = (struct st_own_send){all_sent, *name, false};
}

/* --- circles -------------------------------------------------------------------------------- */

static const struct st_behind_room *behind_of(uint64_t process)
{
    const uint32_t rank = st_node_rank_of(process);
    const struct st_message_room *room = rank != ST_NO_RANK ? st_node_messages(rank) : NULL;
    return room ? &room->behind : NULL;
}

/* Returns true if st_buffered_find() does not find it: that knows MPI_Send of two ranks. */
static bool is_other(const struct st_send_circle *circle)
{
    const struct st_sent_message *list = circle->list;
    for (size_t i = 0; i < circle->count && i < ST_CIRCLE_TOLD; i++) {
        if (!(st_message_flags(&list[i].message) & ST_MESSAGE_BLOCKS) ||
            (i > 1 && list[i].sender != list[0].sender && list[i].sender != list[1].sender)) {
            return true;
        }
    }
    return false;
}

/* Each rank that finds the circle tells it from the same send on. */
static size_t first_of(const struct st_sent_name *list, size_t count)
{
    size_t first = 0;
    for (size_t i = 1; i < count; i++) {
        if (list[i].sender < list[first].sender) {
            first = i;
        }
    }
    return first;
}

/* Returns false if one of the messages is gone. */
static bool read_circle(struct st_send_circle *told, const struct st_sent_name *list, size_t count)
{
    *told = (struct st_send_circle){.count = count};
    for (size_t i = 0, first = first_of(list, count); i < count; i++) {
        const struct st_sent_name *name = &list[(first + i) % count];
        struct st_sent_message sent = {.sender = st_node_rank_of(name->sender)};
        const struct st_message_room *room =
            sent.sender != ST_NO_RANK ? st_node_messages(sent.sender) : NULL;
        if (!room || st_message_read(room, st_ranks_node.message_mask, name->channel, name->number,
                                     &sent.message) == ST_NO_MESSAGE) {
            return false;
        }
        told->name = st_hash_word(told->name, (uint64_t)sent.sender << 16 | sent.message.place);
        if (i < ST_CIRCLE_TOLD) {
            told->list[i] = sent;
        }
    }
    return true;
}

static const struct st_send_circle *new_circle(const struct st_sent_name *list, size_t count)
{
    struct st_send_circle *told = &circles[circle_count];
    if (!read_circle(told, list, count) || !is_other(told)) {
        return NULL;
    }
    for (uint32_t i = 0; i < circle_count; i++) {
        if (circles[i].name == told->name) {
            return NULL;
        }
    }
    circle_count++;
    return told;
}

/* Returns true if the own send was received before the message was sent. */
static bool is_answer(const struct st_own_send *own, const struct st_sent_message *taken,
                      uint64_t sender)
{
    const struct st_blocking *to = blocking_of(sender);
    return own->blocks && own->name.receiver == sender && to &&
           st_message_flags(&taken->message) & ST_MESSAGE_BLOCKS &&
           count_open(to, &taken->message) == 0;
}

/* The message is behind no send of this rank: tells those that follow it to here. */
static void end_chain(const struct st_message *message)
{
    const struct st_behind_rooms rooms = {behind_of, &st_ranks_node.messages->behind};
    const struct st_sent_name name = {message->channel, st_message_number(message->number), 0, 0};
    st_behind_enter(&rooms, &name, NULL, NULL);
}

bool st_buffered_receives_plain(uint64_t sender, const struct st_message *message, uint64_t before)
{
    struct st_blocking *from = blocking_of(sender);
    const bool blocks = st_message_flags(message) & ST_MESSAGE_BLOCKS;
    if (!blocking || (!before && !blocks)) {
        return true;
    }
    if (!from || !blocks || !own_sends || !circles) {
        return false;
    }
    if (!before) {
        end_chain(message);
    } else {
        const struct st_own_send *last = &own_sends[before % KEPT];
        if (last->count != before || !last->blocks || last->name.receiver != sender ||
            count_open(from, message) != 0) {
            return false;
        }
    }
    from->received++;
    return true;
}

const struct st_send_circle *st_buffered_circle(const struct st_sent_message *taken,
                                                uint64_t before)
{
    struct st_sent_name list[ST_MOST_CIRCLE];
    if (!blocking || !own_sends || !circles || circle_count == MOST_CIRCLES ||
        (!before && !(st_message_flags(&taken->message) & ST_MESSAGE_BLOCKS))) {
        return NULL;
    }
    const struct st_own_send *last = &own_sends[before % KEPT];
    const bool is_known = before && last->count == before;
    const uint64_t sender = st_ranks_node.ranks[taken->sender].gpid;
    if (is_known && is_answer(last, taken, sender)) {
        return NULL;
    }
    const struct st_behind_rooms rooms = {behind_of, &st_ranks_node.messages->behind};
    const struct st_sent_name name = {
        taken->message.channel, st_message_number(taken->message.number), sender, own_process()};
    const size_t count = st_behind_enter(&rooms, &name, is_known ? &last->name : NULL, list);
    return count ? new_circle(list, count) : NULL;
}
