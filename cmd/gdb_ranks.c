/* SPDX-License-Identifier: BSD-3-Clause */
#include "gdb_ranks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "debugger.h"
#include "findings/answer.h"
#include "hold.h"
#include "job.h"
#include "launch.h"
#include "preload.h"
#include "say.h"

/* How long to wait after a rank for the next one. Ranks on other hosts never come. */
#define SECONDS_BETWEEN_RANKS 10

/* Returns how many ranks will come, as far as those that have come know. SURE: all of them will
 * come, some perhaps late. */
static long expected(const struct held *held, int count, long asked, bool *sure)
{
    *sure = false;
    if (count == 0) {
        return asked > 0 ? asked : 1;
    }
    const struct world *world = &held[0].world;
    if (world->local > 0) {
        *sure = true;
        return world->local;
    }
    if (world->size > 0) {
        return world->size;
    }
    return asked > 0 ? asked : count;
}

static time_t now_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

static void wait_for_ranks(struct job *job, const struct gdb_ranks *ranks)
{
    long asked = ranks->count == NULL ? -1 : strtol(ranks->count, NULL, 10);
    time_t last = now_seconds();
    int before = 0;
    bool said = false;
    for (;;) {
        struct held *held;
        int status;
        bool ended = job_ended(job, &status);
        int count = hold_list(job->folder, &held);
        bool sure;
        long all = expected(held, count, asked, &sure);
        free(held);
        if (count >= all) {
            return;
        }
        if (ended && (status == STATUS_NOT_FOUND || status == STATUS_CANNOT_RUN)) {
            exit(status); /* a rank that could not run the program has said so */
        }
        if (ended) {
            fail(status == 0 ? 1 : status, "the launcher ended before all ranks had started");
        }
        if (count > before) {
            last = now_seconds();
        }
        before = count;
        bool late = count > 0 && now_seconds() - last > SECONDS_BETWEEN_RANKS;
        if (late && sure && !said) {
            warn("%d of %ld ranks have started: waiting for the others", count, all);
            said = true;
        } else if (late && !sure) {
            warn("only %d of %ld ranks have started on this host: 'mpipp attach HOST:PID' reaches "
                 "those on others",
                 count, all);
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
    }
}

void gdb_ranks(const struct gdb_ranks *ranks, char *const *words)
{
    struct launch launch = {.command = "mpipp gdb", .mpi = ranks->mpi, .launcher = ranks->launcher};
    struct job job;
    struct words launcher = {0};
    if (*words == NULL) {
        fail(STATUS_USAGE, "no program given to 'mpipp gdb'");
    }
    if (ranks->count != NULL) {
        words_add(&launch.passed, "-n");
        words_add(&launch.passed, ranks->count);
    }
    job_prepare(&job);
    launch.hold = hold_option(job.folder);
    launch_take_programs(&launch, words);
    launch_command(&launch, &launcher);
    preload_unset(launch.kind);
    debugger_require(ranks->gdb);

    struct words command = {0};
    debugger_begin(&command, ranks->gdb);
    answer_start();
    job_start(&job, launcher.list, ranks->input == NULL ? "/dev/null" : ranks->input);
    wait_for_ranks(&job, ranks);
    debugger_call(&command, "ranks_start",
                  text_of("start(%s, %d)", debugger_bytes(job.folder), (int)job.keeper));
    words_add_all(&command, ranks->options.list);
    debugger_become(&command);
}
