/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp ranks: lists the MPI ranks that run here, and the MPI call that each is in.
 */
#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs.h"
#include "say.h"
#include "stacks/mpi_calls.h"
#include "words.h"

/* Returns the call that a rank is in, for a terminal; "-" if it cannot be read. */
static const char *call_of(const struct rank *rank)
{
    struct mpi_calls *calls = rank->recorded ? mpi_calls_read(rank->pid) : NULL;
    return calls != NULL ? text_visible(mpi_calls_line(calls)) : "-";
}

static void print_rank(const struct rank *rank, const char *host, const char *call, int width)
{
    const char *recorded = rank->recorded ? "yes" : "no";
    printf("%-8s %5ld %8d  %-16s %-8s  %-*s  %s\n", text_visible(rank->job), rank->world.rank,
           (int)rank->pid, host, recorded, width, call, text_visible(rank->program));
}

static void print_all(const struct rank *ranks, size_t count)
{
    const char *host = jobs_host();
    int width = (int)strlen("IN");
    const char **calls = calloc(count, sizeof *calls);
    if (calls == NULL)
        fail(1, "out of memory");
    for (size_t i = 0; i < count; i++) {
        calls[i] = call_of(&ranks[i]);
        width = (int)strlen(calls[i]) > width ? (int)strlen(calls[i]) : width;
    }
    printf("%-8s %5s %8s  %-16s %-8s  %-*s  %s\n", "JOB", "RANK", "PID", "HOST", "RECORDED", width,
           "IN", "PROGRAM");
    for (size_t i = 0; i < count; i++)
        print_rank(&ranks[i], host, calls[i], width);
    free(calls);
}

int command_ranks(char *const *words)
{
    if (*words != NULL && strcmp(*words, "--help") == 0)
        return command_help((char *[]){"ranks", NULL});
    if (*words != NULL && (*words)[0] == '-')
        fail(STATUS_USAGE, "'mpipp ranks' has no option '%s'", *words);
    if (*words != NULL && words[1] != NULL)
        fail(STATUS_USAGE, "'mpipp ranks' takes one job: '%s' is too much", words[1]);
    const char *job = *words;
    const char *host = jobs_host();
    size_t count;
    struct rank *ranks = jobs_ranks(job, &count);
    if (count == 0 && job == NULL)
        fail(1, "no MPI rank of yours runs on '%s'", host);
    if (count == 0)
        fail(1, "no MPI rank of yours runs on '%s' in a job '%s'", host, job);
    print_all(ranks, count);
    return 0;
}
