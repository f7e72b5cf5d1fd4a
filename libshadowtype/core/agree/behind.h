/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds sends that wait for each other in a circle if MPI buffers nothing.
 *
 * A message is *behind* a send of its receiver if the receive was posted after that send had
 * returned. If sends waited for their receives, this send would have to be complete before the
 * message is received. So in a circle of messages of which each is behind the next no send could
 * ever return.
 *
 * Each rank has a room. When it receives a message it writes there which of its own sends the
 * message is behind, and looks for a circle:
 *
 *     struct st_sent_name circle[ST_MOST_CIRCLE];
 *     size_t count = st_behind_enter(&rooms, &message, &last_send, circle);    // 0: none
 *
 * Whoever writes last finds it. A chain of messages that is known to end is marked: so a message
 * that is answered, and its answer, cost one look each. Old entries are overwritten; a circle is
 * then missed.
 */
#ifndef ST_CORE_AGREE_BEHIND_H
#define ST_CORE_AGREE_BEHIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message from one process to another (st_gpid()). */
struct st_sent_name {
    uint64_t channel, number; /* as in struct st_message; number without its upper bits */
    uint64_t sender, receiver;
};

enum { ST_LOG2_BEHIND = 8, ST_MOST_CIRCLE = 32 };

/* One writer, any number of readers; all 0: empty. */
struct st_behind_room {
    struct st_behind {
        uint64_t number; /* stored last, 0 while the rest changes */
        uint64_t channel;
        uint64_t next_channel, next_number; /* the send that the message is behind; 0: none */
        uint64_t next_receiver;
        uint64_t ends; /* not 0: its chain is known to end */
        uint64_t spare[2];
    } list[1 << ST_LOG2_BEHIND];
};

_Static_assert(sizeof(struct st_behind_room) % 4096 == 0, "whole pages");

/* The rooms of all processes. `of` returns NULL if there is none. */
struct st_behind_rooms {
    const struct st_behind_room *(*of)(uint64_t process);
    struct st_behind_room *own;
};

/* The calling rank has received a message, by a receive that was posted after its own send `next`
 * had returned; NULL: after none. Stores the messages of a circle, each behind the next, and
 * returns how many; 0: there is none, or it is not known yet. */
size_t st_behind_enter(const struct st_behind_rooms *rooms, const struct st_sent_name *message,
                       const struct st_sent_name *next, struct st_sent_name circle[ST_MOST_CIRCLE]);

#endif
