/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/circle.h"

#include <stdlib.h>

/* The calls from one turn to the next one. */
struct st_stay {
    const struct st_order_turn *turn;
    uint64_t last;
    struct st_stay *next;    /* of the same thread */
    struct st_stay *next_on; /* of the same thread, on the same communicator */
    struct st_walker *walker;
    struct st_claim *claim;
};

/* A thread of a rank: where it is. */
struct st_walker {
    uint32_t rank;
    uint64_t thread;
    struct st_stay *head;       /* NULL: it has come through */
    struct st_stay *tail;       /* while they are made */
    uint64_t number;            /* of its next call */
    struct st_walker *other_of; /* of the same rank, made before; NULL: none */
    bool was_there;             /* while a circle is looked for */
};

/* A thread on a communicator: its first stay there that is not over. */
struct st_claim {
    uint64_t comm;
    struct st_walker *walker;
    struct st_stay *pending;
};

struct st_run_through {
    struct st_stay *stays;
    struct st_walker *walkers;
    struct st_claim *claims; /* of one communicator side by side */
    size_t stay_count, walker_count, claim_count;
};

/* --- made ---------------------------------------------------------------------------------- */

static struct st_walker *walker_of(struct st_run_through *run, uint32_t rank, uint64_t thread,
                                   struct st_walker **last)
{
    struct st_walker *walker = *last;
    while (walker && walker->thread != thread) {
        walker = walker->other_of;
    }
    if (!walker) {
        walker = &run->walkers[run->walker_count++];
        *walker = (struct st_walker){.rank = rank, .thread = thread, .other_of = *last};
        *last = walker;
    }
    return walker;
}

static void add_rank(struct st_run_through *run, const struct st_order_calls *calls)
{
    struct st_walker *last = NULL;
    for (size_t i = 0; i < calls->count; i++) {
        const struct st_order_turn *turn = &calls->turns[i];
        struct st_walker *walker = walker_of(run, calls->rank, turn->thread, &last);
        struct st_stay *stay = &run->stays[run->stay_count++];
        /* Where it has not turned away yet, one call is known. */
        const uint64_t end = i + 1 < calls->count ? turn[1].before : turn->number;
        *stay = (struct st_stay){
            .turn = turn, .last = end < turn->number ? turn->number : end, .walker = walker};
        if (walker->tail) {
            walker->tail->next = stay;
        } else {
            walker->head = stay;
            walker->number = turn->number;
        }
        walker->tail = stay;
    }
}

static int by_comm(const void *a, const void *b)
{
    const struct st_stay *x = *(struct st_stay *const *)a, *y = *(struct st_stay *const *)b;
    if (x->turn->comm != y->turn->comm) {
        return x->turn->comm < y->turn->comm ? -1 : 1;
    }
    if (x->walker != y->walker) {
        return x->walker < y->walker ? -1 : 1;
    }
    return x < y ? -1 : x > y;
}

static bool make_claims(struct st_run_through *run)
{
    struct st_stay **sorted = calloc(run->stay_count + 1, sizeof(struct st_stay *));
    run->claims = calloc(run->stay_count + 1, sizeof *run->claims);
    for (size_t i = 0; sorted && i < run->stay_count; i++) {
        sorted[i] = &run->stays[i];
    }
    if (sorted && run->claims) {
        qsort(sorted, run->stay_count, sizeof *sorted, by_comm);
        for (size_t i = 0; i < run->stay_count; i++) {
            struct st_stay *stay = sorted[i], *before = i ? sorted[i - 1] : NULL;
            if (before && before->turn->comm == stay->turn->comm &&
                before->walker == stay->walker) {
                before->next_on = stay;
            } else {
                run->claims[run->claim_count++] =
                    (struct st_claim){stay->turn->comm, stay->walker, stay};
            }
            stay->claim = &run->claims[run->claim_count - 1];
        }
    }
    free(sorted);
    return sorted && run->claims;
}

static bool make_run(struct st_run_through *run, const struct st_order_calls *ranks, size_t count)
{
    size_t turns = 0;
    for (size_t i = 0; i < count; i++) {
        turns += ranks[i].count;
    }
    run->stays = calloc(turns + 1, sizeof *run->stays);
    run->walkers = calloc(turns + 1, sizeof *run->walkers);
    for (size_t i = 0; run->stays && run->walkers && i < count; i++) {
        add_rank(run, &ranks[i]);
    }
    return run->stays && run->walkers && make_claims(run);
}

static void free_run(struct st_run_through *run)
{
    free(run->stays);
    free(run->walkers);
    free(run->claims);
}

/* --- run through --------------------------------------------------------------------------- */

static bool is_first_of_comm(const struct st_run_through *run, const struct st_claim *claim)
{
    return claim == run->claims || claim[-1].comm != claim->comm;
}

static bool is_of_comm(const struct st_run_through *run, const struct st_claim *claim,
                       uint64_t comm)
{
    return claim < run->claims + run->claim_count && claim->comm == comm;
}

/* The number up to which a walker can go on at its communicator, as far as another one is concerned. */
static uint64_t limit_by(const struct st_walker *walker, const struct st_claim *other)
{
    /* Threads of one rank do not wait for each other. */
    if (!other->pending || other->walker->rank == walker->rank) {
        return UINT64_MAX;
    }
    return other->walker->head == other->pending ? other->pending->last
                                                 : other->pending->turn->number - 1;
}

static struct st_claim *first_claim(const struct st_run_through *run,
                                    const struct st_walker *walker)
{
    struct st_claim *claim = walker->head->claim;
    while (!is_first_of_comm(run, claim)) {
        claim--;
    }
    return claim;
}

static void leave_stay(struct st_walker *walker)
{
    struct st_stay *stay = walker->head;
    stay->claim->pending = stay->next_on;
    walker->head = stay->next;
    walker->number = stay->next ? stay->next->turn->number : 0;
}

/* Returns false if it stays where it is. */
static bool go_on(const struct st_run_through *run, struct st_walker *walker)
{
    const uint64_t comm = walker->head->turn->comm;
    uint64_t limit = walker->head->last;
    for (const struct st_claim *claim = first_claim(run, walker); is_of_comm(run, claim, comm);
         claim++) {
        const uint64_t other = limit_by(walker, claim);
        limit = other < limit ? other : limit;
    }
    if (limit < walker->number) {
        return false;
    }
    walker->number = limit + 1;
    if (walker->number > walker->head->last) {
        leave_stay(walker);
    }
    return true;
}

/* Returns false if all have come through. */
static bool run_until_stuck(const struct st_run_through *run)
{
    bool is_left = true;
    for (bool goes_on = true; goes_on;) {
        goes_on = is_left = false;
        for (size_t i = 0; i < run->walker_count; i++) {
            struct st_walker *walker = &run->walkers[i];
            while (walker->head && go_on(run, walker)) {
                goes_on = true;
            }
            is_left |= walker->head != NULL;
        }
    }
    return is_left;
}

/* --- a circle ------------------------------------------------------------------------------- */

static bool waits_for(const struct st_walker *walker, const struct st_claim *other)
{
    return walker->head && limit_by(walker, other) < walker->number;
}

/* The stay of one walker that another one waits for; NULL: it does not. */
static const struct st_stay *wait_for(const struct st_run_through *run,
                                      const struct st_walker *walker, const struct st_walker *other)
{
    for (const struct st_claim *claim = first_claim(run, walker);
         is_of_comm(run, claim, walker->head->turn->comm); claim++) {
        if (claim->walker == other) {
            return waits_for(walker, claim) ? claim->pending : NULL;
        }
    }
    return NULL;
}

/* The stay that a walker which stays behind waits for: if there is one, of a walker that waits for it in turn. */
static const struct st_stay *find_wait(const struct st_run_through *run,
                                       const struct st_walker *walker, bool *mutual)
{
    const struct st_stay *found = NULL;
    const uint64_t comm = walker->head->turn->comm;
    *mutual = false;
    for (const struct st_claim *claim = first_claim(run, walker);
         is_of_comm(run, claim, comm) && !*mutual; claim++) {
        if (waits_for(walker, claim)) {
            *mutual = wait_for(run, claim->walker, walker);
            found = !found || *mutual ? claim->pending : found;
        }
    }
    return found;
}

/* A walker of two that wait for each other, or else one of any circle: every walker that stays behind waits for another
 * one. */
static struct st_walker *find_start(const struct st_run_through *run)
{
    struct st_walker *walker = NULL;
    bool mutual;
    for (size_t i = 0; i < run->walker_count; i++) {
        run->walkers[i].was_there = false;
        if (!run->walkers[i].head) {
            continue;
        }
        walker = walker ? walker : &run->walkers[i];
        find_wait(run, &run->walkers[i], &mutual);
        if (mutual) {
            return &run->walkers[i];
        }
    }
    while (walker && !walker->was_there) {
        walker->was_there = true;
        const struct st_stay *wait = find_wait(run, walker, &mutual);
        walker = wait ? wait->walker : NULL;
    }
    return walker;
}

/* `walker` waits for `wait`. */
static void add_step(struct st_circle *circle, const struct st_walker *walker,
                     const struct st_stay *wait)
{
    circle->steps[circle->count++] = (struct st_circle_step){.rank = walker->rank,
                                                             .first = walker->head->turn,
                                                             .first_number = walker->number,
                                                             .then = wait->turn,
                                                             .then_number = walker->number};
}

/* So far `then` is what the next step's rank calls so late. */
static void turn_steps(struct st_circle *circle)
{
    struct st_circle_step *steps = circle->steps, last = steps[circle->count - 1];
    for (size_t i = circle->count; i-- > 1;) {
        steps[i].then = steps[i - 1].then;
        steps[i].then_number = steps[i - 1].then_number;
    }
    steps[0].then = last.then;
    steps[0].then_number = last.then_number;
}

/* Returns the circle from a walker on; count 0: it is too long. */
static struct st_circle follow_circle(const struct st_run_through *run,
                                      const struct st_walker *start)
{
    struct st_circle circle = {.count = 0};
    bool mutual;
    const struct st_walker *walker = start;
    const struct st_stay *wait = find_wait(run, walker, &mutual);
    if (wait && mutual) {
        add_step(&circle, walker, wait);
        add_step(&circle, wait->walker, wait_for(run, wait->walker, walker));
    }
    while (wait && !mutual) {
        if (circle.count == ST_MOST_STEPS) {
            return (struct st_circle){.count = 0};
        }
        add_step(&circle, walker, wait);
        walker = wait->walker;
        if (walker == start) {
            break;
        }
        wait = find_wait(run, walker, &mutual);
        mutual = false;
    }
    if (circle.count) {
        turn_steps(&circle);
    }
    return circle;
}

bool st_circles_find(const struct st_order_calls *ranks, size_t count,
                     void (*found)(const struct st_circle *circle, void *context), void *context)
{
    struct st_run_through run = {0};
    const bool made = make_run(&run, ranks, count);
    while (made && run_until_stuck(&run)) {
        struct st_walker *start = find_start(&run);
        if (!start) {
            break;
        }
        const struct st_circle circle = follow_circle(&run, start);
        if (circle.count) {
            found(&circle, context);
        }
        leave_stay(start);
    }
    free_run(&run);
    return made;
}
