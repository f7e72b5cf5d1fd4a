/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/numbering.h"

#include <stdlib.h>

#include "core/agree/message.h"
#include "core/model/hash.h"

enum { MOST_CHANNELS = 1 << 18, MOST_LOST = 64 };

/* --- counts --------------------------------------------------------------------------------- */

static bool is_same(const struct st_channel *one, const struct st_channel *other)
{
    return one->comm == other->comm && one->source == other->source && one->tag == other->tag;
}

static uint32_t slot_of(const struct st_channel_counts *counts, const struct st_channel *channel)
{
    uint64_t name = (uint64_t)(uint32_t)channel->source << 32 | (uint32_t)channel->tag;
    uint32_t slot = (uint32_t)st_hash_word(channel->comm, name) & (counts->room - 1);
    while (counts->list[slot].count && !is_same(&counts->list[slot].channel, channel)) {
        slot = (slot + 1) & (counts->room - 1);
    }
    return slot;
}

static bool widen_counts(struct st_channel_counts *counts)
{
    struct st_channel_counts wider = {.used = counts->used,
                                      .room = counts->room ? 2 * counts->room : 64};
    if (wider.room > 2 * MOST_CHANNELS) {
        return false;
    }
    wider.list = calloc(wider.room, sizeof *wider.list);
    if (!wider.list) {
        return false;
    }
    for (uint32_t i = 0; i < counts->room; i++) {
        if (counts->list[i].count) {
            wider.list[slot_of(&wider, &counts->list[i].channel)] = counts->list[i];
        }
    }
    free(counts->list);
    *counts = wider;
    return true;
}

uint64_t *st_channel_count(struct st_channel_counts *counts, const struct st_channel *channel)
{
    if (counts->room) {
        struct st_channel_count *found = &counts->list[slot_of(counts, channel)];
        if (found->count) {
            return &found->count;
        }
    }
    /* Half of it stays free, so that a search is short. */
    if (counts->used >= counts->room / 2 && !widen_counts(counts)) {
        return NULL;
    }
    struct st_channel_count *made = &counts->list[slot_of(counts, channel)];
    *made = (struct st_channel_count){.channel = *channel};
    counts->used++;
    return &made->count;
}

static uint64_t count_of(const struct st_channel_counts *counts, const struct st_channel *channel)
{
    return counts->room ? counts->list[slot_of(counts, channel)].count : 0;
}

/* --- receives ------------------------------------------------------------------------------- */

enum st_receive_state {
    RECEIVE_FREE,
    RECEIVE_POSTED,    /* it takes a message that matches its pattern */
    RECEIVE_CANCELLED, /* the same, or none */
    RECEIVE_TOOK,      /* its channel is known, its number is not */
    RECEIVE_NUMBERED,  /* it has its number, and stays until those before it have theirs */
    RECEIVE_LOST       /* it is pending, on a communicator that is given up */
};

struct st_posted_receive {
    struct st_channel channel; /* a pattern, until it has taken a message */
    uint32_t before, behind;   /* in the order of posting; ST_NO_RECEIVE: there is none */
    uint8_t state;             /* enum st_receive_state */
};

struct st_numbering {
    struct st_posted_receive receives[ST_NUMBERING_ROOM];
    uint32_t first, last, free; /* free ones are linked by `behind` */
    uint32_t waiting;           /* number of those in RECEIVE_TOOK and RECEIVE_NUMBERED */
    uint32_t unnumbered;        /* in RECEIVE_TOOK */
    struct st_numbered told[ST_NUMBERING_ROOM];
    uint32_t told_first, told_count;
    struct st_channel_counts taken; /* one more than were taken, so that no count is 0 */
    uint64_t lost[MOST_LOST];
    uint32_t lost_count; /* more than MOST_LOST: all are */
};

struct st_numbering *st_numbering_new(void)
{
    struct st_numbering *numbering = calloc(1, sizeof *numbering);
    if (!numbering) {
        return NULL;
    }
    numbering->first = numbering->last = ST_NO_RECEIVE;
    for (uint32_t i = 0; i < ST_NUMBERING_ROOM; i++) {
        numbering->receives[i].behind = i + 1 < ST_NUMBERING_ROOM ? i + 1 : ST_NO_RECEIVE;
    }
    return numbering;
}

void st_numbering_free(struct st_numbering *numbering)
{
    if (numbering) {
        free(numbering->taken.list);
    }
    free(numbering);
}

static bool is_lost(const struct st_numbering *numbering, uint64_t comm)
{
    if (numbering->lost_count > MOST_LOST) {
        return true;
    }
    for (uint32_t i = 0; i < numbering->lost_count; i++) {
        if (numbering->lost[i] == comm) {
            return true;
        }
    }
    return false;
}

uint32_t st_numbering_post(struct st_numbering *numbering, uint64_t comm, int32_t source,
                           int32_t tag)
{
    const uint32_t number = numbering->free;
    if (is_lost(numbering, comm)) {
        return ST_NO_RECEIVE;
    }
    if (number == ST_NO_RECEIVE) {
        st_numbering_lose(numbering, comm);
        return ST_NO_RECEIVE;
    }
    struct st_posted_receive *receive = &numbering->receives[number];
    numbering->free = receive->behind;
    *receive = (struct st_posted_receive){.channel = {comm, source, tag},
                                          .before = numbering->last,
                                          .behind = ST_NO_RECEIVE,
                                          .state = RECEIVE_POSTED};
    if (numbering->last == ST_NO_RECEIVE) {
        numbering->first = number;
    } else {
        numbering->receives[numbering->last].behind = number;
    }
    numbering->last = number;
    return number;
}

static void take_out(struct st_numbering *numbering, uint32_t number)
{
    struct st_posted_receive *receive = &numbering->receives[number];
    if (receive->before == ST_NO_RECEIVE) {
        numbering->first = receive->behind;
    } else {
        numbering->receives[receive->before].behind = receive->behind;
    }
    if (receive->behind == ST_NO_RECEIVE) {
        numbering->last = receive->before;
    } else {
        numbering->receives[receive->behind].before = receive->before;
    }
    receive->state = RECEIVE_FREE;
    receive->behind = numbering->free;
    numbering->free = number;
}

/* Returns true if a receive may take, or has taken, a message of the channel. */
static bool admits(const struct st_posted_receive *receive, const struct st_channel *channel)
{
    const struct st_channel *own = &receive->channel;
    return own->comm == channel->comm &&
           (own->source == ST_NUMBERING_ANY || own->source == channel->source) &&
           (own->tag == ST_NUMBERING_ANY || own->tag == channel->tag);
}

static bool is_certain(const struct st_posted_receive *receive)
{
    return receive->state != RECEIVE_CANCELLED && receive->channel.source != ST_NUMBERING_ANY &&
           receive->channel.tag != ST_NUMBERING_ANY;
}

/* Counts the receives before `end` that have a message of the channel and are not counted yet.
 * Returns false if it is uncertain whether one of them has. */
static bool count_before(const struct st_numbering *numbering, uint32_t end,
                         const struct st_channel *channel, uint64_t *count)
{
    *count = 0;
    for (uint32_t i = numbering->first; i != end; i = numbering->receives[i].behind) {
        const struct st_posted_receive *receive = &numbering->receives[i];
        if (!admits(receive, channel)) {
            continue;
        }
        if (!is_certain(receive)) {
            return false;
        }
        ++*count;
    }
    return true;
}

static void tell_number(struct st_numbering *numbering, uint32_t receive, uint64_t number)
{
    uint32_t at = (numbering->told_first + numbering->told_count++) % ST_NUMBERING_ROOM;
    numbering->told[at] =
        (struct st_numbered){receive, numbering->receives[receive].channel, number};
}

/* Counts one more message of the channel. */
static void count_one(struct st_numbering *numbering, const struct st_channel *channel)
{
    uint64_t *count = st_channel_count(&numbering->taken, channel);
    if (count) {
        *count += *count ? 1 : 2;
    } else {
        st_numbering_lose(numbering, channel->comm);
    }
}

/* Computes the number of a receive, if it is certain. */
static void settle_receive(struct st_numbering *numbering, uint32_t number)
{
    struct st_posted_receive *receive = &numbering->receives[number];
    uint64_t before, counted;
    if (!count_before(numbering, number, &receive->channel, &before)) {
        return;
    }
    if (receive->state == RECEIVE_TOOK) {
        counted = count_of(&numbering->taken, &receive->channel);
        receive->state = RECEIVE_NUMBERED;
        numbering->unnumbered--;
        tell_number(numbering, number, (counted ? counted - 1 : 0) + before + 1);
    }
    if (before == 0) {
        count_one(numbering, &receive->channel);
        if (receive->state == RECEIVE_NUMBERED) { /* if not, the communicator was given up by it */
            numbering->waiting--;
            take_out(numbering, number);
        }
    }
}

/* Settles the receives behind it, which may have waited for this one. */
static void settle_from(struct st_numbering *numbering, uint32_t number, uint64_t comm)
{
    while (number != ST_NO_RECEIVE && numbering->waiting) {
        const struct st_posted_receive *receive = &numbering->receives[number];
        uint32_t behind = receive->behind;
        if (receive->channel.comm == comm &&
            (receive->state == RECEIVE_TOOK || receive->state == RECEIVE_NUMBERED)) {
            settle_receive(numbering, number);
        }
        number = behind;
    }
}

void st_numbering_cancels(struct st_numbering *numbering, uint32_t receive)
{
    if (numbering->receives[receive].state == RECEIVE_POSTED) {
        numbering->receives[receive].state = RECEIVE_CANCELLED;
    }
}

static bool is_pending(const struct st_posted_receive *receive)
{
    return receive->state == RECEIVE_POSTED || receive->state == RECEIVE_CANCELLED;
}

void st_numbering_took(struct st_numbering *numbering, uint32_t receive, int32_t source,
                       int32_t tag)
{
    struct st_posted_receive *own = &numbering->receives[receive];
    own->channel.source = source;
    own->channel.tag = tag;
    if (own->state == RECEIVE_LOST) {
        tell_number(numbering, receive, 0);
        take_out(numbering, receive);
        return;
    }
    own->state = RECEIVE_TOOK;
    numbering->unnumbered++;
    numbering->waiting++;
    settle_from(numbering, receive, own->channel.comm);
}

void st_numbering_took_none(struct st_numbering *numbering, uint32_t receive)
{
    uint32_t behind = numbering->receives[receive].behind;
    uint64_t comm = numbering->receives[receive].channel.comm;
    take_out(numbering, receive);
    settle_from(numbering, behind, comm);
}

void st_numbering_lose(struct st_numbering *numbering, uint64_t comm)
{
    if (is_lost(numbering, comm)) {
        return;
    }
    if (numbering->lost_count < MOST_LOST) {
        numbering->lost[numbering->lost_count] = comm;
    }
    numbering->lost_count++;
    for (uint32_t i = numbering->first, behind; i != ST_NO_RECEIVE; i = behind) {
        struct st_posted_receive *receive = &numbering->receives[i];
        behind = receive->behind;
        if (!is_lost(numbering, receive->channel.comm)) {
            continue;
        }
        if (is_pending(receive)) {
            receive->state = RECEIVE_LOST;
            continue;
        }
        if (receive->state == RECEIVE_TOOK) {
            numbering->unnumbered--;
            tell_number(numbering, i, 0);
        }
        if (receive->state != RECEIVE_LOST) {
            numbering->waiting--;
            take_out(numbering, i);
        }
    }
}

bool st_numbering_next(struct st_numbering *numbering, struct st_numbered *numbered)
{
    if (!numbering->told_count) {
        return false;
    }
    *numbered = numbering->told[numbering->told_first];
    numbering->told_first = (numbering->told_first + 1) % ST_NUMBERING_ROOM;
    numbering->told_count--;
    return true;
}

uint64_t st_numbering_of(const struct st_numbering *numbering, const struct st_channel *channel)
{
    uint64_t before;
    if (is_lost(numbering, channel->comm) ||
        !count_before(numbering, ST_NO_RECEIVE, channel, &before)) {
        return 0;
    }
    return st_numbering_taken(numbering, channel) + before + 1;
}

bool st_numbering_is_idle(const struct st_numbering *numbering)
{
    return numbering->first == ST_NO_RECEIVE;
}

uint32_t st_numbering_unnumbered(const struct st_numbering *numbering)
{
    return numbering->unnumbered;
}

uint64_t st_numbering_expects(const struct st_numbering *numbering, uint32_t receive,
                              struct st_channel *channel)
{
    const struct st_posted_receive *own = &numbering->receives[receive];
    uint64_t before;
    *channel = own->channel;
    if (own->state != RECEIVE_POSTED || !is_certain(own) ||
        !count_before(numbering, receive, channel, &before)) {
        return 0;
    }
    return st_numbering_taken(numbering, channel) + before + 1;
}

bool st_numbering_has_all(const struct st_numbering *numbering, uint32_t comm, int32_t tag)
{
    if (numbering->lost_count > MOST_LOST) {
        return false;
    }
    for (uint32_t i = 0; i < numbering->lost_count; i++) {
        if (st_message_comm(numbering->lost[i]) == comm) {
            return false;
        }
    }
    for (uint32_t i = numbering->first; i != ST_NO_RECEIVE; i = numbering->receives[i].behind) {
        const struct st_channel *own = &numbering->receives[i].channel;
        if (st_message_comm(own->comm) == comm &&
            (own->tag == ST_NUMBERING_ANY || own->tag == tag)) {
            return false;
        }
    }
    return true;
}

uint64_t st_numbering_taken(const struct st_numbering *numbering, const struct st_channel *channel)
{
    uint64_t counted = count_of(&numbering->taken, channel);
    return counted ? counted - 1 : 0;
}

struct st_channel_counts *st_numbering_counts(struct st_numbering *numbering)
{
    return &numbering->taken;
}

uint32_t st_numbering_losses(const struct st_numbering *numbering)
{
    return numbering->lost_count;
}
