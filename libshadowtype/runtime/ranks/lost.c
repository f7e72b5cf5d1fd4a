/* SPDX-License-Identifier: BSD-3-Clause */
/* match-lost: messages that were sent to this rank and never received. */
#include "core/model/memory.h"
#include "runtime/ranks/matched_internal.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/raced.h"
#include "runtime/ranks/shown.h"
#include "runtime/record/root.h"

enum { MOST_LOST = 32 };

static bool is_same_call(const struct st_message *one, const struct st_message *other)
{
    return one->place == other->place && one->tag == other->tag && one->comm == other->comm &&
           st_message_function(one) == st_message_function(other);
}

/* Where the lost messages of one call belong. */
struct st_lost_channel {
    uint64_t name;  /* st_message_channel() */
    uint64_t last;  /* number of the last one that was found */
    bool is_shared; /* other calls, too, have lost messages of it */
};

/* Too large for a stack. */
struct st_lost_messages {
    struct st_misfit list[MOST_LOST];
    struct st_lost_channel channels[MOST_LOST]; /* of the members of the list */
    size_t count;
    struct st_misfits races;
};

static void note_lost(struct st_lost_channel *channel, const struct st_message *message)
{
    const uint64_t number = st_message_number(message->number);
    channel->last = number > channel->last ? number : channel->last;
    channel->is_shared |= channel->name != message->channel;
}

static void add_lost(struct st_lost_messages *lost, uint32_t sender, uint32_t place,
                     const struct st_message *message)
{
    if (st_raced_is_on()) {
        const struct st_sent_message other =
            st_matched_sent_message(&(struct st_found_message){*message, sender, place});
        st_matched_find_race(&other, UINT64_MAX, &lost->races);
    }
    for (size_t i = 0; i < lost->count; i++) {
        if (lost->list[i].sender == sender && is_same_call(&lost->list[i].sent, message)) {
            lost->list[i].times++;
            note_lost(&lost->channels[i], message);
            return;
        }
    }
    if (lost->count < MOST_LOST) {
        lost->channels[lost->count] =
            (struct st_lost_channel){message->channel, st_message_number(message->number), false};
        lost->list[lost->count++] = (struct st_misfit){
            .check = ST_MATCH_LOST, .sent = *message, .sender = sender, .times = 1};
    }
}

static bool is_lost(uint32_t sender, uint32_t place, const struct st_message *message)
{
    return message->to == st_root.world_rank &&
           st_gpid_world(st_ranks_node.ranks[sender].gpid) == st_root.world &&
           !st_matched_is_unsure(message->comm) && !st_shown_was_taken(sender, place, message) &&
           st_numbering_has_all(st_matched.numbering, message->comm, message->tag);
}

static void find_lost(struct st_lost_messages *lost, uint32_t sender)
{
    const struct st_message_room *room = st_node_messages(sender);
    const uint32_t mask = st_ranks_node.message_mask;
    struct st_message message;
    uint32_t next = 0, place;
    while (room && (place = st_message_read_next(room, mask, &next, &message)) != ST_NO_MESSAGE) {
        if (is_lost(sender, place, &message)) {
            add_lost(lost, sender, place, &message);
        }
    }
}

/* --- those whose descriptions were overwritten ---------------------------------------------- */

/* Returns true if this is the channel of a message to this rank. */
static bool is_channel(const struct st_channel *channel, const struct st_message *message)
{
    const int32_t on_node = (int32_t)st_node_ranks();
    const int32_t size = on_node > st_root.world_size ? on_node : st_root.world_size;
    if (st_message_comm(channel->comm) != message->comm || channel->tag != message->tag) {
        return false;
    }
    for (int32_t own = 0; own < size; own++) { /* the communicator may be gone */
        if (st_message_channel(channel->comm, channel->source, own, channel->tag) ==
            message->channel) {
            return true;
        }
    }
    return false;
}

/* Returns how many messages of the channel were received. */
static uint64_t count_taken(const struct st_message *message)
{
    const struct st_channel_counts *counts = st_numbering_counts(st_matched.numbering);
    for (uint32_t i = 0; i < counts->room; i++) {
        if (counts->list[i].count && is_channel(&counts->list[i].channel, message)) {
            return counts->list[i].count - 1;
        }
    }
    return 0;
}

/* The messages of a channel are numbered: the last number says how many were sent. */
static void count_overwritten(struct st_lost_messages *lost, size_t number)
{
    struct st_misfit *misfit = &lost->list[number];
    struct st_lost_channel *own = &lost->channels[number];
    const uint64_t taken = count_taken(&misfit->sent);
    for (size_t i = 0; i < lost->count; i++) {
        own->is_shared |= i != number && lost->channels[i].name == own->name;
    }
    if (own->last <= taken || own->last - taken <= misfit->times) {
        return;
    }
    if (own->is_shared) {
        misfit->or_more = 1;
    } else {
        misfit->times = (own->last - taken) & (UINT64_MAX >> 1);
    }
}

void st_matched_tell_lost(void)
{
    struct st_lost_messages *lost = st_map(sizeof *lost);
    if (!lost) {
        return;
    }
    for (uint32_t i = 0; i < st_node_ranks(); i++) {
        find_lost(lost, i);
    }
    for (size_t i = 0; i < lost->count; i++) {
        count_overwritten(lost, i);
        st_misfit_tell(NULL, &lost->list[i]);
    }
    for (size_t i = 0; i < lost->races.count; i++) {
        st_misfit_tell(NULL, &lost->races.list[i]);
    }
    st_unmap(lost, sizeof *lost);
}
