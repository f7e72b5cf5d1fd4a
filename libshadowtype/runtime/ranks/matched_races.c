/* SPDX-License-Identifier: BSD-3-Clause */
/* match-race (raced.h): looks for messages that a receive, or probe, could have got instead of its
 * own; and what a probe orders. */
#include "runtime/ranks/clocks.h"
#include "runtime/ranks/matched_internal.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/raced.h"

/* The last receive from any source that took a message, until the next one is posted. */
static struct st_last_wildcard {
    struct st_message_end end;
    struct st_channel taken;
    bool is_there;
} last_wildcard;

void st_matched_note_end(struct st_message_end *end)
{
    if (st_raced_is_on() && end->peer == ST_NUMBERING_ANY) {
        end->completed = st_clocks_step();
    }
}

/* The tick belongs to this message only if the message is still in its place. */
struct st_sent_message st_matched_sent_message(const struct st_found_message *found)
{
    const struct st_message_room *room = st_node_messages(found->sender);
    const uint32_t tick = st_clocks_sent(found->sender, found->place);
    const bool is_there = room && __atomic_load_n(&room->list[found->place].number,
                                                  __ATOMIC_ACQUIRE) == found->message.number;
    return (struct st_sent_message){found->message, found->sender, is_there ? tick : 0};
}

void st_matched_find_race(const struct st_sent_message *other, uint64_t after,
                          struct st_misfits *found)
{
    if (found->count < ST_MOST_MISFITS && st_raced_find(other, after, &found->list[found->count])) {
        found->count++;
    }
}

/* Looks for messages that are there, and that a receive could have got instead of its own. */
static void look_around(const struct st_message_end *end, const struct st_channel *taken,
                        struct st_misfits *found)
{
    const int32_t size =
        end->comm->flags & ST_COMM_INTER ? end->comm->remote.size : end->comm->group.size;
    for (int32_t i = 0; end->comm->serial == end->serial && i < size; i++) {
        const struct st_channel channel = {end->id, i, taken->tag};
        struct st_found_message other;
        if (i != taken->source &&
            st_matched_find(end, &channel, st_numbering_of(st_matched.numbering, &channel),
                            &other)) {
            const struct st_sent_message message = st_matched_sent_message(&other);
            st_matched_find_race(&message, UINT64_MAX, found);
        }
    }
}

/* The receive, or probe, from any source has got this message. */
static void note_wildcard(const struct st_message_end *end, const struct st_channel *channel,
                          const struct st_sent_message *message, struct st_misfits *found)
{
    st_raced_took(end, message);
    last_wildcard = (struct st_last_wildcard){*end, *channel, true};
    look_around(end, channel, found);
}

void st_matched_find_races(const struct st_message_end *end, const struct st_channel *channel,
                           const struct st_found_message *taken, struct st_misfits *found)
{
    const struct st_sent_message message = st_matched_sent_message(taken);
    st_matched_find_race(&message, end->posted, found);
    if (!end->completed) {
        return;
    }
    note_wildcard(end, channel, &message, found);
}

void st_matched_look_again(struct st_misfits *found)
{
    if (last_wildcard.is_there) {
        look_around(&last_wildcard.end, &last_wildcard.taken, found);
    }
    last_wildcard.is_there = false;
}

void st_matched_join_source(const struct st_message_end *end, int32_t source)
{
    const uint32_t sender = st_node_rank_of(st_message_peer(end, source));
    if (sender != ST_NO_RANK) {
        st_clocks_join_current(sender);
    } else {
        st_clocks_blind();
    }
}

static bool find_next(const struct st_message_end *end, const struct st_channel *channel,
                      const struct st_status_facts *status, struct st_found_message *there)
{
    const uint64_t number = st_numbering_of(st_matched.numbering, channel);
    return st_matched_find(end, channel, number, there) &&
           st_matched_is_it(&there->message, status->bytes);
}

/* A probe takes no message, but the program learns which one came first. */
__attribute__((noinline)) void st_matched_looked(const struct st_message_end *end,
                                                 const struct st_status_facts *status,
                                                 struct st_misfits *found)
{
    const struct st_channel channel = {end->id, status->source, status->tag};
    struct st_message_end own = *end;
    struct st_found_message there;
    own.posted = ++st_matched.posted;
    own.completed = 0;
    st_matched_note_end(&own);
    if (!find_next(&own, &channel, status, &there)) {
        st_matched_join_source(end, status->source);
        return;
    }
    st_clocks_receives(there.sender, there.place);
    if (own.completed) {
        const struct st_sent_message message = st_matched_sent_message(&there);
        note_wildcard(&own, &channel, &message, found);
    }
}
