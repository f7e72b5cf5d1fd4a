/* A job whose ranks wait, written down: for tests of who can never go on (core/waits/deaths.h). */
#ifndef WAITING_H
#define WAITING_H

#include "core/waits/deaths.h"

enum { RANKS = 4, WORLD = 9, OTHER_WORLD = 11, ID = 77 };

/* Each rank has one thread, one communicator of all of them, and some parts. */
struct job {
    struct st_wait_rank ranks[RANKS];
    struct st_wait_thread threads[RANKS];
    struct st_wait_part parts[RANKS][2];
    struct st_wait_part pending[RANKS];
    struct st_wait_comm comms[RANKS];
    struct st_win_peer peers[RANKS][RANKS];
    uint64_t members[RANKS];
    size_t count;
};

/* All run. */
void make_job(struct job *job, size_t count);

/* A rank waits for one part more. Returns that part. */
struct st_wait_part *wait_for(struct job *job, size_t rank, struct st_wait_part part);
/* For a message with tag 7. */
void receive(struct job *job, size_t rank, int32_t from);
/* In its collective call number `n` of the communicator. */
struct st_wait_part *collect(struct job *job, size_t rank, const char *function, uint64_t n);

/* dead: a digit for each rank that is reported: it is in the cycle, or waits for a rank that left. */
void expect(const struct job *job, const char *dead);

#endif
