/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hangs of many ranks, written down, and judged and described by the code of `mpipp run'.
 *
 *     judge RANKS       prints the verdict, and the processor time and the memory that it took
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/waits/deaths.h"
#include "core/waits/told.h"
#include "used.h"

enum { WORLD = 9, ID = 77 };

static size_t count;
static struct st_wait_rank *ranks;
static struct st_wait_thread *threads;
static struct st_wait_part *parts;
static struct st_wait_comm *comms;
static uint64_t *members;

static void *room(size_t size)
{
    void *bytes = calloc(count + 1, size);
    if (bytes == NULL) {
        exit(1);
    }
    return bytes;
}

/* All are in a call of the world, each of its own memory, as when the states of ranks were read. */
static void make_ranks(void)
{
    ranks = room(sizeof *ranks);
    threads = room(sizeof *threads);
    parts = room(sizeof *parts);
    comms = room(sizeof *comms);
    members = room(sizeof *members);
    for (int32_t i = 0; i < (int32_t)count; i++) {
        members[i] = st_gpid(WORLD, i);
        comms[i] = (struct st_wait_comm){
            .id = ID, .begun = 1, .size = (int32_t)count, .members = members, .own_rank = i};
        threads[i] = (struct st_wait_thread){.in_call = true, .count = 1};
        ranks[i] = (struct st_wait_rank){.world_rank = i,
                                         .world_size = (int32_t)count,
                                         .world = WORLD,
                                         .presence = ST_WAIT_PRESENT,
                                         .is_stuck = true,
                                         .threads = &threads[i],
                                         .thread_count = 1,
                                         .parts = &parts[i],
                                         .part_count = 1,
                                         .comms = &comms[i],
                                         .comm_count = 1};
    }
}

static void name_call(uint32_t rank, const char *function)
{
    snprintf(threads[rank].function, sizeof threads[rank].function, "%s", function);
    snprintf(parts[rank].function, sizeof parts[rank].function, "%s", function);
}

static void make_ring(void)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = (i + 1) % (uint32_t)count;
        parts[i] = (struct st_wait_part){.sort = ST_WAIT_RECEIVE,
                                         .peer = (int32_t)from,
                                         .world = (int32_t)from,
                                         .process = members[from],
                                         .tag = 7};
        name_call(i, "MPI_Recv");
    }
}

/* Rank 0 has left. */
static void make_barrier(void)
{
    for (uint32_t i = 1; i < count; i++) {
        parts[i] = (struct st_wait_part){.sort = ST_WAIT_COLLECTIVE, .n = 2, .peer = ST_PEER_NONE};
        comms[i].begun = 2;
        name_call(i, "MPI_Barrier");
    }
    ranks[0].presence = ST_WAIT_LEFT;
    ranks[0].is_stuck = false;
    ranks[0].thread_count = 0;
    ranks[0].part_count = 0;
}

static char *place_of(void *context, const struct st_told_spot *spot)
{
    (void)context;
    return strdup(spot->is_short ? "halo.c:58" : "halo.c:58 in exchange()");
}

static void judge(const char *what)
{
    struct st_deaths deaths;
    const struct st_told_job job = {.ranks = ranks, .count = count, .place = place_of};
    const long long begun = used_time();
    if (!st_deaths_find(ranks, count, &deaths)) {
        exit(1);
    }
    for (size_t i = 0; i < deaths.count; i++) {
        struct st_told_text told;
        if (!st_told_death(&job, &deaths.list[i], &told)) {
            exit(1);
        }
        const struct st_told_call *last = &told.calls.list[told.calls.count - 1];
        printf("%zu ranks in %s: %s %s: %lld ms, peak memory %ld MB\n", count, what, told.subject,
               told.message, used_time() - begun, peak_memory());
        printf("%zu calls, the last: %s\n", told.calls.count, last->line);
        st_told_free(&told);
    }
    st_deaths_free(&deaths);
}

int main(int argc, char **argv)
{
    count = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    if (count < 2) {
        return 2;
    }
    make_ranks();
    make_ring();
    judge("a ring");
    make_ranks();
    make_barrier();
    judge("MPI_Barrier");
    return 0;
}
