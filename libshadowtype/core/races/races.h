/*
 * The one-sided accesses to a rank's memory, and which of them are in conflict: they share a byte, one of them at least
 * writes, none is complete before the other one begins, and they are not atomic together (MPI-4.0, 12.7).
 *
 *     struct st_races *races = st_races_new(ranks);
 *     struct st_remote *remote = st_races_enter(races, &seen);        // in any order
 *     st_races_end(races, &ending);                                   // all that is known by now, then
 *     st_races_settle(races, ready, met, context);
 *     st_races_forget(races, &known_to_all);
 *     st_races_free(races);
 *
 * An access begins with what its origin knew then (clock.h), and ends at a moment: a rank's tick. Access A is complete
 * before B begins if B's origin knew of the moment at which A ended. One that has not ended is ordered before none.
 *
 * The rank whose memory it is keeps them; two meet here, whoever made them. Not thread-safe.
 */
#ifndef ST_CORE_RACES_RACES_H
#define ST_CORE_RACES_RACES_H

#include "core/agree/access.h"
#include "core/overlap/active.h"

/* Tick `tick` of a rank. */
struct st_moment {
    uint32_t rank, tick;
};

/* An access that is kept. */
struct st_remote {
    struct st_active active;      /* its bytes, at their addresses; first */
    struct st_access_record call; /* as its origin has left it */
    uint32_t origin;              /* its place in the table of ranks */
    bool has_ended, is_settled;
    struct st_moment end;
    struct st_remote *next, *previous; /* in its list */
    struct st_clock start;             /* what its origin knew */
};

enum { ST_MOST_REMOTES = 16384 };

struct st_races;

/* For so many ranks. Returns NULL if there is no memory. */
struct st_races *st_races_new(uint32_t ranks);
void st_races_free(struct st_races *races);

/* An access as it was read, and its bytes at their addresses. Returns NULL if there is no memory. */
struct st_remote *st_races_enter(struct st_races *races, const struct st_access_record *call,
                                 uint32_t origin, const struct st_clock *start,
                                 const struct st_buffer *bytes);

/* Which accesses end: those of the origin that are left open, as far as all of the rest says. */
struct st_ending {
    uint32_t origin;
    uint64_t window;
    uint64_t number; /* the one of that number alone, if not 0 */
    uint8_t epoch;   /* enum st_access_epoch */
    uint8_t kind;    /* those that do this, if not 0 */
    bool by_match;   /* those alone whose `match` is at most: */
    uint32_t match;
    struct st_moment end;
};
void st_races_end(struct st_races *races, const struct st_ending *ending);

/* What is not known of an origin any more goes: all of its accesses that have not ended, or that of a number. Returns how
 * many those are. */
size_t st_races_drop(struct st_races *races, uint32_t origin, uint64_t number);
/* A window is gone. */
void st_races_drop_window(struct st_races *races, uint64_t window);

enum st_race {
    ST_RACE_NONE,
    ST_RACE_CONFLICT,
    ST_RACE_ELEMENTS,  /* atomic, of unlike basic datatypes, or of elements that overlap in part */
    ST_RACE_OPERATIONS /* atomic, of one element, by operations that may not meet */
};

/* Whether two accesses that share bytes are in conflict. */
enum st_race st_races_judge(const struct st_remote *one, const struct st_remote *other);

/* Compares those that are new with all. Of many that one call has made of the same bytes, and that have ended, the last ones
 * are kept. `ready` (may be NULL) returns false for those
 * that have to wait; it may add to their start. `met` is called for each pair in conflict, with a piece of memory that both
 * access. Returns the number of pairs that could not be decided. */
typedef bool (*st_races_ready)(void *context, struct st_remote *remote);
typedef void (*st_races_met)(void *context, const struct st_remote *one,
                             const struct st_remote *other, enum st_race race,
                             const struct st_shared *shared);
size_t st_races_settle(struct st_races *races, st_races_ready ready, st_races_met met,
                       void *context);

/* Forgets those that ended at a moment that everybody knows of: no access can be in conflict with them any more. */
void st_races_forget(struct st_races *races, const struct st_clock *known);

size_t st_races_count(const struct st_races *races);
/* How many there was no room for: each of those that came later was not compared with them. */
size_t st_races_forgotten(const struct st_races *races);

#endif
