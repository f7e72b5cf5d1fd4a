/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Limits the work for a question, and says why an answer is missing.
 *
 *     struct st_effort effort = st_effort_of(ST_EFFORT_STEPS);
 *     effort.interrupted = ctrl_c;                 // optional, called every few thousand steps
 *     switch (st_overlap(&a, &b, &effort, &found)) {
 *     case ST_UNDECIDED: puts(st_doubt_text(effort.doubt));
 *     ...
 *
 * A step is at most about 100 ns of work: one pair of strided blocks compared, or one run of a list
 * passed. Easy questions take few steps: the effort is a limit, not a price. An effort belongs to
 * one question at a time; the steps that are left may be used for the next.
 */
#ifndef ST_CORE_LAYOUT_EFFORT_H
#define ST_CORE_LAYOUT_EFFORT_H

#include <stdbool.h>
#include <stdint.h>

/* The answer to a yes-or-no question that may be too expensive. It is never a guess: ST_NO and
 * ST_YES are exact. */
enum st_verdict { ST_NO, ST_YES, ST_UNDECIDED };

/* X(name, a clause that a user reads after "undecided: ") */
#define ST_DOUBTS(X)                                                                               \
    X(ST_DOUBT_NONE, "")                                                                           \
    X(ST_DOUBT_STEPS, "it would take more steps than allowed")                                     \
    X(ST_DOUBT_INTERRUPTED, "interrupted")                                                         \
    X(ST_DOUBT_MEMORY, "out of memory")                                                            \
    X(ST_DOUBT_OVERFLOW, "its bytes do not lie within 64 bits")                                    \
    X(ST_DOUBT_OPAQUE, "what is inside of a type is not known")

enum st_doubt {
#define X(name, text) name,
    ST_DOUBTS(X)
#undef X
};

const char *st_doubt_text(enum st_doubt doubt);

/* What a debugger may spend on one question: some seconds at most. */
#define ST_EFFORT_STEPS (UINT64_C(1) << 26)

struct st_effort {
    uint64_t steps;                     /* steps left */
    bool (*interrupted)(void *context); /* NULL: cannot be interrupted */
    void *context;
    enum st_doubt doubt; /* why the last answer is missing */
    uint32_t unasked;    /* steps since the last call of `interrupted` */
};

static inline struct st_effort st_effort_of(uint64_t steps)
{
    return (struct st_effort){.steps = steps};
}

/* Takes `steps` away. Returns false if fewer are left, or if the user asked to stop (then none are
 * left). */
bool st_effort_spend(struct st_effort *effort, uint64_t steps);

/* Calls `interrupted` now and then, whatever number of steps is left: for work that is bounded in
 * another way. Returns false if the user asked to stop. */
bool st_effort_goes_on(struct st_effort *effort, uint64_t steps);

static inline enum st_verdict st_undecided(struct st_effort *effort, enum st_doubt doubt)
{
    effort->doubt = doubt;
    return ST_UNDECIDED;
}

#endif
