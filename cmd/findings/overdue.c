/* SPDX-License-Identifier: BSD-3-Clause */
#include "overdue.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../proc.h"
#include "../watch/processor.h"
#include "../words.h"
#include "choices.h"

void overdue_told(struct overdue *overdue, int signal, int64_t now)
{
    overdue->signal = signal;
    if (overdue->signals++ == 0) {
        overdue->first = now;
    } else if (overdue->second == 0 && now - overdue->first >= MILLISECONDS_BETWEEN) {
        overdue->second = now;
    }
}

/* Returns true if ENVIRON, strings with a NUL after each, is what 'mpipp exec' gave a rank of this
 * job. */
static bool is_of_rank(const char *environ, size_t length, const char *reports)
{
    bool preloaded = false, ours = false;
    for (const char *entry = environ; entry < environ + length; entry += strlen(entry) + 1) {
        preloaded |= text_begins(entry, "LD_PRELOAD=") && strstr(entry, "libshadowtype-") != NULL;
        ours |= text_begins(entry, REPORTS_VARIABLE "=") &&
                strcmp(entry + strlen(REPORTS_VARIABLE "="), reports) == 0;
    }
    return preloaded && ours;
}

/* Returns true for a process that may be a rank: it descends from mpipp, and its environment cannot
 * be read. */
static bool may_be_of_job(pid_t pid, const char *reports)
{
    size_t length;
    char *environ = proc_read(pid, "environ", &length);
    bool is = environ != NULL ? is_of_rank(environ, length, reports)
                              : proc_descends(pid, getpid()) && !proc_has_ended(pid);
    free(environ);
    return is;
}

/* Returns true if a process still exists that was a rank, or that a rank has left behind. A rank
 * that has sent a record counts whatever its environment is now: programs that change their title
 * overwrite it. */
static bool is_anyone_there(const struct findings *findings)
{
    const char *reports = getenv(REPORTS_VARIABLE);
    for (size_t i = 0; i < findings->process_count; i++) {
        if (!proc_has_ended((pid_t)findings->processes[i]->pid)) {
            return true;
        }
    }
    bool found = false;
    pid_t *all = proc_all();
    for (const pid_t *pid = all; *pid != 0 && !found; pid++) {
        found = may_be_of_job(*pid, reports);
    }
    free(all);
    return found;
}

static bool has_begun(const struct findings *findings)
{
    for (size_t i = 0; i < findings->process_count; i++) {
        if (findings->processes[i]->began) {
            return true;
        }
    }
    return false;
}

/* Returns true if a rank is known to be on another host, or if a rank of a world has not reported
 * where it is. */
static bool is_elsewhere(const struct findings *findings)
{
    char host[256] = "";
    int known = 0, most = 0;
    gethostname(host, sizeof host - 1);
    for (size_t i = 0; i < findings->process_count; i++) {
        const struct process *process = findings->processes[i];
        if (process->host == NULL || strcmp(process->host, host) != 0) {
            return true;
        }
        known++;
        most = process->size > most ? process->size : most;
    }
    return known < most;
}

/* Returns true if the launcher has no reason any more to run. */
static bool has_no_reason(const struct overdue *overdue, const struct findings *findings)
{
    if (getenv(REPORTS_VARIABLE) == NULL || (overdue->signals == 0 && !has_begun(findings))) {
        return false;
    }
    if (overdue->signals < 2 && is_elsewhere(findings)) {
        return false;
    }
    return !is_anyone_there(findings);
}

/* Returns true if the launcher has slept since it was last looked at, or has had a processor and did
 * little with it. */
static bool has_rested(struct overdue *overdue, pid_t launcher)
{
    enum { LITTLE = 50000000 }; /* nanoseconds of a second */
    const unsigned long long before = overdue->worked;
    overdue->worked = processor_time(launcher);
    return overdue->worked - before < LITTLE && processor_had_time(launcher, before);
}

bool overdue_is(struct overdue *overdue, const struct findings *findings, pid_t launcher,
                int64_t now)
{
    if (now - overdue->looked >= MILLISECONDS_TO_LOOK_AGAIN) {
        const int64_t before = overdue->looked;
        overdue->looked = now;
        if (!has_no_reason(overdue, findings)) {
            overdue->since = 0;
        } else if (overdue->since == 0) {
            overdue->since = now;
            overdue->counted = 0;
            overdue->worked = processor_time(launcher);
        } else if (has_rested(overdue, launcher)) {
            overdue->counted += now - before;
        }
    }
    return overdue->since != 0 && (overdue->counted >= SECONDS_TO_END * 1000 ||
                                   now - overdue->since >= SECONDS_AT_MOST * 1000);
}

/* --- ranks that live ------------------------------------------------------------------------ */

bool overdue_is_deaf(const struct overdue *overdue, pid_t launcher, int64_t now)
{
    const int64_t most = SECONDS_TO_END * 1000;
    if (overdue->signals == 0 || overdue->since != 0) {
        return false;
    }
    return (overdue->second != 0 && now - overdue->second >= most) ||
           (now - overdue->first >= most && proc_ignores(launcher, overdue->signal));
}

/* A rank may have overwritten its environment, with its title. */
static bool is_rank(pid_t pid, const struct findings *findings)
{
    bool has_reported = false;
    for (size_t i = 0; i < findings->process_count && !has_reported; i++) {
        has_reported = findings->processes[i]->pid == pid;
    }
    return has_reported ? proc_descends(pid, getpid())
                        : may_be_of_job(pid, getenv(REPORTS_VARIABLE));
}

void overdue_kill(const struct findings *findings, pid_t launcher)
{
    size_t count = 0;
    pid_t *all = proc_all();
    for (const pid_t *pid = all; *pid != 0; pid++) {
        if (*pid != launcher && *pid != getpid() &&
            (proc_descends(*pid, launcher) || is_rank(*pid, findings))) {
            all[count++] = *pid;
        }
    }
    kill(launcher, SIGKILL); /* first, so that it does not report each of them */
    for (size_t i = 0; i < count; i++) {
        kill(all[i], SIGKILL);
    }
    free(all);
}

char *overdue_sentence(const struct overdue *overdue, const struct findings *findings,
                       bool with_ranks)
{
    int status;
    if (with_ranks) {
        return text_of("the launcher and its ranks were killed: told to end by signal %d (%s), it "
                       "had not ended after %d s",
                       overdue->signal, strsignal(overdue->signal), SECONDS_TO_END);
    }
    if (overdue->signal != 0) {
        return text_of("the launcher was killed: told to end by signal %d (%s), it had not ended "
                       "%d s after its ranks",
                       overdue->signal, strsignal(overdue->signal), SECONDS_TO_END);
    }
    if (findings_status(findings, &status)) {
        return text_of("the launcher was killed: it had not ended %d s after its ranks; the exit "
                       "status is that of the ranks, %d",
                       SECONDS_TO_END, status);
    }
    return text_of("the launcher was killed: it had not ended %d s after its ranks",
                   SECONDS_TO_END);
}
