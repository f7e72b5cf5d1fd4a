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

/* Too large for a stack. */
struct st_lost_messages {
    struct st_misfit list[MOST_LOST];
    size_t count;
    struct st_misfits races;
};

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
            return;
        }
    }
    if (lost->count < MOST_LOST) {
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
    for (uint32_t i = 0; room && i < 1u << ST_LOG2_MESSAGES; i++) {
        struct st_message message = room->list[i];
        if (message.number &&
            st_message_read(room, message.channel, st_message_number(message.number), &message) ==
                i &&
            is_lost(sender, i, &message)) {
            add_lost(lost, sender, i, &message);
        }
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
        st_misfit_tell(NULL, &lost->list[i]);
    }
    for (size_t i = 0; i < lost->races.count; i++) {
        st_misfit_tell(NULL, &lost->races.list[i]);
    }
    st_unmap(lost, sizeof *lost);
}
