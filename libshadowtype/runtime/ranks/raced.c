/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/raced.h"

#include <string.h>

#include "runtime/ranks/clocks.h"
#include "runtime/ranks/node.h"
#include "runtime/record/root.h"

atomic_bool st_raced_on;

enum { KEPT = 64, MOST_TOLD = 256 };

/* The last receives from any source. */
static struct st_wildcard {
    struct st_message_end taker;
    struct st_sent_message taken;
    bool is_used;
} kept[KEPT];
static uint32_t next;

/* Races that were found, each at another call site. */
static struct st_told_race {
    uint32_t place;
    struct st_sent_message rival; /* reports refer to it */
} *told;
static uint32_t told_count;

bool st_raced_begin(void)
{
    told = st_map(MOST_TOLD * sizeof *told);
    atomic_store(&st_raced_on, told);
    return told;
}

static bool is_told(const struct st_message_end *taker)
{
    for (uint32_t i = 0; i < told_count; i++) {
        if (told[i].place == taker->place) {
            return true;
        }
    }
    return told_count == MOST_TOLD;
}

void st_raced_took(const struct st_message_end *taker, const struct st_sent_message *taken)
{
    if (taken->tick && taken->sender < ST_CLOCK_RANKS && !is_told(taker)) {
        kept[next++ % KEPT] = (struct st_wildcard){*taker, *taken, true};
    }
}

/* MPI_Ssend, MPI_Issend, ... */
static bool is_synchronous(const struct st_message *message)
{
    const uint16_t number = st_message_function(message);
    const char *name = number < st_form_count ? st_form_table[number]->name : "";
    return strstr(name, "Ssend") || strstr(name, "ssend");
}

/* Returns true if the message could have been sent before the receive was complete. If the sender
 * of the received one waited for the receive in MPI_Ssend, others may have learnt of it from that
 * sender, and from no tick of this rank. */
static bool is_concurrent(const struct st_wildcard *own, const struct st_sent_message *other)
{
    struct st_clock knew;
    st_clocks_of(other->sender, other->tick, &knew);
    if (knew.ticks[st_ranks_node.rank] >= own->taker.completed) {
        return false;
    }
    return !is_synchronous(&own->taken.message) || knew.ticks[own->taken.sender] < own->taken.tick;
}

/* Returns true if the receive would have taken the message if it had come first. */
static bool would_fit(const struct st_wildcard *own, const struct st_sent_message *other,
                      uint64_t posted)
{
    return own->is_used && own->taker.posted < posted && own->taken.sender != other->sender &&
           st_message_comm(own->taker.id) == other->message.comm &&
           (own->taker.tag == ST_NUMBERING_ANY || own->taker.tag == other->message.tag);
}

/* Nothing is known of the order of ranks any more. */
static bool is_blind(uint32_t sender)
{
    return sender != st_ranks_node.rank && st_clocks_now()->ticks[sender] == ST_TICK_ALL;
}

bool st_raced_find(const struct st_sent_message *other, uint64_t posted, struct st_misfit *race)
{
    if (!other->tick || other->sender >= ST_CLOCK_RANKS || is_blind(other->sender)) {
        return false;
    }
    for (uint32_t i = 0; i < KEPT; i++) {
        struct st_wildcard *own = &kept[i];
        if (!would_fit(own, other, posted) || !is_concurrent(own, other)) {
            continue;
        }
        own->is_used = false;
        if (is_told(&own->taker)) {
            continue;
        }
        told[told_count] = (struct st_told_race){own->taker.place, *other};
        *race = (struct st_misfit){.check = ST_MATCH_RACE,
                                   .sent = own->taken.message,
                                   .sender = own->taken.sender,
                                   .rival = &told[told_count++].rival,
                                   .taker = own->taker};
        return true;
    }
    return false;
}
