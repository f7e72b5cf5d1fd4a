/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/buffered.h"

#include <string.h>

#include "runtime/ranks/node.h"
#include "runtime/record/root.h"

/* By rank in MPI_COMM_WORLD. `sent`: messages to it in which this rank is blocked until a receive,
 * or a buffer, takes them. */
static struct st_blocking {
    uint32_t sent;
    uint32_t received;          /* messages from it of the same kind */
    uint64_t last_sent;         /* number of the last one, among the messages to all ranks */
    struct st_message_end last; /* the last one */
} * blocking;

static uint64_t all_sent;

enum { COUNTED = 0xffffff }; /* limit of st_message_had_received() */

/* MPI_Send, MPI_Send_c */
static uint16_t sends[2];

static uint16_t number_of(const char *name)
{
    for (uint16_t i = 0; i < st_form_count; i++)
        if (strcmp(st_form_table[i]->name, name) == 0)
            return i;
    return UINT16_MAX;
}

void st_buffered_begin(void)
{
    sends[0] = number_of("MPI_Send");
    sends[1] = number_of("MPI_Send_c");
    blocking = st_map(ST_SEGMENT_RANKS * sizeof *blocking);
}

/* Returns NULL if the process is not in this MPI_COMM_WORLD, or if this check is off. */
static struct st_blocking *blocking_of(uint64_t gpid)
{
    const int32_t rank = gpid && st_gpid_world(gpid) == st_root.world ? st_gpid_rank(gpid) : -1;
    return blocking && rank >= 0 && rank < ST_SEGMENT_RANKS ? &blocking[rank] : NULL;
}

bool st_buffered_leave(const struct st_message_end *end, bool alone, uint64_t *had_received)
{
    if (!alone || !blocking || (end->function != sends[0] && end->function != sends[1]))
        return false;
    struct st_blocking *to = blocking_of(end->process);
    if (!to)
        return false;
    to->sent++;
    to->last_sent = ++all_sent;
    to->last = *end;
    *had_received = to->received & COUNTED;
    return true;
}

void st_buffered_received(uint64_t sender, const struct st_message *message)
{
    struct st_blocking *from = blocking_of(sender);
    if (from && st_message_flags(message) & ST_MESSAGE_BLOCKS)
        from->received++;
}

void st_buffered_stop(void)
{
    blocking = NULL; /* its memory is never freed */
}

uint64_t st_buffered_sends(void)
{
    return all_sent;
}

const struct st_message_end *st_buffered_find(uint64_t sender, const struct st_message *taken,
                                              uint64_t before)
{
    const struct st_blocking *to = blocking_of(sender);
    if (!to || to->last_sent > before || !(st_message_flags(taken) & ST_MESSAGE_BLOCKS))
        return NULL;
    /* So many of them had not been received when that message was sent. */
    const uint32_t open = (to->sent - st_message_had_received(taken)) & COUNTED;
    return open != 0 && open < COUNTED / 2 ? &to->last : NULL;
}
