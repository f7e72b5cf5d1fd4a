/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes a verdict (deaths.h) in words. `mpipp run' and `mpi deadlock' use it, so that both say
 * the same.
 *
 *     struct st_told_text told;
 *     struct st_told_job job = {.ranks = ranks, .count = count, .place = place};
 *     if (st_told_death(&job, &deaths.list[0], &told)) {
 *         "%s %s", told.subject, told.message                     ranks 0 and 1 wait for each other
 *         told.calls.list[i].who, .call, .place, .waits           rank 0; MPI_Recv(...); ...
 *         told.behind.list[i].line                                ranks 2-7 wait for them in ...
 *         st_told_free(&told);
 *     }
 *
 * Ranks are numbers in MPI_COMM_WORLD; in a spawned world: "rank 0 of world 2". Texts of the
 * program, such as the names of communicators, are unchanged and may contain control characters.
 * Replace these before the text is written to a terminal.
 */
#ifndef ST_CORE_WAITS_TOLD_H
#define ST_CORE_WAITS_TOLD_H

#include "core/waits/deaths.h"
#include "core/waits/messages.h"

/* A call whose place in the source is wanted. */
struct st_told_spot {
    uint32_t rank; /* index */
    const struct st_wait_thread *thread;
    const struct st_wait_part
        *part; /* NULL: the call that the thread is in; else the call that made this part */
    const struct st_wait_sent *sent; /* not NULL: instead, the call of `rank` that sent this */
    bool is_short; /* true: "halo.c:57"; false: with more, as "halo.c:57 in exchange()" */
};

struct st_told_job {
    const struct st_wait_rank *ranks; /* as for st_deaths_find() */
    size_t count;

    /* Returns where a call was made, in new memory (malloc), or NULL if it is not known. Ranks in
     * equal calls share an entry if their long places are equal. If this function is NULL, no place
     * is known. */
    char *(*place)(void *context, const struct st_told_spot *spot);
    void *context;
    struct st_told_missing *known; /* for told.c; NULL */
};

/* Ranks that are in the same call at the same place, and wait for the same ranks. No text is NULL. */
struct st_told_call {
    bool
        is_rest; /* instead, all ranks in further calls: the last one where there are more than ST_TOLD_MOST. It has
                     no place */
    uint32_t *ranks; /* indices, ascending */
    size_t count;
    char *who;   /* "ranks 2-7" */
    char *call;  /* "MPI_Recv(source=1, tag=7, MPI_COMM_WORLD)" */
    char *place; /* "halo.c:58 in exchange()"; "": not known */
    /* "waits for a message from rank 1 with tag 7; rank 1 has sent one with tag 9 (halo.c:49)"; "":
     * not known */
    char *waits;
    char *line; /* "ranks 2-7 wait for them in MPI_Barrier(MPI_COMM_WORLD) (main.c:30)" */
};

enum { ST_TOLD_MOST = 32 };

struct st_told_calls {
    struct st_told_call *list; /* in the order of their first ranks */
    size_t count;
};

struct st_told_text {
    char *subject; /* "ranks 0 and 1" */
    char *message; /* "wait for each other" */
    struct st_told_calls calls, behind;
};

/* Each returns false, or NULL, if memory runs out. Then nothing needs to be freed. */
bool st_told_death(const struct st_told_job *job, const struct st_death *death,
                   struct st_told_text *told);
void st_told_free(struct st_told_text *told);

/* Of `count` ranks, lists those that are in an MPI call. */
bool st_told_list(const struct st_told_job *job, const uint32_t *ranks, size_t count,
                  struct st_told_calls *calls);
void st_told_list_free(struct st_told_calls *calls);

/* Sets is_target[i] for each rank that the call of rank `rank` (st_told_thread) waits for. Other
 * elements do not change. */
void st_told_targets(const struct st_told_job *job, uint32_t rank, bool *is_target);

/* "rank 0", "ranks 0 and 1", "ranks 0-3,7", in new memory. Of many ranges the first are named:
 * "ranks 0,2,4 and 997 more". At least one rank is needed. Sorts `numbers`. */
char *st_told_numbers(int32_t *numbers, size_t count);
char *st_told_ranks(const struct st_wait_rank *ranks, const uint32_t *list, size_t count);

/* The thread whose call stands for the rank: the first one that is in an MPI call, or NULL if none
 * is. */
const struct st_wait_thread *st_told_thread(const struct st_wait_rank *rank);

#endif
