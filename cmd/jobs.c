/* SPDX-License-Identifier: BSD-3-Clause */
#include "jobs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inquiry/ask.h"
#include "jobs_far.h"
#include "proc.h"
#include "say.h"
#include "words.h"

static bool is_proxy(pid_t pid)
{
    /* Names as the kernel keeps them: at most 15 bytes. */
    static const char *const proxies[] = {"hydra_pmi_proxy", "orted", "prted", "slurmstepd", NULL};
    char *name = proc_name(pid);
    const char *const *proxy = proxies;
    while (name != NULL && *proxy != NULL && strcmp(name, *proxy) != 0) {
        proxy++;
    }
    bool found = name != NULL && *proxy != NULL;
    free(name);
    return found;
}

/* Returns true if PID is a 'mpipp run' that waits for its launcher. */
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

/* Returns true for a process of mpipp itself, which has the environment of a rank where a rank has started it: the agent of a
 * node, or mpipp in a shell that a launcher has started. */
static bool is_own(const char *program)
{
    return strcmp(text_base_name(program), "mpipp") == 0;
}

/* Returns the process that names the job: the launcher or its 'mpipp run'; 0 if it runs elsewhere.
 * DIRECT: PID is a child of the launcher. */
static pid_t launcher_of(pid_t pid, bool *direct)
{
    struct world world;
    pid_t parent = (pid_t)proc_status(pid, "PPid");
    *direct = !world_of_process(&world, parent);
    while (parent > 1 && (world_of_process(&world, parent) || is_proxy(parent))) {
        parent = (pid_t)proc_status(parent, "PPid");
    }
    pid_t outer = parent > 1 ? (pid_t)proc_status(parent, "PPid") : 0;
    if (outer > 1 && is_run(outer)) {
        return outer;
    }
    return parent > 1 ? parent : 0;
}

/* Stores the names of the rank's job and world. */
static void name_rank(struct rank *rank, pid_t launcher)
{
    size_t length = 0;
    char *environment = proc_read(rank->pid, "environ", &length);
    const bool is_read = environment != NULL;
    const char *world = is_read ? world_name(environment, length) : NULL;
    const char *job = is_read && launcher == 0 ? world_job_name(environment, length) : NULL;
    rank->world_name = text_of("%s", world == NULL ? "" : world);
    rank->job =
        launcher != 0 ? text_of("%d", (int)launcher) : text_of("%s", job == NULL ? "?" : job);
    free(environment);
}

static bool look_at_rank(struct rank *rank, pid_t pid)
{
    if (proc_status(pid, "Uid") != (long)geteuid() || !world_of_process(&rank->world, pid)) {
        return false;
    }
    rank->program = proc_program(pid);
    if (rank->program == NULL || is_own(rank->program)) {
        return false;
    }
    bool direct;
    rank->pid = pid;
    name_rank(rank, launcher_of(pid, &direct));
    rank->has_mpi = proc_maps(pid, "/libmpi") || proc_maps(pid, "/libpmpi");
    rank->recorded = proc_maps(pid, "/libshadowtype");
    return rank->has_mpi || (direct && !rank->world.batch);
}

static bool is_same_world(const struct rank *left, const struct rank *right)
{
    return strcmp(left->job, right->job) == 0 && strcmp(left->world_name, right->world_name) == 0;
}

static bool same_rank(const struct rank *left, const struct rank *right)
{
    return left->world.rank == right->world.rank && is_same_world(left, right);
}

/* Returns the smallest PID of a rank's world: that of its oldest process, as far as PIDs tell. */
static pid_t first_of_world(const struct rank *rank, const struct rank *all, size_t count)
{
    pid_t first = rank->pid;
    for (size_t i = 0; i < count; i++) {
        if (all[i].pid < first && is_same_world(&all[i], rank)) {
            first = all[i].pid;
        }
    }
    return first;
}

/* Numbers the worlds of each job in the order in which they began. */
static void number_worlds(struct rank *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        all[i].world_first = first_of_world(&all[i], all, count);
    }
    for (size_t i = 0; i < count; i++) {
        all[i].world_number = 1;
        for (size_t j = 0; j < count; j++) {
            const bool is_first = all[j].pid == all[j].world_first;
            all[i].world_number += is_first && all[j].world_first < all[i].world_first &&
                                   strcmp(all[j].job, all[i].job) == 0;
        }
    }
}

static int by_job_world_and_rank(const void *left, const void *right)
{
    const struct rank *a = left;
    const struct rank *b = right;
    size_t a_length = strlen(a->job);
    size_t b_length = strlen(b->job);
    if (a_length != b_length) {
        return a_length < b_length ? -1 : 1;
    }
    int order = strcmp(a->job, b->job);
    if (order != 0) {
        return order;
    }
    if (a->world_number != b->world_number) {
        return a->world_number < b->world_number ? -1 : 1;
    }
    if (a->world.rank != b->world.rank) {
        return a->world.rank < b->world.rank ? -1 : 1;
    }
    return (a->pid > b->pid) - (a->pid < b->pid);
}

static void sort_ranks(struct rank *ranks, size_t count)
{
    qsort(ranks, count, sizeof *ranks, by_job_world_and_rank);
}

/* Returns true for a shell between the launcher and the program: it is not a rank itself. */
static bool is_wrapper(const struct rank *rank, const struct rank *all, size_t count)
{
    for (size_t i = 0; i < count && !rank->has_mpi; i++) {
        if (all[i].has_mpi && same_rank(rank, &all[i])) {
            return true;
        }
    }
    return false;
}

struct rank *jobs_ranks(const char *job, size_t *count)
{
    pid_t *processes = proc_all();
    size_t room = 0, found = 0;
    while (processes[room] != 0) {
        room++;
    }
    struct rank *ranks = calloc(room + 1, sizeof *ranks);
    if (ranks == NULL) {
        fail(1, "out of memory");
    }
    for (pid_t *pid = processes; *pid != 0; pid++) {
        if (look_at_rank(&ranks[found], *pid) &&
            (job == NULL || strcmp(job, ranks[found].job) == 0)) {
            found++;
        }
    }
    free(processes);
    number_worlds(ranks, found);
    sort_ranks(ranks, found);
    *count = 0;
    bool *are_wrappers = calloc(found + 1, sizeof *are_wrappers);
    if (are_wrappers == NULL) {
        fail(1, "out of memory");
    }
    for (size_t i = 0; i < found; i++) {
        are_wrappers[i] = is_wrapper(&ranks[i], ranks, found);
    }
    for (size_t i = 0; i < found; i++) {
        if (!are_wrappers[i]) {
            ranks[(*count)++] = ranks[i];
        }
    }
    free(are_wrappers);
    return ranks;
}

const char *jobs_host(void)
{
    static char host[256];
    gethostname(host, sizeof host - 1);
    return host;
}

static bool has_name(pid_t run, const char *job)
{
    char *name = text_of("%d", (int)run);
    const bool is = strcmp(name, job) == 0;
    free(name);
    return is;
}

/* Returns true for a `mpipp run` that answers. It forks processes to read stacks: these have its command
 * line and files, and do not answer. */
static bool is_open_run(pid_t pid)
{
    return is_run(pid) && !is_run((pid_t)proc_status(pid, "PPid")) && inquiry_is_open(pid);
}

/* Returns every `mpipp run` of this user that answers (JOB: that of this job), terminated by 0. */
static pid_t *list_runs(const char *job)
{
    pid_t *all = proc_all();
    size_t count = 0;
    for (const pid_t *pid = all; *pid != 0; pid++) {
        if ((job == NULL || has_name(*pid, job)) && is_open_run(*pid)) {
            all[count++] = *pid;
        }
    }
    all[count] = 0;
    return all;
}

pid_t jobs_run_of(const struct rank *rank)
{
    char *end;
    const long pid = strtol(rank->job, &end, 10);
    return *end == '\0' && pid > 0 && is_open_run((pid_t)pid) ? (pid_t)pid : 0;
}

struct rank *jobs_all_ranks(const char *job, size_t *count)
{
    pid_t *runs = list_runs(job);
    size_t all, kept = 0;
    struct rank *ranks = jobs_add_far(jobs_ranks(NULL, &all), &all, runs, jobs_host());
    sort_ranks(ranks, all);
    for (size_t i = 0; i < all; i++) {
        if (job == NULL || strcmp(job, ranks[i].job) == 0) {
            ranks[kept++] = ranks[i];
        }
    }
    *count = kept;
    free(runs);
    return ranks;
}

/* Returns true if PID is RANK, or is below or above it. Of a rank on another host: if it is, or is below, the
 * `mpipp run` of its job. */
static bool is_of(pid_t pid, const struct rank *rank)
{
    const pid_t run = (pid_t)strtol(rank->job, NULL, 10);
    if (rank->host != NULL) {
        return run > 1 && (pid == run || proc_descends(pid, run));
    }
    return rank->pid == pid || proc_descends(rank->pid, pid) || proc_descends(pid, rank->pid);
}

/* Returns "3447, 3448": the jobs of ranks that are sorted by job. */
static const char *names_of(const struct rank *ranks, size_t count)
{
    const char *text = "";
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(ranks[i].job, ranks[i - 1].job) != 0) {
            text = text_of("%s%s%s", text, i == 0 ? "" : ", ", text_visible(ranks[i].job));
        }
    }
    return text;
}

static struct rank *ranks_of(pid_t pid, size_t *count,
                             struct rank *(*list)(const char *job, size_t *count))
{
    size_t all;
    const bool is_name = pid != 0 && is_open_run(pid); /* no other has to be asked */
    struct rank *ranks = list(is_name ? text_of("%d", (int)pid) : NULL, &all);
    if (pid != 0 && kill(pid, 0) != 0 && errno == ESRCH) {
        fail(STATUS_NOT_FOUND, "no process has the PID %d", (int)pid);
    }
    if (all == 0) {
        fail(1, "no MPI rank of yours runs on '%s'", jobs_host());
    }
    struct rank *chosen = calloc(all + 1, sizeof *chosen);
    if (chosen == NULL) {
        fail(1, "out of memory");
    }
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        if (pid == 0 || is_of(pid, &ranks[i])) {
            chosen[(*count)++] = ranks[i];
        }
    }
    if (*count == 0) {
        fail(1, "process %d belongs to no MPI job of yours", (int)pid);
    }
    if (strcmp(chosen[0].job, chosen[*count - 1].job) != 0) {
        fail(1,
             pid == 0 ? "several jobs of yours run on '%s', say which by a PID: %s"
                      : "more than one job is above or below that process on '%s': %s",
             jobs_host(), names_of(chosen, *count));
    }
    const char *job = chosen[0].job;
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        if (strcmp(ranks[i].job, job) == 0) {
            chosen[(*count)++] = ranks[i];
        }
    }
    free(ranks);
    return chosen;
}

struct rank *jobs_ranks_of(pid_t pid, size_t *count)
{
    return ranks_of(pid, count, jobs_ranks);
}

struct rank *jobs_all_ranks_of(pid_t pid, size_t *count)
{
    return ranks_of(pid, count, jobs_all_ranks);
}
