/* SPDX-License-Identifier: BSD-3-Clause */
#include "reporter.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../clock.h"
#include "../say.h"
#include "../words.h"
#include "print.h"

enum {
    MILLISECONDS_FOR_OTHERS = 1000, /* for other ranks, to report the same finding */
    MILLISECONDS_FOR_LINE = 1000,   /* for the program, to end its line before ours break it */
};

/* What was printed of the report of the same index. */
struct printed {
    int64_t due;   /* in milliseconds, as clock_ms() counts them */
    int64_t count; /* how often it was found, as printed; 0: not printed */
    size_t ranks;
};

struct reporter {
    struct findings *findings;
    char host[256];
    bool holds; /* errors hold their ranks */
    bool colour;
    bool over;                             /* no rank is alive any more */
    bool line_open;                        /* the program's last line has no end yet */
    int64_t line_due;                      /* wait for its end until then, in milliseconds */
    unsigned long numbers[ST_CHECK_COUNT]; /* of reports */
    struct printed *printed;
    size_t known; /* number of reports with a due time */
    size_t first; /* all reports before it were printed or skipped */
    size_t notes; /* number of notes that were printed */
};

static bool colour_is_wanted(void)
{
    const char *none = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && (none == NULL || none[0] == '\0') &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

struct reporter *reporter_new(struct findings *findings, bool holds)
{
    struct reporter *reporter = zeroed(1, sizeof *reporter);
    reporter->findings = findings;
    reporter->holds = holds;
    reporter->colour = colour_is_wanted();
    gethostname(reporter->host, sizeof reporter->host - 1);
    return reporter;
}

/* If nobody reads standard error any more, the program still goes on. */
bool reporter_write(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t put = write(file, bytes, length);
        if (put < 0 && errno == EAGAIN) {
            poll(&(struct pollfd){.fd = file, .events = POLLOUT}, 1, -1);
        } else if (put < 0 && errno != EINTR) {
            return false;
        }
        if (put > 0) {
            bytes += put;
            length -= (size_t)put;
        }
    }
    return true;
}

static void write_all(const char *bytes, size_t length)
{
    reporter_write(STDERR_FILENO, bytes, length);
}

void reporter_break(struct reporter *reporter)
{
    reporter->line_open = true;
}

int reporter_line_wait(const struct reporter *reporter)
{
    enum { MILLISECONDS_FOR_ERRORS = 200 };
    int64_t left = reporter->line_open ? reporter->line_due - MILLISECONDS_FOR_LINE +
                                             MILLISECONDS_FOR_ERRORS - clock_ms()
                                       : 0;
    return left > 0 ? (int)left : 0;
}

void reporter_pass(struct reporter *reporter, const char *bytes, size_t length)
{
    if (length == 0) {
        return;
    }
    write_all(bytes, length);
    if (!reporter->line_open || memchr(bytes, '\n', length) != NULL) {
        reporter->line_due = clock_ms() + MILLISECONDS_FOR_LINE;
    }
    reporter->line_open = bytes[length - 1] != '\n';
}

/* Writes whole lines of mpipp. */
static void say_lines(struct reporter *reporter, const char *text)
{
    if (reporter->line_open) {
        write_all("\n", 1);
    }
    reporter->line_open = false;
    write_all(text, strlen(text));
}

static void know_reported(struct reporter *reporter)
{
    size_t count = reporter->findings->report_count;
    if (count == reporter->known) {
        return;
    }
    reporter->printed = realloc(reporter->printed, count * sizeof *reporter->printed);
    if (reporter->printed == NULL) {
        fail(1, "out of memory");
    }
    for (; reporter->known < count; reporter->known++) {
        reporter->printed[reporter->known] =
            (struct printed){.due = clock_ms() + MILLISECONDS_FOR_OTHERS};
    }
}

/* Returns true if all ranks have reported it. */
static bool is_complete(const struct report *report)
{
    return report->process->size > 0 && report->rank_count >= (size_t)report->process->size;
}

/* Returns the first note that was not printed yet, if the reports before it were. */
static const struct note *next_note(const struct reporter *reporter)
{
    const struct findings *findings = reporter->findings;
    if (reporter->notes == findings->note_count) {
        return NULL;
    }
    const struct note *note = &findings->notes[reporter->notes];
    return reporter->first >= note->after ? note : NULL;
}

int reporter_wait(const struct reporter *reporter)
{
    const struct findings *findings = reporter->findings;
    int64_t due = -1;
    if (next_note(reporter) != NULL) {
        due = 0;
    } else if (reporter->first < reporter->known) {
        due = is_complete(findings->reports[reporter->first])
                  ? 0
                  : reporter->printed[reporter->first].due;
    }
    if (due < 0) {
        return -1;
    }
    if (reporter->line_open && due < reporter->line_due) {
        due = reporter->line_due;
    }
    int64_t left = due - clock_ms();
    return left < 0 ? 0 : (int)left;
}

static void print_one(struct reporter *reporter, size_t i)
{
    const struct report *report = reporter->findings->reports[i];
    unsigned long *number = &reporter->numbers[report->facts->finding.check];
    if (report->suppressed) {
        return;
    }
    if (++*number > reporter->findings->most) {
        reporter->findings->reached[report->facts->finding.check] = true;
        return;
    }
    const char *host = reporter->holds && !reporter->over ? reporter->host : NULL;
    char *text = report_text(report, host, reporter->colour);
    say_lines(reporter, text);
    free(text);
    reporter->printed[i].count = report->count;
    reporter->printed[i].ranks = report_members(report);
}

static void say_notes(struct reporter *reporter)
{
    for (const struct note *note; (note = next_note(reporter)) != NULL; reporter->notes++) {
        say_lines(reporter, text_of("mpipp: %s\n", text_visible(note->text)));
    }
}

void reporter_print(struct reporter *reporter, bool all)
{
    know_reported(reporter);
    int64_t time = clock_ms();
    if (!all && reporter->line_open && time < reporter->line_due) {
        return;
    }
    say_notes(reporter);
    /* In the order of their arrival: a report that waits delays those after it for a moment. */
    while (reporter->first < reporter->known &&
           (all || reporter->printed[reporter->first].due <= time ||
            is_complete(reporter->findings->reports[reporter->first]))) {
        print_one(reporter, reporter->first++);
        say_notes(reporter);
    }
}

void reporter_say(struct reporter *reporter, const char *lines)
{
    reporter_print(reporter, true);
    say_lines(reporter, lines);
}

void reporter_finish(struct reporter *reporter)
{
    reporter->over = true;
    reporter_print(reporter, true);
    for (size_t i = 0; i < reporter->known; i++) {
        const struct report *report = reporter->findings->reports[i];
        const struct printed *printed = &reporter->printed[i];
        if (printed->count != 0 &&
            (report->count != printed->count || report_members(report) != printed->ranks)) {
            say_lines(reporter, report_again(report));
        }
    }
    char *summary = summary_text(reporter->findings);
    say_lines(reporter, summary);
    free(summary);
}

bool reporter_suppressions(struct reporter *reporter, const char *path)
{
    FILE *file = path != NULL ? fopen(path, "we") : stderr;
    if (file == NULL) {
        warn("cannot write the suppressions to '%s': %s", path, strerror(errno));
        return false;
    }
    for (size_t i = 0; i < reporter->findings->report_count; i++) {
        const struct report *report = reporter->findings->reports[i];
        if (!report->suppressed) {
            fprintf(file, "# %s %s\n%s\n", report_subject(report),
                    text_visible(report_message(report)), suppression_for(report->facts));
        }
    }
    bool whole = fflush(file) == 0 && !ferror(file);
    if (path != NULL && fclose(file) != 0) {
        whole = false;
    }
    if (!whole) {
        warn("cannot write the suppressions to '%s': %s", path != NULL ? path : "standard error",
             strerror(errno));
    }
    return whole || path == NULL;
}
