/* SPDX-License-Identifier: BSD-3-Clause */
#include "afar.h"

#include <stdlib.h>

#include "../clock.h"
#include "../nodes/far.h"
#include "../words.h"

void afar_look(struct looks *looks, struct looked *rank, int64_t now)
{
    const struct far_state *state = far_now(rank->memory->far);
    if (state == NULL || state->flags & FAR_ENDED) {
        looks->moved = now;
    }
    if (state == NULL) {
        rank->state = LOOKED_NOT_YET; /* until its agent tells of it again */
        rank->counted = 0;
        return;
    }
    if (state->flags & FAR_ENDED) {
        looks_end(rank);
        return;
    }
    rank->state = state->flags & FAR_RUNS        ? LOOKED_RUNS
                  : state->flags & FAR_FORBIDDEN ? LOOKED_FORBIDDEN
                                                 : LOOKED_NOT_YET;
    if (rank->state == LOOKED_FORBIDDEN) {
        looks_say_forbidden(looks, rank);
    }
    if (rank->looked == 0 || far_has_moved(rank->memory->far) || state->flags & FAR_STOPPED) {
        looks->moved = now;
    }
    if (rank->identity != state->identity || rank->looked == 0) {
        rank->since = now - state->counted;
    }
    rank->identity = state->identity;
    rank->counted = state->counted;
    rank->far_waits = state->flags & FAR_WAITS;
    rank->computes = state->flags & FAR_COMPUTES;
    rank->processor.is_stopped = state->flags & FAR_STOPPED;
    rank->processor.is_starved = state->flags & FAR_STARVED;
    rank->looked = now;
}

/* Those that are asked for, and where they are among all. */
struct question {
    struct looks *looks;
    struct far_rank **list;
    size_t *places;
    size_t count;
};

/* What was told before is freed with the last rank that has it: so there is not all of it twice. */
static void take_answer(void *context, size_t index, struct states *states,
                        const struct states_one *one)
{
    const struct question *question = context;
    struct looked *rank = &question->looks->ranks[question->places[index]];
    if (rank->identity != one->identity) {
        rank->identity = one->identity;
        rank->counted = 0;
    }
    if (rank->states == NULL) {
        st_wait_rank_free(&rank->waits);
    }
    states_share(states);
    states_drop(rank->states);
    rank->states = states;
    rank->seen = one;
    rank->is_told = true;
    rank->was_read = true;
    rank->read_identity = rank->identity;
    states_fill(one, &rank->waits);
}

/* Nothing is known of it until its agent has answered. */
static void forget_rank(struct looked *rank)
{
    rank->is_told = false;
    rank->waits.is_stuck = false;
    rank->waits.presence = ST_WAIT_UNSEEN;
    if (rank->registry != NULL) {
        st_registry_close(rank->registry);
        rank->registry = NULL;
        far_forget(rank->memory->far);
    }
}

void afar_examine(struct looks *looks)
{
    struct question question = {.looks = looks,
                                .list = zeroed(looks->count + 1, sizeof *question.list),
                                .places = zeroed(looks->count + 1, sizeof *question.places)};
    looks->opened = 0;
    for (size_t i = 0; i < looks->messages.rank_count; i++) {
        looks->registries[i] =
            NULL; /* the messages that were read before are not looked at again */
    }
    for (size_t i = 0; i < looks->count; i++) {
        struct looked *rank = &looks->ranks[i];
        if (rank->memory->far != NULL && rank->state == LOOKED_RUNS) {
            forget_rank(rank);
            question.list[question.count] = rank->memory->far;
            question.places[question.count++] = i;
        }
    }
    if (question.count != 0) {
        far_examine(question.list, question.count, take_answer, &question);
    }
    free(question.list);
    free(question.places);
}

void afar_read(struct looked *rank, int64_t timeout, bool with_stopped)
{
    rank->waits.is_stuck = rank->is_told && rank->counted >= timeout && rank->seen->is_stuck &&
                           (with_stopped || !rank->seen->is_stopped);
}

bool afar_open(struct looks *looks, struct looked *rank)
{
    enum { MOST_OPEN = 256, TO_OPEN = 1000 /* milliseconds for all of them */ };
    struct st_fault fault;
    bool changed;
    const struct far_state *state = far_now(rank->memory->far);
    if (rank->registry != NULL) {
        return true;
    }
    if (state == NULL || state->root == 0 || looks->opened == MOST_OPEN ||
        (looks->opened != 0 && clock_ms() - looks->opened_first > TO_OPEN)) {
        return false;
    }
    if (looks->opened++ == 0) {
        looks->opened_first = clock_ms();
    }
    if (st_registry_open(&rank->registry, memory_read, rank->memory, state->root, &fault)) {
        return false;
    }
    if (st_registry_refresh(rank->registry, &changed, &fault)) {
        st_registry_close(rank->registry);
        rank->registry = NULL;
    }
    return rank->registry != NULL;
}
