/*
 * The ranks of this host, looked at from outside once a second: what each of their threads is in, and for
 * how long nothing of it has changed. Nothing is stopped, and nothing is written there.
 *
 *     struct looks *looks = looks_new();
 *     ... once a second: looks_take(looks, &findings, now); ...
 *     for (size_t i = 0; i < looks->count; i++) { ... looks->ranks[i] ... }
 *
 * A rank is in the same call as before if its number of calls, and the function, arguments and stack pointer
 * of each of its threads are what they were. Time counts for it only while it is not stopped, and while the
 * processor is given to it or it does not want it: so that a busy machine makes nobody stuck.
 */
#ifndef MPIPP_WATCH_LOOKS_H
#define MPIPP_WATCH_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "../findings/merged.h"
#include "core/waits/state.h"
#include "memory.h"

enum looked_state {
    LOOKED_NOT_YET,   /* its registry is not there yet */
    LOOKED_RUNS,      /* it is read */
    LOOKED_FORBIDDEN, /* it cannot be read */
    LOOKED_ENDED      /* the process is gone */
};

struct looked {
    const struct process *process; /* as it has reported itself */
    struct memory *memory;         /* stays where it is, for the registry */
    struct st_registry *registry;
    enum looked_state state;
    bool is_stopped;   /* by a signal or a debugger */
    uint64_t identity; /* a hash of all that is the same while it is in the same call */
    int64_t since;     /* milliseconds, as the caller counts: when the identity was seen first */
    int64_t counted;   /* milliseconds of it that count */
    int64_t looked;    /* when it was looked at last; 0: never */
    unsigned long long processor; /* clock ticks that it has had */
    unsigned long long wanted;    /* nanoseconds in which it had a processor, or waited for one */
    bool computes;                /* it did so more than half of the time since the look before */
    struct st_wait_rank waits;    /* what it waits for */
    uint64_t read_identity;       /* that `waits` is of */
    bool was_read;
    size_t order;       /* of those that have come, from 0 on */
    uint64_t suspected; /* its identity at the look before, if it could never go on then; else 0 */
    uint64_t told; /* its identity when it was reported that it cannot go on; 0 if it never was */
};

struct looks {
    struct looked *ranks;
    size_t count;
    size_t known; /* processes of the findings that were taken over */
    char host[256];
    struct st_wait_worlds worlds; /* as far as ranks of them have been read */
    bool said_forbidden;
};

struct looks *looks_new(void);

/* Looks at each rank, NOW. */
void looks_take(struct looks *looks, const struct findings *findings, int64_t now);

/* Reads what each rank waits for; `is_stuck` is set for those that have been in the same call for TIMEOUT
 * milliseconds, and are still. A time of 0 takes all of them. */
void looks_read(struct looks *looks, int64_t timeout);

/* The number of the world that a rank is of: 1 is the launcher's, the others were spawned. */
size_t looks_world(const struct looks *looks, const struct looked *rank);

/* True if some rank has been in the same call for TIMEOUT milliseconds. */
bool looks_any_stuck(const struct looks *looks, int64_t timeout);

#endif
