/*
 * mpipp ranks: which MPI ranks run here.
 */
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "jobs.h"
#include "say.h"
#include "words.h"

static void print(const struct rank *rank, const char *host)
{
    const char *recorded = rank->recorded ? "yes" : "no";
    printf("%-8s %5ld %8d  %-16s %-8s  %s\n", text_visible(rank->job), rank->world.rank,
           (int)rank->pid, host, recorded, text_visible(rank->program));
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
    printf("%-8s %5s %8s  %-16s %-8s  %s\n", "JOB", "RANK", "PID", "HOST", "RECORDED", "PROGRAM");
    for (size_t i = 0; i < count; i++)
        print(&ranks[i], host);
    return 0;
}
