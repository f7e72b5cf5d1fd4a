/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds messages in the rooms of their senders. */
#include "runtime/ranks/matched_internal.h"
#include "runtime/ranks/node.h"

bool st_matched_find(const struct st_message_end *end, const struct st_channel *channel,
                     uint64_t number, struct st_found_message *found)
{
    found->sender = st_node_rank_of(st_message_peer(end, channel->source));
    const struct st_message_room *room =
        found->sender != ST_NO_RANK && number ? st_node_messages(found->sender) : NULL;
    found->place = ST_NO_MESSAGE;
    if (room) {
        found->place =
            st_message_read(room, st_ranks_node.message_mask,
                            st_message_channel(end->id, channel->source, end->own, channel->tag),
                            number, &found->message);
    }
    return found->place != ST_NO_MESSAGE;
}

bool st_matched_is_it(const struct st_message *message, int64_t bytes)
{
    return st_message_flags(message) & ST_MESSAGE_SIZED && message->bytes == bytes;
}
