#include "print.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../say.h"
#include "../words.h"
#include "files.h"

const char *report_message(const struct report *report)
{
    const struct st_finding *finding = &report->facts->finding;
    return finding->message != NULL ? finding->message : st_check_rows[finding->check].title;
}

/* What 'mpipp attach' takes: a pid here, or HOST:PID. NULL: the process is gone, or not known. */
static const char *attach_of(const struct report *report, const char *host)
{
    long long pid = report->facts->finding.process;
    const char *there = report->process->host;
    bool here = there == NULL || strcmp(there, host) == 0;
    if (pid <= 0 || pid > INT_MAX || report->process->ended ||
        (here && kill((pid_t)pid, 0) != 0 && errno == ESRCH))
        return NULL;
    return here ? text_of("%lld", pid) : text_of("%s:%lld", there, pid);
}

char *report_text(const struct report *report, const char *host, bool colour)
{
    static char text[4 * ST_FINDING_ROOM];
    struct st_finding finding = report->facts->finding;
    const struct process *process = report->process;
    finding.count = report->count > (int64_t)report_members(report) ? report->count : 1;
    struct st_look look = {.colour = colour,
                           .subject = report_subject(report),
                           .attach = host != NULL ? attach_of(report, host) : NULL};
    if (look.attach != NULL && finding.rank >= 0)
        look.remark = process->host != NULL ? text_of("rank %d on %s", finding.rank, process->host)
                                            : text_of("rank %d", finding.rank);
    text[st_finding_text(&finding, &look, text, sizeof text)] = '\0';
    return text_of("%s", text);
}

char *report_again(const struct report *report)
{
    const struct st_finding *finding = &report->facts->finding;
    const struct st_frame *frame = finding->site.count != 0 ? &finding->site.list[0] : NULL;
    char *place = frame == NULL ? text_of("%s", "")
                  : frame->text != NULL
                      ? text_of(" at %s", frame->text)
                      : text_of(" in %s", frame->symbol != NULL ? frame->symbol : frame->module);
    return text_of("mpipp: %s %s%s: %s; %lld times in all\n",
                   st_severity_name(st_finding_severity(finding)), st_check_rows[finding->check].id,
                   place,
                   report->rank_count > 1 ? text_of("ranks %s", report_ranks(report))
                   : report->rankless > 1 ? text_of("%zu processes", report->rankless)
                                          : report_subject(report),
                   (long long)report->count);
}

size_t findings_count(const struct findings *findings, enum st_severity severity)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->report_count; i++) {
        const struct report *report = findings->reports[i];
        if (!report->suppressed && st_finding_severity(&report->facts->finding) == severity)
            count++;
    }
    return count;
}

static char *some(size_t count, const char *what)
{
    return text_of("%zu %s%s", count, what, count == 1 ? "" : "s");
}

static char *found_text(const struct findings *findings)
{
    size_t errors = findings_count(findings, ST_SEVERITY_ERROR);
    size_t warnings = findings_count(findings, ST_SEVERITY_WARNING);
    size_t suppressed = findings->report_count - errors - warnings;
    char *text = errors == 0 ? text_of("%s", "no errors") : some(errors, "error");
    if (warnings != 0)
        text = text_of("%s, %s", text, some(warnings, "warning"));
    if (suppressed != 0)
        text = text_of("%s, %zu suppressed", text, suppressed);
    return text;
}

struct tally {
    size_t began, ended;
    int size; /* of the world; the largest, where there are several */
    int64_t calls;
};

static struct tally tally(const struct findings *findings)
{
    struct tally all = {0};
    for (size_t i = 0; i < findings->process_count; i++) {
        const struct process *process = findings->processes[i];
        all.began += process->began;
        all.ended += process->began && process->ended;
        if (process->ended)
            all.calls += process->calls;
        if (process->size > all.size)
            all.size = process->size;
    }
    return all;
}

/* Those that began and did not come to their end. */
static char *killed_text(const struct findings *findings)
{
    struct report killed = {0}; /* for its ranks */
    const struct process *one = NULL;
    size_t count = 0;
    for (size_t i = 0; i < findings->process_count; i++) {
        const struct process *process = findings->processes[i];
        if (!process->began || process->ended)
            continue;
        one = process;
        count++;
        if (process->rank >= 0)
            report_add_rank(&killed, process->rank);
    }
    if (count == 0)
        return text_of("%s", "");
    if (count > 1)
        return text_of(
            "mpipp: ranks %s did not come to their end: they were killed, crashed or left "
            "at once; their calls are not counted\n",
            report_ranks(&killed));
    return text_of(
        "mpipp: rank %s (process %lld) did not come to its end: it was killed, crashed or "
        "left at once; its calls are not counted\n",
        report_ranks(&killed), (long long)one->pid);
}

/* The checks of which there are more than is printed, or may be. */
static char *limit_text(const struct findings *findings)
{
    char *text = text_of("%s", "");
    for (unsigned check = 0; check < ST_CHECK_COUNT; check++) {
        if (findings->reached[check])
            text = text_of("%smpipp: of %s there may be more: '--max-reports' is %lu\n", text,
                           st_check_rows[check].id, findings->most);
    }
    return text;
}

char *summary_text(const struct findings *findings)
{
    struct tally all = tally(findings);
    char *text = text_of("%s%s", limit_text(findings), killed_text(findings));
    if (findings->damaged != 0)
        text = text_of("%smpipp: %s of the ranks could not be read\n", text,
                       some(findings->damaged, "record"));
    if (all.began == 0 && findings->report_count == 0)
        return text_of("%smpipp: nothing was checked: no process has called MPI_Init under "
                       "'mpipp run'\n",
                       text);
    bool all_ranks = all.size <= 0 || all.ended >= (size_t)all.size;
    char *ranks =
        all_ranks ? some(all.ended, "rank") : text_of("%zu of %d ranks", all.ended, all.size);
    return text_of("%smpipp: %s; %lld calls checked on %s\n", text, found_text(findings),
                   (long long)all.calls, ranks);
}

void txt_write(const struct findings *findings, FILE *file)
{
    for (size_t i = 0; i < findings->report_count; i++) {
        if (!findings->reports[i]->suppressed)
            fputs(report_text(findings->reports[i], NULL, false), file);
    }
    fputs(summary_text(findings), file);
}
