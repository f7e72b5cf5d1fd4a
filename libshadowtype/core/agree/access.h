/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptions of a rank's one-sided calls, for the ranks whose memory they access: in the memory
 * that the ranks of a node share (segment.h), written before MPI carries out the call. The owner of
 * the memory compares them (core/races).
 *
 * A rank writes one list, a ring, for all owners. Nobody waits: entries that were not read in time
 * are overwritten, and counted.
 */
#ifndef ST_CORE_AGREE_ACCESS_H
#define ST_CORE_AGREE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/agree/clock.h"
#include "core/agree/message.h"

enum st_access_what {
    ST_ACCESS_CALL = 1,  /* an access begins */
    ST_ACCESS_END,       /* the accesses to a window are complete */
    ST_ACCESS_END_ONE,   /* the access of number `displacement` is complete */
    ST_ACCESS_TAKEN_BACK /* MPI has refused the access of number `displacement` */
};

/* What an access does at the target. */
enum st_access_kind {
    ST_ACCESS_READS = 0x1,
    ST_ACCESS_WRITES = 0x2,
    ST_ACCESS_ATOMIC = 0x4,    /* by basic elements: MPI_Accumulate, MPI_Get_accumulate, ... */
    ST_ACCESS_SWAPS = 0x8,     /* MPI_Compare_and_swap, which has no operation */
    ST_ACCESS_LOCAL = 0x10,    /* the buffer of a call of the owner itself */
    ST_ACCESS_ALONE = 0x20,    /* it has a request, and may end before others of its epoch */
    ST_ACCESS_UNCHECKED = 0x40 /* in an epoch that MPI_Win_start has begun with MPI_MODE_NOCHECK */
};

/* The epoch of an access, at its origin. */
enum st_access_epoch {
    ST_ACCESS_FENCE = 1,
    ST_ACCESS_STARTED,   /* between MPI_Win_start and MPI_Win_complete */
    ST_ACCESS_SHARED,    /* a lock */
    ST_ACCESS_EXCLUSIVE, /* a lock */
    ST_ACCESS_NO_CHECK,  /* a lock with MPI_MODE_NOCHECK: MPI may take none */
    ST_ACCESS_LOCKS      /* END: locks of all these kinds */
};
static inline bool st_access_is_locked(uint8_t epoch)
{
    return epoch >= ST_ACCESS_SHARED && epoch <= ST_ACCESS_NO_CHECK;
}

enum { ST_ACCESS_LEVELS = 3 };
#define ST_ACCESS_EVERY_OWNER UINT32_MAX

/* 128 bytes: two cache lines. */
struct st_access_record {
    uint64_t number;      /* in the rank's list, from 1 on; stored last, 0 while the rest changes */
    uint64_t window;      /* the window's id in this job */
    uint64_t element;     /* hash of the basic datatype, if all elements have the same; else 0 */
    int64_t displacement; /* in the target's displacement units */
    int64_t length;       /* in basic elements */
    uint32_t owner;       /* its index in the table of ranks, or ST_ACCESS_EVERY_OWNER */
    uint32_t sent;        /* CALL: its number among those to this owner, from 1 on */
    uint32_t tick;        /* CALL: the rank's tick when it begins; END: later accesses come after
                             it */
    uint32_t match;       /* CALL: the number of the fence, or of the MPI_Win_start with this
                             owner */
    uint32_t place;       /* call site, in the rank's area (places.h); END: of the call that
                             completes */
    uint32_t operation;   /* the lower half of the hash of a predefined operation; 0: none */
    uint16_t function;    /* the form's number */
    uint8_t what;         /* enum st_access_what */
    uint8_t kind;         /* enum st_access_kind; END: only accesses that do this; 0: all */
    uint8_t epoch;        /* enum st_access_epoch */
    uint8_t element_size; /* bytes; 0: not known */
    uint8_t levels;       /* how many levels repeat the block; */
    uint8_t runs;         /* or, if not 0: number of blocks, which are in the struct
                             st_access_runs after it */
    int64_t low;          /* of the first byte, relative to the displacement */
    uint64_t block;       /* bytes */
    uint64_t strides[ST_ACCESS_LEVELS];
    uint32_t counts[ST_ACCESS_LEVELS];
    uint32_t opened; /* CALL: call site of the call that opened the epoch, and
                        ST_ACCESS_OPENED_ALL */
};
/* MPI_Win_lock_all has; places are below. */
#define ST_ACCESS_OPENED_ALL (UINT32_C(1) << 30)
_Static_assert(sizeof(struct st_access_record) == 128, "two cache lines");

/* The blocks of an access, relative to displacement `low`: bytes from..to-1. */
enum { ST_ACCESS_RUNS_EACH = 7, ST_ACCESS_MOST_RUNS = 28 * ST_ACCESS_RUNS_EACH };
struct st_access_runs {
    uint64_t number;
    struct {
        uint64_t from, to;
    } runs[ST_ACCESS_RUNS_EACH];
    uint64_t mark; /* ST_ACCESS_RUNS, which no record has at its end */
};
#define ST_ACCESS_RUNS UINT64_MAX
_Static_assert(sizeof(struct st_access_runs) == sizeof(struct st_access_record), "in one list");

/* A tick with a name, by which other ranks find it. It is in one of ST_MARK_WAYS adjacent places. */
enum { ST_MARK_WAYS = 4 };
struct st_access_mark {
    uint64_t key; /* stored last; another value while the tick changes; 0: never used */
    uint32_t tick;
    uint32_t stamp; /* for the writer: the lowest one of the ways is the oldest */
};

/* The memory that a rank has in a window, for those who access it. */
struct st_access_memory {
    uint64_t key; /* the window's id; stored last, 0 while the rest changes */
    int64_t bytes, unit;
};

enum {
    ST_LOG2_ACCESSES = 13,
    ST_LOG2_MARKS = 8,
    ST_LOG2_ENTRIES = 10,
    ST_LOG2_TAKEN = 10,
    ST_ACCESS_WINDOWS = 128
};

/* The room of one rank. */
struct st_access_room {
    uint64_t written; /* number of the last access */
    struct st_clock_history clocks;
    struct st_access_mark marks[1 << ST_LOG2_MARKS];     /* of windows */
    struct st_access_mark entries[1 << ST_LOG2_ENTRIES]; /* of collective calls */
    struct st_access_mark
        taken[1 << ST_LOG2_TAKEN]; /* of messages: the rank's tick before it knew of one */
    struct st_access_memory windows[ST_ACCESS_WINDOWS];
    struct st_access_record list[1 << ST_LOG2_ACCESSES];
};

/* Writes an access, and its runs (NULL: none). Returns its number. Only for the process that owns
 * the room. */
uint64_t st_access_write(struct st_access_room *room, const struct st_access_record *access,
                         const struct st_access_runs *runs);

/* Read the entry with a number. Return false if it is not there any more, or is of another kind. */
bool st_access_read(const struct st_access_room *room, uint64_t number,
                    struct st_access_record *access);
bool st_access_read_runs(const struct st_access_room *room, uint64_t number,
                         struct st_access_runs *runs);
/* Reads only for whom it is. */
bool st_access_read_owner(const struct st_access_room *room, uint64_t number, uint32_t *owner);

/* Says at place `at` what memory the rank has in a window; key 0: none any more. Only the room's process does. */
void st_access_give_memory(struct st_access_room *room, uint32_t at,
                           const struct st_access_memory *memory);
/* Fills bytes and unit of the window memory->key. Returns false if they are not known (yet). */
bool st_access_find_memory(const struct st_access_room *room, struct st_access_memory *memory);

void st_access_mark(struct st_access_mark *marks, uint32_t log2_marks, uint64_t key, uint32_t tick);

/* ST_MARK_NONE: it never existed; ST_MARK_GONE: another one has its place. */
enum st_mark { ST_MARK_NONE, ST_MARK_FOUND, ST_MARK_GONE };
enum st_mark st_access_marked(const struct st_access_mark *marks, uint32_t log2_marks, uint64_t key,
                              uint32_t *tick);

#endif
