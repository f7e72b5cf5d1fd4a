/*
 * mpipp ranks: which MPI ranks run here. A rank is a process that has its number from a launcher in
 * its environment and an MPI library in its memory; where no process of a rank has one (yet, or
 * linked statically), it is what the launcher started.
 */
#include "commands.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proc.h"
#include "say.h"
#include "words.h"
#include "world.h"

struct rank {
    char *job;
    struct world world;
    pid_t pid;
    bool has_mpi;
    bool recorded;
    const char *program;
};

static bool is_proxy(pid_t pid)
{
    /* As the kernel keeps them: cut off after 15 bytes. */
    static const char *const proxies[] = {"hydra_pmi_proxy", "orted", "prted", "slurmstepd", NULL};
    char *name = proc_name(pid);
    const char *const *proxy = proxies;
    while (name != NULL && *proxy != NULL && strcmp(name, *proxy) != 0)
        proxy++;
    bool found = name != NULL && *proxy != NULL;
    free(name);
    return found;
}

/* Whether PID is a 'mpipp run', which waits for its launcher. */
static bool is_run(pid_t pid)
{
    size_t length = 0;
    char *words = proc_read(pid, "cmdline", &length);
    size_t first = words == NULL ? 0 : strlen(words) + 1;
    bool is = first < length && strcmp(text_base_name(words), "mpipp") == 0 &&
              strcmp(words + first, "run") == 0;
    free(words);
    return is;
}

/* The process that names the job, the launcher or its 'mpipp run'; 0: it runs elsewhere. DIRECT: PID
 * is the launcher's child. */
static pid_t launcher_of(pid_t pid, bool *direct)
{
    struct world world;
    pid_t parent = (pid_t)proc_status(pid, "PPid");
    *direct = !world_of_process(&world, parent);
    while (parent > 1 && (world_of_process(&world, parent) || is_proxy(parent)))
        parent = (pid_t)proc_status(parent, "PPid");
    pid_t outer = parent > 1 ? (pid_t)proc_status(parent, "PPid") : 0;
    if (outer > 1 && is_run(outer))
        return outer;
    return parent > 1 ? parent : 0;
}

static char *job_of(pid_t pid, pid_t launcher)
{
    if (launcher != 0)
        return text_of("%d", (int)launcher);
    size_t length = 0;
    char *environment = proc_read(pid, "environ", &length);
    const char *name = environment == NULL ? NULL : world_job_name(environment, length);
    return text_of("%s", name == NULL ? "?" : name);
}

static bool look(struct rank *rank, pid_t pid)
{
    if (proc_status(pid, "Uid") != (long)geteuid() || !world_of_process(&rank->world, pid))
        return false;
    bool direct;
    rank->pid = pid;
    rank->job = job_of(pid, launcher_of(pid, &direct));
    rank->has_mpi = proc_maps(pid, "/libmpi") || proc_maps(pid, "/libpmpi");
    rank->recorded = proc_maps(pid, "/libshadowtype");
    rank->program = proc_program(pid);
    return rank->program != NULL && (rank->has_mpi || direct);
}

static bool same(const struct rank *left, const struct rank *right)
{
    return left->world.rank == right->world.rank && strcmp(left->job, right->job) == 0;
}

static int by_job_and_rank(const void *left, const void *right)
{
    const struct rank *a = left;
    const struct rank *b = right;
    size_t a_length = strlen(a->job);
    size_t b_length = strlen(b->job);
    if (a_length != b_length)
        return a_length < b_length ? -1 : 1;
    int order = strcmp(a->job, b->job);
    if (order != 0)
        return order;
    if (a->world.rank != b->world.rank)
        return a->world.rank < b->world.rank ? -1 : 1;
    return (a->pid > b->pid) - (a->pid < b->pid);
}

/* A shell between the launcher and the program is no rank of its own. */
static bool is_wrapper(const struct rank *rank, const struct rank *all, size_t count)
{
    for (size_t i = 0; i < count && !rank->has_mpi; i++) {
        if (all[i].has_mpi && same(rank, &all[i]))
            return true;
    }
    return false;
}

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

    pid_t *processes = proc_all();
    size_t room = 0;
    while (processes[room] != 0)
        room++;
    size_t count = 0;
    struct rank *ranks = calloc(room + 1, sizeof *ranks);
    if (ranks == NULL)
        fail(1, "out of memory");
    for (pid_t *pid = processes; *pid != 0; pid++) {
        if (look(&ranks[count], *pid) && (job == NULL || strcmp(job, ranks[count].job) == 0))
            count++;
    }
    qsort(ranks, count, sizeof *ranks, by_job_and_rank);

    char host[256] = "";
    gethostname(host, sizeof host - 1);
    if (count == 0 && job == NULL)
        fail(1, "no MPI rank of yours runs on '%s'", host);
    if (count == 0)
        fail(1, "no MPI rank of yours runs on '%s' in a job '%s'", host, job);
    printf("%-8s %5s %8s  %-16s %-8s  %s\n", "JOB", "RANK", "PID", "HOST", "RECORDED", "PROGRAM");
    for (size_t i = 0; i < count; i++) {
        if (!is_wrapper(&ranks[i], ranks, count))
            print(&ranks[i], host);
    }
    return 0;
}
