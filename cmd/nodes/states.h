/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the ranks of a node wait for, as its agent has read it, on the way to `mpipp run'.
 *
 *     struct states_writer *writer = states_begin();
 *     states_add(writer, &told);                            // of each rank
 *     char *bytes = states_end(writer, &length);
 *
 *     struct states *states = states_read(bytes, length);   // NULL: damaged
 *     for (size_t i = 0; i < states->count; i++) {
 *         const struct states_one *one = &states->list[i];
 *         if (one->is_read) { states_fill(one, &rank); ... states_frames(states, rank.threads[0].call.site) ... }
 *     }
 *     states_drop(states);
 *
 * A rank that waits takes some 20 bytes: what is equal in many of them is there once, and ranks that differ only in whom they
 * wait for differ in a few bytes. Numbers that mean something only in the rank itself (handles, threads, addresses) do not
 * travel. What comes is not trusted: a state that does not add up is damaged.
 */
#ifndef MPIPP_NODES_STATES_H
#define MPIPP_NODES_STATES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/waits/shown.h"
#include "core/waits/state.h"

/* --- in an agent ----------------------------------------------------------------------------------- */

struct states_told {
    int64_t pid;
    uint64_t identity; /* of its call */
    bool is_read;      /* `waits' is what it waits for */
    bool
        is_stuck; /* it was in the same call afterwards, and has no other threads that may call MPI */
    bool is_stopped; /* by a debugger, or a signal */
    const struct st_wait_rank *waits;
    const struct st_wait_shown *shown; /* NULL: nothing is known of its messages */
    /* Where a call was made, as frames in JSON (spots_of_site()); CALL: that of a thread; NULL: of a request, from SITE. The
     * text has to last until the next call. NULL: it is not known. */
    const char *(*frames)(void *context, const struct st_thread_call *call, uint32_t site);
    void *context;
};

struct states_writer;
struct states_writer *states_begin(void);
void states_add(struct states_writer *writer, const struct states_told *told);
/* Frees the writer. Returns new memory. */
char *states_end(struct states_writer *writer, size_t *length);

/* --- in `mpipp run' -------------------------------------------------------------------------------- */

struct states_class;
struct states_set;

struct states_one {
    int64_t pid;
    uint64_t identity;
    bool is_read, is_stuck, is_stopped;
    int32_t world_rank;
    const struct states_class *of;
    const struct states_set *set;
    struct st_wait_part *parts;
    const struct st_wait_shown *shown; /* NULL: not known */
};

/* What one message has told. */
struct states {
    struct states_one *list;
    size_t count;
    size_t users;
};

/* Returns NULL if it is damaged, or needs more memory than any node may: else it has one user. */
struct states *states_read(const char *bytes, size_t length);
struct states *states_share(struct states *states);
/* Frees it with the last of its users. STATES may be NULL. */
void states_drop(struct states *states);

/* Fills all members but is_stuck, worlds and messages. The lists belong to the states, and must not be freed, or changed. A
 * site is a number for states_frames(). */
void states_fill(const struct states_one *one, struct st_wait_rank *rank);

/* The frames of a site, and the same as text; NULL: nothing is known. */
const json_t *states_frames(const struct states *states, uint32_t site);
const char *states_frames_text(const struct states *states, uint32_t site);

#endif
