/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp ranks: lists the MPI ranks that run here, those on other hosts of jobs that `mpipp run` has started
 * here, and the MPI call that each is in.
 */
#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs.h"
#include "say.h"
#include "stacks/mpi_calls.h"
#include "words.h"

/* What a rank does, for a terminal. */
struct doing {
    const char *call;  /* "-" if it cannot be read */
    const char *since; /* NULL: no `mpipp run` watches the rank */
};

static struct doing doing_of(const struct rank *rank)
{
    if (rank->host != NULL) {
        return (struct doing){rank->line != NULL ? text_visible(rank->line) : "-", rank->since};
    }
    struct mpi_calls *calls = rank->recorded ? mpi_calls_read(rank->pid) : NULL;
    if (calls == NULL) {
        return (struct doing){"-", NULL};
    }
    return (struct doing){text_visible(mpi_calls_line(calls)), mpi_calls_since(calls)};
}

/* The widths of the columns WORLD, SINCE and IN; 0: the column is left out. */
struct widths {
    int world, since, call;
};

static void print_world(const struct widths *widths, const char *text)
{
    if (widths->world != 0) {
        printf("%*s ", widths->world, text);
    }
}

static void print_since(const struct widths *widths, const char *text)
{
    if (widths->since != 0) {
        printf("%-*s  ", widths->since, text);
    }
}

static void print_rank(const struct rank *rank, const char *host, const struct doing *doing,
                       const struct widths *widths)
{
    const char *recorded = rank->recorded ? "yes" : "no";
    printf("%-8s ", text_visible(rank->job));
    print_world(widths, text_of("%d", rank->world_number));
    printf("%5ld %8d  %-16s %-8s  ", rank->world.rank, (int)rank->pid,
           rank->host != NULL ? text_visible(rank->host) : host, recorded);
    print_since(widths, doing->since != NULL ? doing->since : "-");
    printf("%-*s  %s\n", widths->call, doing->call, text_visible(rank->program));
}

static int longer(int width, const char *text)
{
    return (int)strlen(text) > width ? (int)strlen(text) : width;
}

static void print_all(const struct rank *ranks, size_t count)
{
    const char *host = jobs_host();
    struct widths widths = {.call = (int)strlen("IN")};
    struct doing *doings = calloc(count, sizeof *doings);
    if (doings == NULL) {
        fail(1, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        doings[i] = doing_of(&ranks[i]);
        widths.call = longer(widths.call, doings[i].call);
        widths.world = ranks[i].world_number > 1 ? (int)strlen("WORLD") : widths.world;
        if (doings[i].since != NULL) {
            widths.since = longer(longer(widths.since, "SINCE"), doings[i].since);
        }
    }
    printf("%-8s ", "JOB");
    print_world(&widths, "WORLD");
    printf("%5s %8s  %-16s %-8s  ", "RANK", "PID", "HOST", "RECORDED");
    print_since(&widths, "SINCE");
    printf("%-*s  %s\n", widths.call, "IN", "PROGRAM");
    for (size_t i = 0; i < count; i++) {
        print_rank(&ranks[i], host, &doings[i], &widths);
    }
    free(doings);
}

int command_ranks(char *const *words)
{
    if (*words != NULL && strcmp(*words, "--help") == 0) {
        return command_help((char *[]){"ranks", NULL});
    }
    if (*words != NULL && (*words)[0] == '-') {
        fail(STATUS_USAGE, "'mpipp ranks' has no option '%s'", *words);
    }
    if (*words != NULL && words[1] != NULL) {
        fail(STATUS_USAGE, "'mpipp ranks' takes one job: '%s' is too much", words[1]);
    }
    const char *job = *words;
    const char *host = jobs_host();
    size_t count;
    struct rank *ranks = jobs_all_ranks(job, &count);
    if (count == 0 && job == NULL) {
        fail(1, "no MPI rank of yours runs on '%s'", host);
    }
    if (count == 0) {
        fail(1, "no MPI rank of yours runs on '%s' in a job '%s'", host, job);
    }
    print_all(ranks, count);
    return 0;
}
