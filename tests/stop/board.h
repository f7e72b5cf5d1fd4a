/*
 * What a rank under test tells the test that stops it: memory that both have mapped, so that no
 * stop can tear it away.
 *
 *     struct stop_board *board = stop_board_of_rank();    (the rank; NULL: nobody watches)
 *     board->root = address of the registry
 *
 * The test makes the file and leaves its descriptor to the rank, in $STOP_BOARD.
 */
#ifndef TESTS_STOP_BOARD_H
#define TESTS_STOP_BOARD_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define STOP_BOARD "STOP_BOARD"

/* steps_rank.c: how often a part changes what can be read. */
enum stop_rule {
    STOP_SAME,   /* not at all */
    STOP_ONCE,   /* at one instruction, from all of the old to all of the new */
    STOP_CHANGES /* several times, each at one instruction, between two values of root.changes */
};

/* steps_pending.c: what a part does with the pending operations. */
struct stop_operations {
    char function[40]; /* the only MPI function that it calls; "": any, and no operation changes */
    int32_t tag;       /* that it passes; -1: none */
    uint32_t begins, ends;
};

/* threads_rank.c: how far a thread is with one of its types. Each may be seen at any time. */
enum stop_phase {
    STOP_NONE,
    STOP_CREATING,
    STOP_CREATED, /* MPI has returned: the handle is known */
    STOP_COMMITTING,
    STOP_COMMITTED,
    STOP_NAMING,
    STOP_NAMED,
    STOP_FREEING
};

enum { STOP_THREADS = 2, STOP_HELD = 24 };
enum { STOP_BASE = 3, STOP_FIRST_ID = 1000 }; /* the count of an old type; other types' first id */

struct stop_held {
    uint32_t phase; /* enum stop_phase; written last */
    uint32_t id;    /* in the type's parameters: no other type of the run has it */
    uint64_t handle;
};

struct stop_board {
    uint64_t root;
    char part[64];
    struct stop_operations operations;
    uint32_t rule;
    uint32_t unsupported; /* 1: this MPI cannot run the test */
    uint32_t done;
    uint32_t spare;
    uint64_t rounds[STOP_THREADS];
    struct stop_held held[STOP_THREADS][STOP_HELD];
};

static inline struct stop_board *stop_board_map(int descriptor)
{
    void *pages =
        mmap(NULL, sizeof(struct stop_board), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

static inline struct stop_board *stop_board_of_rank(void)
{
    const char *descriptor = getenv(STOP_BOARD);
    return descriptor ? stop_board_map((int)strtol(descriptor, NULL, 10)) : NULL;
}

#endif
