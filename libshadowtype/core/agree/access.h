/*
 * What a rank leaves of its one-sided calls for those whose memory they access: in the memory that the ranks of a node
 * share (segment.h), before MPI has the call. Who owns the memory compares (core/races).
 *
 * A rank writes one list, a ring, for all owners. Nobody waits: what was not read in time is overwritten, and counted.
 */
#ifndef ST_CORE_AGREE_ACCESS_H
#define ST_CORE_AGREE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/agree/clock.h"
#include "core/agree/message.h"

enum st_access_what {
    ST_ACCESS_CALL = 1,  /* an access begins */
    ST_ACCESS_END,       /* those to a window are complete */
    ST_ACCESS_END_ONE,   /* that of number `displacement` is */
    ST_ACCESS_TAKEN_BACK /* MPI has refused that of number `displacement` */
};

/* What it does at the target. */
enum st_access_kind {
    ST_ACCESS_READS = 0x1,
    ST_ACCESS_WRITES = 0x2,
    ST_ACCESS_ATOMIC = 0x4, /* by basic elements: MPI_Accumulate and its like */
    ST_ACCESS_SWAPS = 0x8,  /* MPI_Compare_and_swap, which has no operation */
    ST_ACCESS_LOCAL = 0x10  /* the buffer of a call of the owner's own */
};

/* The epoch that it is in, at its origin. */
enum st_access_epoch {
    ST_ACCESS_FENCE = 1,
    ST_ACCESS_STARTED,   /* between MPI_Win_start and MPI_Win_complete */
    ST_ACCESS_SHARED,    /* a lock */
    ST_ACCESS_EXCLUSIVE, /* a lock */
    ST_ACCESS_LOCKS      /* END: of both sorts */
};

enum { ST_ACCESS_LEVELS = 3 };
#define ST_ACCESS_EVERY_OWNER UINT32_MAX

/* 128 bytes: two cache lines. */
struct st_access_record {
    uint64_t number;      /* in the rank's list, from 1 on; stored last, 0 while the rest changes */
    uint64_t window;      /* the window's id, of this job */
    uint64_t element;     /* the basic datatype, where all are the same: its hash; else 0 */
    int64_t displacement; /* in the target's units */
    int64_t length;       /* in basic elements */
    uint32_t owner;       /* its place in the table of ranks, or ST_ACCESS_EVERY_OWNER */
    uint32_t sent;        /* CALL: which one to this owner, from 1 on */
    uint32_t tick;        /* CALL: the rank's when it begins; END: all that comes later is behind */
    uint32_t match;       /* CALL: of which fence, or MPI_Win_start with this owner */
    uint32_t place;       /* call site, in the rank's area (places.h) */
    uint32_t operation;   /* a predefined one, the lower half of its hash; 0: none */
    uint16_t function;    /* the form's number */
    uint8_t what;         /* enum st_access_what */
    uint8_t kind;         /* enum st_access_kind; END: of those that do this; 0: of all */
    uint8_t epoch;        /* enum st_access_epoch */
    uint8_t element_size; /* bytes; 0: not known */
    uint8_t levels;       /* how the block is repeated; */
    uint8_t runs;         /* or, not 0: so many blocks, in the struct st_access_runs behind it */
    int64_t low;          /* of the first byte, from the displacement on */
    uint64_t block;       /* bytes */
    uint64_t strides[ST_ACCESS_LEVELS];
    uint32_t counts[ST_ACCESS_LEVELS];
    uint32_t spare; /* 0 */
};
_Static_assert(sizeof(struct st_access_record) == 128, "two cache lines");

/* Blocks of an access, from displacement `low` on: bytes from..to-1. */
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

/* A tick under a name: what other ranks ask for. Each may stand in one of ST_MARK_WAYS places, side by side. */
enum { ST_MARK_WAYS = 4 };
struct st_access_mark {
    uint64_t key; /* stored last, another one while the tick changes; 0: none ever was */
    uint32_t tick;
    uint32_t stamp; /* the writer's: the lowest of the ways is the oldest */
};

enum { ST_LOG2_ACCESSES = 13, ST_LOG2_MARKS = 8, ST_LOG2_ENTRIES = 10 };

/* A rank's. */
struct st_access_room {
    uint64_t written; /* number of the last access */
    struct st_clock_history clocks;
    struct st_access_mark marks[1 << ST_LOG2_MARKS];     /* of windows */
    struct st_access_mark entries[1 << ST_LOG2_ENTRIES]; /* of collective calls */
    uint32_t sent[1 << ST_LOG2_MESSAGES]; /* by place in st_message_room: the tick of the send */
    struct st_access_record list[1 << ST_LOG2_ACCESSES];
};

/* Leaves an access, and its runs (NULL: none). Returns its number. Only the room's process does. */
uint64_t st_access_write(struct st_access_room *room, const struct st_access_record *access,
                         const struct st_access_runs *runs);

/* Fill what has a number. Return false if it is not there any more, or the other sort is. */
bool st_access_read(const struct st_access_room *room, uint64_t number,
                    struct st_access_record *access);
bool st_access_read_runs(const struct st_access_room *room, uint64_t number,
                         struct st_access_runs *runs);

void st_access_mark(struct st_access_mark *marks, uint32_t log2_marks, uint64_t key, uint32_t tick);

/* ST_MARK_NONE: it never was; ST_MARK_GONE: another one has its place. */
enum st_mark { ST_MARK_NONE, ST_MARK_FOUND, ST_MARK_GONE };
enum st_mark st_access_marked(const struct st_access_mark *marks, uint32_t log2_marks, uint64_t key,
                              uint32_t *tick);

#endif
