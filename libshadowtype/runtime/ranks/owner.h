/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one-sided calls of all ranks to the memory of this rank: reads them, and compares them with
 * each other (core/races).
 *
 * Reading and comparing happen within this rank's own calls of MPI. The caller holds the recorder's
 * lock, except for reporting.
 */
#ifndef ST_RUNTIME_RANKS_OWNER_H
#define ST_RUNTIME_RANKS_OWNER_H

#include "core/races/races.h"
#include "runtime/objects/attached.h"
#include "runtime/ranks/win_memory.h"
#include "runtime/wrap/uses.h"

/* One of two accesses in conflict. */
struct st_race_side {
    struct st_access_record call;
    uint32_t origin; /* its place in the table of ranks */
    bool has_ended;
    /* The call that has completed it, in the area of that rank; place 0: not known. */
    uint32_t end_rank, end_place;
    uint16_t end_function;
};

struct st_race_pair {
    struct st_race_side sides[2];
    enum st_race race;
    uint64_t handle;       /* the window of the first one, as this rank holds it */
    uint64_t first, last;  /* bytes of this rank's window that both access */
    bool mixes_operations; /* the window's info says that operations may meet */
};

enum st_broken_assertion {
    ST_BROKEN_NONE,
    ST_BROKEN_NO_PUT,
    ST_BROKEN_NO_CHECK,     /* MPI_Win_start comes before MPI_Win_post, or nothing orders them */
    ST_BROKEN_NO_CHECK_POST /* MPI_Win_start has MPI_MODE_NOCHECK, and MPI_Win_post does not */
};

/* An access that is wrong by itself: to memory that is not attached to its window, of MPI_Win_create_dynamic, or
 * against an assertion of this rank. */
struct st_wrong_access {
    struct st_race_side side;
    uint64_t handle;      /* the window, as this rank holds it */
    uint64_t first, last; /* bytes of the window; of a dynamic one: addresses */
    enum st_broken_assertion broken;
    uint32_t asserted; /* place of the call of this rank, MPI_Win_post or MPI_Win_fence */
    /* None is broken: the memory is not attached. */
    enum st_attachment how;
    bool has_nearest;
    struct st_attached_memory nearest;
};

/* Returns false if there is no memory. */
bool st_owner_begin(void);

/* This rank has written an access with this number: if it is to the memory of another one, it need not read it. */
void st_owner_passes(uint64_t number);

/* Reads new accesses. This rank then knows of all that it may have seen in its memory. */
void st_owner_listen(void);

/* A call of this rank begins, which accesses memory (ACCESS: bits of enum st_access): the part of
 * it in this rank's windows is compared with the accesses of others. Returns a number for all of
 * it, 0 if there is none. The next function ends it. */
uint64_t st_owner_uses(const struct st_uses *uses, unsigned access, uint16_t function,
                       uint32_t place);
void st_owner_used(uint64_t number);

/* The fence, numbered from 1 on, or exposure epoch of this window has ended here: with all the accesses that it had.
 * FACTS: of the call that ends it. */
void st_owner_ends_fence(const struct st_facts *facts, struct st_win_memory *window);
void st_owner_ends_exposure(const struct st_facts *facts, struct st_win_memory *window);
void st_owner_drops(struct st_win_memory *window);

/* Compares the accesses that were read. */
void st_owner_compare(void);

/* Removes one of the pairs that were found. Returns false if there is none. */
bool st_owner_next(struct st_race_pair *pair);
/* The same for accesses that are wrong by themselves. */
bool st_owner_next_wrong(struct st_wrong_access *access);

#endif
