/* SPDX-License-Identifier: BSD-3-Clause */
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

/* Returns the argument for 'mpipp attach': a pid on this host, or HOST:PID. NULL if the process is
 * gone, or not known, or if the report is no error: only errors hold a rank. */
static const char *attach_of(const struct report *report, const char *host)
{
    long long pid = report->facts->finding.process;
    const char *there = report->process->host;
    bool here = there == NULL || strcmp(there, host) == 0;
    if (st_finding_severity(&report->facts->finding) != ST_SEVERITY_ERROR) {
        return NULL;
    }
    if (pid <= 0 || pid > INT_MAX || report->process->ended ||
        (here && kill((pid_t)pid, 0) != 0 && errno == ESRCH)) {
        return NULL;
    }
    return here ? text_of("%lld", pid) : text_of("%s:%lld", there, pid);
}

char *report_text(const struct report *report, const char *host, bool colour)
{
    static char text[4 * ST_FINDING_ROOM];
    struct st_finding finding = report->facts->finding;
    const struct process *process = report->process;
    const char *also = report_also(report);
    finding.count =
        also == NULL && report->count > (int64_t)report_members(report) ? report->count : 1;
    struct st_line_of_report *lines = zeroed(finding.line_count + 1, sizeof *lines);
    if (also != NULL) {
        for (size_t i = 0; i < finding.line_count; i++) {
            lines[i] = finding.lines[i];
        }
        lines[finding.line_count++] = (struct st_line_of_report){"also", also};
        finding.lines = lines;
    }
    struct st_look look = {
        .colour = colour,
        .subject = report_subject(report),
        .attach = host != NULL && finding.subject == NULL ? attach_of(report, host) : NULL};
    if (look.attach != NULL && finding.rank >= 0) {
        look.remark = process->host != NULL ? text_of("rank %d on %s", finding.rank, process->host)
                                            : text_of("rank %d", finding.rank);
    }
    text[st_finding_text(&finding, &look, text, sizeof text)] = '\0';
    free(lines);
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
        if (!report->suppressed && st_finding_severity(&report->facts->finding) == severity) {
            count++;
        }
    }
    return count;
}

static char *some_things(size_t count, const char *what)
{
    return text_of("%zu %s%s", count, what, count == 1 ? "" : "s");
}

struct tally {
    size_t began, ended;
    size_t early;        /* processes that did not come to their end, or never began */
    int size;            /* size of the world; the largest if there are several */
    struct report ranks; /* the processes that ended early, as far as they are known */
    int64_t calls, collectives, uncompared, messages, unmatched, accesses, unordered, ready, wild;
};

static void count_process(struct tally *all, const struct process *process)
{
    all->began += process->began;
    all->ended += process->began && process->ended;
    if (process->ended) {
        all->calls += process->calls;
    }
    all->collectives += process->collectives;
    all->uncompared += process->uncompared;
    all->messages += process->messages;
    all->unmatched += process->unmatched;
    all->accesses += process->accesses;
    all->unordered += process->unordered;
    all->ready += process->ready;
    all->wild += process->wild;
    if (process->size > all->size) {
        all->size = process->size;
    }
    if (!process->began || process->ended) {
        return;
    }
    all->early++;
    if (process->rank >= 0) {
        report_add_rank(&all->ranks, process->rank);
    }
}

static struct tally tally_findings(const struct findings *findings)
{
    struct tally all = {.unmatched = findings->unmatched};
    for (size_t i = 0; i < findings->process_count; i++) {
        count_process(&all, findings->processes[i]);
    }
    if (all.began != 0 && all.size > 0 && all.began < (size_t)all.size) {
        all.early += (size_t)all.size - all.began;
    }
    return all;
}

static bool tally_is_whole(const struct findings *findings, const struct tally *all)
{
    return all->early == 0 && findings->damaged == 0;
}

bool findings_are_whole(const struct findings *findings)
{
    struct tally all = tally_findings(findings);
    return all.began != 0 && tally_is_whole(findings, &all);
}

/* Returns the summary of what was found. It says "no errors" only if the results of all ranks are
 * known. */
static char *found_text(const struct findings *findings, const struct tally *all)
{
    size_t errors = findings_count(findings, ST_SEVERITY_ERROR);
    size_t warnings = findings_count(findings, ST_SEVERITY_WARNING);
    size_t notes = findings_count(findings, ST_SEVERITY_NOTE);
    size_t suppressed = findings->report_count - errors - warnings - notes;
    bool whole = tally_is_whole(findings, all);
    char *text = errors != 0 ? some_things(errors, "error")
                 : whole     ? text_of("%s", "no errors")
                             : NULL;
    if (warnings != 0) {
        text = text != NULL ? text_of("%s, %s", text, some_things(warnings, "warning"))
                            : some_things(warnings, "warning");
    }
    if (text == NULL) {
        text = text_of("%s", "nothing was found");
    }
    if (notes != 0) {
        text = text_of("%s, %s", text, some_things(notes, "note"));
    }
    if (suppressed != 0) {
        text = text_of("%s, %zu suppressed", text, suppressed);
    }
    return text;
}

static char *killed_text(const struct findings *findings, const struct tally *all)
{
    char *text = text_of("%s", "");
    const struct process *one = NULL;
    size_t count = 0;
    for (size_t i = 0; i < findings->process_count; i++) {
        const struct process *process = findings->processes[i];
        if (!process->began || process->ended) {
            continue;
        }
        one = process;
        count++;
    }
    if (count == 1) {
        text = text_of("mpipp: %s did not come to its end: it was killed, crashed or left at once; "
                       "its calls are not counted\n",
                       one->rank < 0
                           ? text_of("process %lld", (long long)one->pid)
                           : text_of("rank %d (process %lld)", one->rank, (long long)one->pid));
    } else if (count > 1) {
        text = text_of("mpipp: %s did not come to their end: they were killed, crashed or left at "
                       "once; their calls are not counted\n",
                       all->ranks.rank_count < count /* several worlds have such ranks */
                           ? text_of("%zu processes", count)
                           : text_of("ranks %s", report_ranks(&all->ranks)));
    }
    if (all->early > count) {
        text = text_of("%smpipp: %s did not come to MPI_Init\n", text,
                       some_things(all->early - count, "rank"));
    }
    return text;
}

/* Names the checks with more findings than are printed, or than are known. */
static char *limit_text(const struct findings *findings)
{
    char *text = text_of("%s", "");
    for (unsigned check = 0; check < ST_CHECK_COUNT; check++) {
        if (findings->reached[check]) {
            text = text_of("%smpipp: of %s there may be more: '--max-reports' is %lu\n", text,
                           st_check_rows[check].id, findings->most);
        }
    }
    return text;
}

/* Returns the last line for a run in which some ranks ended early. */
static char *early_text(const struct findings *findings, const struct tally *all)
{
    if (all->ended == 0 && findings->report_count == 0) {
        return text_of("%s", "mpipp: nothing is known: all ranks ended early\n");
    }
    char *found = found_text(findings, all);
    if (all->ended == 0) {
        return text_of("mpipp: %s; nothing more is known: all ranks ended early\n", found);
    }
    size_t count = all->ended + all->early;
    return text_of("mpipp: %s; %s checked on %zu of %zu ranks; nothing more is known: %s "
                   "ended early\n",
                   found, some_things((size_t)all->calls, "call"), all->ended, count,
                   some_things(all->early, "rank"));
}

char *summary_text(const struct findings *findings)
{
    struct tally all = tally_findings(findings);
    char *text = text_of("%s%s", limit_text(findings), killed_text(findings, &all));
    if (all.early != 0 && findings->last_states != NULL) {
        text = text_of("%s%s", text, findings->last_states);
    }
    if (findings->damaged != 0) {
        text = text_of("%smpipp: %s of the ranks could not be read\n", text,
                       some_things(findings->damaged, "record"));
    }
    if (all.uncompared != 0) {
        text = text_of("%smpipp: %lld of %s could not be compared between the ranks\n", text,
                       (long long)all.uncompared,
                       some_things((size_t)all.collectives, "collective call"));
    }
    if (all.unmatched != 0) {
        text = text_of("%smpipp: %lld of %s could not be compared with what was sent\n", text,
                       (long long)all.unmatched, some_things((size_t)all.messages, "message"));
    }
    if (all.unordered != 0) {
        text =
            text_of("%smpipp: %lld of %s could not be compared with the others\n", text,
                    (long long)all.unordered, some_things((size_t)all.accesses, "one-sided call"));
    }
    if (all.ready != 0) {
        text = text_of(
            "%smpipp: whether the receives of %s were there before is not known between nodes\n",
            text, some_things((size_t)all.ready, "ready send"));
    }
    if (all.wild != 0) {
        text = text_of(
            "%smpipp: %s: which messages of other nodes could have come instead is not known\n",
            text,
            text_of("%lld receive%s from any source", (long long)all.wild,
                    all.wild == 1 ? "" : "s"));
    }
    if (all.began == 0 && findings->report_count == 0) {
        return text_of("%smpipp: nothing was checked: no process has called MPI_Init under "
                       "'mpipp run'\n",
                       text);
    }
    if (all.early != 0) {
        return text_of("%s%s", text, early_text(findings, &all));
    }
    return text_of("%smpipp: %s; %s checked on %s\n", text, found_text(findings, &all),
                   some_things((size_t)all.calls, "call"), some_things(all.ended, "rank"));
}

void txt_write(const struct findings *findings, FILE *file)
{
    for (size_t i = 0; i < findings->report_count; i++) {
        if (!findings->reports[i]->suppressed) {
            fputs(report_text(findings->reports[i], NULL, false), file);
        }
    }
    fputs(summary_text(findings), file);
}
