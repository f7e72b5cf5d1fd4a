/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp stacks: prints the stacks of running processes, or of all ranks of a job. Equal stacks of
 * several ranks are printed once.
 */
#include "stacks/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "jobs.h"
#include "say.h"
#include "words.h"

struct request {
    struct stacks_options options;
    bool json;
    bool of_job;
    struct words pids;
};

static pid_t pid_of(const char *word)
{
    pid_t pid = strlen(word) < 10 && strspn(word, "0123456789") == strlen(word)
                    ? (pid_t)strtol(word, NULL, 10)
                    : 0;
    if (pid <= 0) {
        fail(STATUS_USAGE, "'%s' is not a PID", word);
    }
    return pid;
}

static void take_word(struct request *request, const char *word)
{
    if (strcmp(word, "--json") == 0) {
        request->json = true;
    } else if (strcmp(word, "--whole") == 0) {
        request->options.whole = true;
    } else if (strcmp(word, "--all-threads") == 0) {
        request->options.all_threads = true;
    } else if (strcmp(word, "--job") == 0) {
        request->of_job = true;
    } else if (text_begins(word, "--job=")) {
        request->of_job = true;
        words_add(&request->pids, word + strlen("--job="));
    } else if (word[0] == '-') {
        fail(STATUS_USAGE, "'mpipp stacks' has no option '%s'", word);
    } else {
        words_add(&request->pids, word);
    }
}

static void require_operands(const struct request *request)
{
    if (request->pids.count == 0 && !request->of_job) {
        fail(STATUS_USAGE, "no process given to 'mpipp stacks': PID... or --job");
    }
    if (request->pids.count > 1 && request->of_job) {
        fail(STATUS_USAGE, "'--job' takes one PID: '%s' is too much", request->pids.list[1]);
    }
    for (size_t i = 0; i < request->pids.count; i++) {
        pid_of(request->pids.list[i]);
    }
}

static bool has_pid(const struct stacks_process *list, size_t count, pid_t pid)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].pid == pid) {
            return true;
        }
    }
    return false;
}

static const struct rank *rank_of(const struct rank *ranks, size_t count, pid_t pid)
{
    for (size_t i = 0; i < count; i++) {
        if (ranks[i].pid == pid) {
            return &ranks[i];
        }
    }
    return NULL;
}

/* Lists the processes; with rank numbers if all are ranks of one job. */
static size_t list_processes(const struct request *request, struct stacks_process **list)
{
    size_t all, count = 0;
    const struct rank *ranks = jobs_ranks(NULL, &all), *first = NULL;
    bool one_job = true;
    *list = calloc(request->pids.count, sizeof **list);
    if (*list == NULL) {
        fail(1, "out of memory");
    }
    for (size_t i = 0; i < request->pids.count; i++) {
        pid_t pid = pid_of(request->pids.list[i]);
        const struct rank *rank = rank_of(ranks, all, pid);
        if (has_pid(*list, count, pid)) {
            continue;
        }
        first = first != NULL ? first : rank;
        one_job = one_job && rank != NULL && strcmp(rank->job, first->job) == 0;
        (*list)[count++] = (struct stacks_process){pid, rank != NULL ? (int)rank->world.rank : -1};
    }
    for (size_t i = 0; i < count && !one_job; i++) {
        (*list)[i].rank = -1;
    }
    return count;
}

static size_t list_job(const struct request *request, struct stacks_process **list)
{
    size_t count;
    pid_t pid = request->pids.count == 0 ? 0 : pid_of(request->pids.list[0]);
    const struct rank *ranks = jobs_ranks_of(pid, &count);
    *list = calloc(count, sizeof **list);
    if (*list == NULL) {
        fail(1, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        (*list)[i] = (struct stacks_process){ranks[i].pid, (int)ranks[i].world.rank};
    }
    return count;
}

static void print_json(const struct stacks *stacks)
{
    json_t *json = stacks_json(stacks);
    if (json == NULL || json_dumpf(json, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII) != 0) {
        fail(1, "cannot write the stacks");
    }
    printf("\n");
}

int command_stacks(char *const *words)
{
    struct request request = {0};
    struct stacks_process *list;
    for (; *words != NULL; words++) {
        if (strcmp(*words, "--help") == 0) {
            return command_help((char *[]){"stacks", NULL});
        }
        take_word(&request, *words);
    }
    require_operands(&request);
    size_t count = request.of_job ? list_job(&request, &list) : list_processes(&request, &list);
    struct stacks *stacks = stacks_take(list, count, &request.options);
    if (request.json) {
        print_json(stacks);
    } else {
        stacks_print(stacks, stdout, "");
    }
    if (fflush(stdout) != 0) {
        fail(1, "cannot write the stacks");
    }
    for (size_t i = 0; i < stacks_missing(stacks); i++) {
        warn("%s", stacks_why_missing(stacks, i));
    }
    return stacks_taken(stacks) == 0 ? 1 : 0;
}
