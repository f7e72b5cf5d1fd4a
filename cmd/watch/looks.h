/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Observes the ranks from outside, once a second: the call of each thread, and for how
 * long it has not changed. Observing does not stop a rank, and writes nothing to it.
 *
 *     struct looks *looks = looks_new();
 *     ... once a second: looks_take(looks, &findings, now); ...
 *     for (size_t i = 0; i < looks->count; i++) { ... looks->ranks[i] ... }
 *
 * A rank is in the same call as before if its number of calls, and the function, arguments and
 * stack pointer of each thread have not changed. Time counts for a rank only while it is not
 * stopped, and while it either has a processor or does not want one. So a rank is not reported as
 * stuck only because the machine is busy.
 */
#ifndef MPIPP_WATCH_LOOKS_H
#define MPIPP_WATCH_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "../findings/merged.h"
#include "../nodes/states.h"
#include "core/waits/messages.h"
#include "memory.h"
#include "polls.h"
#include "processor.h"

enum looked_state {
    LOOKED_NOT_YET,   /* its registry does not exist yet */
    LOOKED_RUNS,      /* its registry was read */
    LOOKED_FORBIDDEN, /* it cannot be read */
    LOOKED_ENDED      /* the process has ended */
};

struct looked {
    const struct process *process; /* as the rank has reported itself */
    struct memory *memory;         /* must not move: the registry has its address */
    struct st_registry *registry;  /* NULL: not read (yet) */
    uint64_t root;                 /* its address; 0: not known */
    enum looked_state state;
    struct processor processor; /* what it did with its processor since the previous look */
    uint64_t identity;          /* a hash that does not change while the rank is in the same call */
    int64_t since;   /* milliseconds, the caller's clock: when this identity was first seen */
    int64_t counted; /* milliseconds of this time that count */
    int64_t looked;  /* time of the last look; 0: never */
    bool far_waits;  /* of another node: its agent says that it waits for others */
    bool computes;   /* it did so for more than half of the time since the previous
                                     look */
    struct st_wait_rank
        waits;             /* what it waits for; its lists belong to `states', if there are some */
    struct states *states; /* of another node: what its agent has told last; NULL: nothing yet */
    const struct states_one *seen; /* its own part of that */
    bool is_told;                  /* that is the answer to the last question */
    struct polls *polls;           /* NULL: it was in no such call, or it is on another node */
    uint64_t read_identity;        /* the identity when `waits` was read */
    bool was_read;
    uint32_t entry; /* its number in the memory that the ranks share + 1; 0: not known */
    size_t order;   /* its position among the ranks in the order in which they came, from 0 */
    uint64_t
        suspected; /* a hash of the ranks that could never go on at the previous look, this among
                           them, and of their calls; 0: it could go on */
    unsigned long long suspected_time; /* its processor_time() when they were seen first */
    bool is_confirmed; /* all of them are in the same calls, and had time to go on */
    uint64_t told;     /* its identity when it was reported as unable to go on; 0: never */
};

struct looks {
    struct looked *ranks;
    size_t count;
    size_t room;
    size_t sorted;   /* of them are in the order of their ranks; the others were added since */
    size_t *places;  /* by the order in which they came: where they are now */
    size_t *entries; /* by the findings' processes: their order + 1; 0: not in the list */
    size_t entry_count;
    char host[256];
    struct st_wait_worlds worlds;     /* the worlds of the ranks that were read */
    struct st_wait_messages messages; /* as looks_read_messages() has read them last */
    struct st_registry **registries;  /* what they are read from; by rank */
    size_t opened;        /* ranks of other nodes since they were examined last (afar.h) */
    int64_t opened_first; /* when the first of these was; milliseconds */
    bool said_forbidden;
    bool is_asked;     /* this process answers where the ranks of all nodes are (inquiry/) */
    bool with_stopped; /* looks_read() says of ranks that are stopped, too, that they are stuck */
    uint64_t judged;   /* a hash of the ranks that waited at the last looks_is_due() that said so */
    int64_t due;       /* time at which looks_is_due() says so again although nothing has changed */
    int64_t pause;     /* milliseconds between two such times */
    int64_t moved; /* time of the last look at which a rank had begun or left a call that waits, had
                      come or ended, or was stopped, so that nothing could move */
};

struct looks *looks_new(void);

/* Looks at each rank at the time NOW: those on this node, and those of which the agents of other nodes
 * tell (nodes/far.h). */
void looks_take(struct looks *looks, const struct findings *findings, int64_t now);

/* The same where the ranks do not come from findings, as in an agent: PROCESS is a rank of this node, and
 * has to last. The result is there until the next one is added. */
struct looked *looks_add(struct looks *looks, const struct process *process);
void looks_take_known(struct looks *looks, int64_t now);

/* True if the rank was in a call that waits for others when it was last read. */
bool looks_waits(const struct looked *rank);

/* Reads what a rank of this node waits for, and what it shows of its messages, which the caller frees. Sets `is_stuck` if it
 * is still in that call afterwards, also if it is stopped. Returns false if it cannot be read. */
bool looks_examine(struct looked *rank, struct st_wait_shown *shown);

/* Reads what each rank waits for. Sets `is_stuck` for the ranks that have been in the same call for
 * TIMEOUT milliseconds and still are. A TIMEOUT of 0 sets it for all ranks. */
void looks_read(struct looks *looks, int64_t timeout);

/* Reads the messages that were sent and not received, of ranks in these states (one for each of looks->ranks), and
 * lets the states know them. They are there until the next time. */
void looks_read_messages(struct looks *looks, struct st_wait_rank *states);

/* --- for afar.h -------------------------------------------------------------------------------- */

/* Says once that a rank cannot be read. */
void looks_say_forbidden(struct looks *looks, const struct looked *rank);

/* The process of the rank has ended. */
void looks_end(struct looked *rank);

/* ----------------------------------------------------------------------------------------------- */

/* The number of a rank's world: 1 is the launcher's world, the others were spawned. */
size_t looks_world(const struct looks *looks, const struct looked *rank);

/* True if it has to be found out who can go on: some rank has waited in the same call for TIMEOUT
 * milliseconds, and the ranks that do are not those of the last time, or it is a while ago. Call it
 * after each looks_take(). */
bool looks_is_due(struct looks *looks, int64_t timeout, int64_t now);

/* Makes looks_is_due() say so at the next look. */
void looks_hurry(struct looks *looks);

#endif
