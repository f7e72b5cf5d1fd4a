/*
 * The one-sided calls of all ranks to the memory of this one: read from where they have left them, and held against each
 * other (core/races).
 *
 * Listening and comparing happen in this rank's own calls of MPI. The caller holds the recorder's lock, but for telling.
 */
#ifndef ST_RUNTIME_RANKS_OWNER_H
#define ST_RUNTIME_RANKS_OWNER_H

#include "core/races/races.h"
#include "runtime/ranks/win_memory.h"
#include "runtime/wrap/uses.h"

/* One of two accesses in conflict. */
struct st_race_side {
    struct st_access_record call;
    uint32_t origin; /* its place in the table of ranks */
};

struct st_race_pair {
    struct st_race_side sides[2];
    enum st_race race;
    uint64_t handle;      /* the window of the first one, as this rank holds it */
    uint64_t first, last; /* bytes of this rank's window that both access */
};

/* Returns false if there is no memory. */
bool st_owner_begin(void);

/* Reads what has come since, and knows then of what it may have seen in its memory. */
void st_owner_listen(void);

/* A call of this rank begins, which uses memory: what of it lies in its windows, and is accessed so (ACCESS: bits of enum
 * st_access), is compared with what others do there. Returns a number for all of it, 0: it is none. It is over. */
uint64_t st_owner_uses(const struct st_uses *uses, unsigned access, uint16_t function,
                       uint32_t place);
void st_owner_used(uint64_t number);

/* The fence, numbered from 1 on, or exposure epoch of this window has ended here: with all the accesses that it had. */
void st_owner_ends_fence(struct st_win_memory *window);
void st_owner_ends_exposure(struct st_win_memory *window);
void st_owner_drops(struct st_win_memory *window);

/* Compares what was read. */
void st_owner_compare(void);

/* Takes one of the pairs that were found. Returns false if there is none. */
bool st_owner_next(struct st_race_pair *pair);

#endif
