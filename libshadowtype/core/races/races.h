/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one-sided accesses to a rank's memory, and which of them are in conflict: they share a byte,
 * at least one of them writes, neither is complete before the other one begins, and they are not
 * atomic together (MPI-4.0, 12.7).
 *
 *     struct st_races *races = st_races_new(ranks);
 *     struct st_remote *remote = st_races_enter(races, &seen);        // in any order
 *     st_races_end(races, &ending);                                   // all that is known by now, then
 *     st_races_settle(races, ready, met, context);
 *     st_races_forget(races, &known_to_all);
 *     st_races_free(races);
 *
 * An access begins with what its origin knew then (clock.h), and ends at a moment: a rank's tick.
 * Access A is complete before B begins if B's origin knew of the moment at which A ended. An access
 * that has not ended is before no other.
 *
 * The rank that owns the memory keeps the accesses, so all accesses to it are compared in one
 * place, whoever made them. Not thread-safe.
 */
#ifndef ST_CORE_RACES_RACES_H
#define ST_CORE_RACES_RACES_H

#include "core/agree/access.h"
#include "core/overlap/active.h"

/* Tick `tick` of a rank. */
struct st_moment {
    uint32_t rank, tick;
};

/* An access that is kept, or several of one call site, each of which begins where the one before ends. */
struct st_remote {
    struct st_active active;      /* its bytes, at their addresses; first */
    struct st_access_record call; /* as its origin has written it: the first one */
    uint64_t last_number;         /* of the last one */
    uint32_t origin;              /* index of its origin in the table of ranks */
    bool has_ended, is_settled;
    bool is_even; /* all elements are at multiples of their size from the first one on */
    struct st_moment end;
    /* The call that completed it, in the area of end.rank. Place 0: not known. */
    uint32_t end_place;
    uint16_t end_function;             /* its form's number */
    struct st_remote *next, *previous; /* in its list */
    struct st_clock start;             /* what its origin knew */
};

enum { ST_MOST_REMOTES = 16384 };

struct st_races;

/* Makes one for so many ranks. Returns NULL if there is no memory. */
struct st_races *st_races_new(uint32_t ranks);
void st_races_free(struct st_races *races);

/* Adds an access that was read, with its bytes at their addresses. Returns NULL if there is no
 * memory. */
struct st_remote *st_races_enter(struct st_races *races, const struct st_access_record *call,
                                 uint32_t origin, const struct st_clock *start,
                                 const struct st_buffer *bytes);

/* Adds an access to one of the last ones of its origin, if one call site has made both at one tick, and it begins where
 * that one ends, or does no more than that one. Accesses up to number `until` are not joined with later ones: what is
 * compared by then waits for no later call. Returns false if there is none: then the access has to be entered. */
bool st_races_continue(struct st_races *races, const struct st_access_record *call, uint32_t origin,
                       const struct st_buffer *bytes, uint64_t until);

/* Of an access that several calls have made: returns how many bytes those before the one at `address` access. */
static inline uint64_t st_remote_skipped(const struct st_remote *remote, uint64_t address)
{
    const uint64_t block = remote->call.block;
    const bool is_joined = remote->last_number != remote->call.number && block;
    return is_joined ? (address - remote->active.buffer.first) / block * block : 0;
}

/* Selects accesses that end: those of the origin that have not ended and fulfil all conditions. */
struct st_ending {
    uint32_t origin;
    uint64_t window;
    uint64_t number; /* only the one of this number, if not 0 */
    uint8_t epoch;   /* enum st_access_epoch */
    uint8_t kind;    /* only those that do this, if not 0 */
    bool by_match;   /* only those whose `match` is at most: */
    uint32_t match;
    struct st_moment end;
    uint32_t place; /* of the call that does it, in the area of end.rank; 0: not known */
    uint16_t function;
};
void st_races_end(struct st_races *races, const struct st_ending *ending);

/* Removes accesses of an origin whose ends cannot be known any more: all that have not ended, or
 * the one of a number. Returns how many. */
size_t st_races_drop(struct st_races *races, uint32_t origin, uint64_t number);
/* A window is gone. */
void st_races_drop_window(struct st_races *races, uint64_t window);

enum st_race {
    ST_RACE_NONE,
    ST_RACE_CONFLICT,
    ST_RACE_ELEMENTS,  /* atomic, of different basic datatypes, or of elements that overlap in
                          part */
    ST_RACE_OPERATIONS /* atomic, of one element, by operations that are not atomic together */
};

/* Returns whether two accesses that share bytes are in conflict. */
enum st_race st_races_judge(const struct st_remote *one, const struct st_remote *other);

/* Compares the new accesses with all. Of many that one call has made to the same bytes, only the first
 * of an open epoch, and the last ones of those that have ended are kept. `ready` (may be NULL) returns false for accesses that
 * must wait; it may add to their start. `met` is called for each pair in conflict, with a piece of
 * memory that both access. Returns the number of pairs that could not be decided. */
typedef bool (*st_races_ready)(void *context, struct st_remote *remote);
typedef void (*st_races_met)(void *context, const struct st_remote *one,
                             const struct st_remote *other, enum st_race race,
                             const struct st_shared *shared);
size_t st_races_settle(struct st_races *races, st_races_ready ready, st_races_met met,
                       void *context);

/* Forgets accesses that ended at a moment that all ranks know: no later access can be in conflict
 * with them. */
void st_races_forget(struct st_races *races, const struct st_clock *known);

size_t st_races_count(const struct st_races *races);
/* Returns how many did not fit: later ones were not compared with them. */
size_t st_races_forgotten(const struct st_races *races);

#endif
