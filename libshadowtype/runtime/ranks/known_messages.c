/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/known_messages.h"

#include "runtime/ranks/beyond.h"
#include "runtime/ranks/buffered.h"
#include "runtime/ranks/clocks.h"
#include "runtime/ranks/matched_internal.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/raced.h"
#include "runtime/ranks/shown.h"

static bool is_plain(const struct st_message_end *end)
{
    return end->process && end->peer != ST_NUMBERING_ANY && end->tag != ST_NUMBERING_ANY;
}

static uint32_t new_name(void)
{
    static uint32_t last;
    last += last == UINT32_MAX ? 2 : 1;
    return last;
}

/* --- sends ---------------------------------------------------------------------------------- */

bool st_known_send_keep(struct st_known_send *known, const struct st_message_end *end)
{
    uint64_t *count = st_matched_sent(end);
    if (!count || !*count || !is_plain(end)) {
        return false;
    }
    *known = (struct st_known_send){.end = *end,
                                    .message = st_matched_message(end),
                                    .sent = {st_matched.sent.list, count},
                                    .age = st_matched.age};
    known->end.kept = new_name();
    return true;
}

bool st_known_send_leave(struct st_known_send *known)
{
    if (known->age != st_matched.age || known->sent.list != st_matched.sent.list ||
        st_clocks_are_on()) {
        return false;
    }
    st_matched_write(&known->end, &known->message, ++*known->sent.count);
    return true;
}

struct st_sent_name st_known_send_name(const struct st_known_send *known)
{
    return (struct st_sent_name){known->message.channel, *known->sent.count,
                                 st_ranks_node.ranks[st_ranks_node.rank].gpid, known->end.process};
}

/* --- receives ------------------------------------------------------------------------------- */

bool st_known_receive_keep(struct st_known_receive *known, const struct st_message_end *end)
{
    const struct st_channel channel = {end->id, end->peer, end->tag};
    const uint32_t sender = st_node_rank_of(end->process);
    const struct st_message_room *room = sender != ST_NO_RANK ? st_node_messages(sender) : NULL;
    if (!room || !is_plain(end) || !st_numbering_taken(st_matched.numbering, &channel)) {
        return false;
    }
    struct st_channel_counts *counts = st_numbering_counts(st_matched.numbering);
    uint64_t *count = st_channel_count(counts, &channel);
    *known = (struct st_known_receive){
        .end = *end,
        .channel = channel,
        .taken = {counts->list, count},
        .room = room,
        .name = st_message_channel(end->id, channel.source, end->own, channel.tag),
        .sender = sender,
        .losses = st_numbering_losses(st_matched.numbering)};
    return true;
}

bool st_known_receive_post(struct st_known_receive *known)
{
    if (known->losses != st_numbering_losses(st_matched.numbering) ||
        known->taken.list != st_numbering_counts(st_matched.numbering)->list ||
        !st_numbering_is_idle(st_matched.numbering) || st_clocks_are_on() || st_raced_is_on() ||
        __atomic_load_n(&known->room->facts.has_ready, __ATOMIC_ACQUIRE)) {
        return false;
    }
    known->end.sends_before = st_buffered_sends();
    known->end.begun_before = st_beyond_last(known->end.id).blocking;
    return true;
}

void st_known_receive_expect(const struct st_known_receive *known)
{
    st_message_expect(known->room, st_ranks_node.message_mask, known->name, *known->taken.count,
                      known->last);
}

/* One more message was taken, from this place. */
static inline void note_taken(struct st_known_receive *known, uint32_t place)
{
    ++*known->taken.count;
    known->last = place;
    st_shown_received(known->end.process);
}

bool st_known_receive_take(struct st_known_receive *known, int64_t bytes, struct st_misfits *found)
{
    struct st_found_message taken;
    const uint64_t number = *known->taken.count; /* one more than were taken before */
    const size_t misfits = found->count;
    taken.sender = known->sender;
    taken.place = st_message_read_near(known->room, st_ranks_node.message_mask, known->name, number,
                                       known->last, &taken.message);
    known->like.number = 0;
    if (taken.place == ST_NO_MESSAGE || !st_matched_is_it(&taken.message, bytes)) {
        return false;
    }
    note_taken(known, taken.place);
    st_matched_take(&known->end, &known->channel, &taken, found);
    if (found->count == misfits &&
        st_message_fits(&taken.message, &known->end.space) == ST_MESSAGE_FITS) {
        known->like = taken.message;
    }
    return true;
}

bool st_known_receive_take_like(struct st_known_receive *known)
{
    uint64_t word;
    if (!known->like.number) {
        return false;
    }
    const uint32_t place =
        st_message_find_like(known->room, st_ranks_node.message_mask, &known->like,
                             *known->taken.count, known->last, &word);
    if (place == ST_NO_MESSAGE || st_beyond_may_find(&known->end, known->sender, known->room)) {
        return false;
    }
    known->like.number = word;
    if (!st_buffered_receives_plain(known->end.process, &known->like, known->end.sends_before)) {
        return false;
    }
    note_taken(known, place);
    st_matched_count(true);
    st_shown_taken(known->sender, place, &known->like);
    return true;
}
