/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --report=FILE.xml: JUnit's XML, which CI servers show as the results of tests. A report is a test that has failed
 * if it is an error, and one with output if it is a warning or a note. The first test is the job itself, so that
 * a run without a report has a result, too.
 *
 * JUnit has no standard; this is what Jenkins' xUnit schema, GitLab and GitHub's actions read.
 */
#include <stdbool.h>

#include "files.h"
#include "html_text.h"
#include "print.h"

/* Writes NAME="TEXT"; nothing if there is no text. */
static void put_attribute(FILE *file, const char *name, const char *text)
{
    if (text == NULL) {
        return;
    }
    fprintf(file, " %s=\"", name);
    html_put(file, text);
    fputc('"', file);
}

/* The innermost frame that has a line; NULL: none has. */
static const struct place *place_of(const struct facts *facts)
{
    const struct stack *stack = facts_stack(facts);
    for (size_t i = 0; i < stack->frames.count; i++) {
        if (stack->places[i].file != NULL) {
            return &stack->places[i];
        }
    }
    return NULL;
}

static void put_report(FILE *file, const struct report *report)
{
    const struct facts *facts = report->facts;
    const struct st_check_row *row = &st_check_rows[facts->finding.check];
    enum st_severity severity = st_finding_severity(&facts->finding);
    const struct place *place = place_of(facts);
    const char *title = text_of("%s %s", report_subject(report), report_message(report));
    const char *where =
        place == NULL ? "" : text_of("%s:%d: ", text_base_name(place->file), (int)place->line);

    fputs("  <testcase", file);
    put_attribute(file, "classname", text_of("mpipp.%s", row->id));
    put_attribute(file, "name", text_of("%s%s", where, title));
    if (place != NULL) {
        put_attribute(file, "file", place->file);
        put_attribute(file, "line", text_of("%d", (int)place->line));
    }
    const char *element = severity == ST_SEVERITY_ERROR ? "failure" : "system-out";
    fprintf(file, ">\n   <%s", element);
    if (severity == ST_SEVERITY_ERROR) {
        put_attribute(file, "type", row->id);
        put_attribute(file, "message", title);
    }
    fputc('>', file);
    html_put(file, report_text(report, NULL, false));
    fprintf(file, "</%s>\n  </testcase>\n", element);
}

/* The job: an error where not all ranks came to their end, since what they would have reported is not known. */
static void put_job(FILE *file, const struct findings *findings, bool whole)
{
    fputs("  <testcase classname=\"mpipp\" name=\"all ranks came to their end\">\n   ", file);
    fputs(whole ? "<system-out>"
                : "<error type=\"incomplete\" message=\"what was found is not all\">",
          file);
    html_put(file, summary_text(findings));
    fputs(whole ? "</system-out>\n  </testcase>\n" : "</error>\n  </testcase>\n", file);
}

void junit_write(const struct findings *findings, FILE *file)
{
    size_t shown = 0;
    bool whole = findings_are_whole(findings);
    for (size_t i = 0; i < findings->report_count; i++) {
        shown += !findings->reports[i]->suppressed;
    }

    const char *counts = text_of("tests=\"%zu\" failures=\"%zu\" errors=\"%d\"", shown + 1,
                                 findings_count(findings, ST_SEVERITY_ERROR), !whole);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", file);
    fprintf(file, "<testsuites name=\"mpipp\" %s>\n <testsuite name=\"mpipp\" %s>\n", counts,
            counts);
    put_job(file, findings, whole);
    for (size_t i = 0; i < findings->report_count; i++) {
        if (!findings->reports[i]->suppressed) {
            put_report(file, findings->reports[i]);
        }
    }
    fputs(" </testsuite>\n</testsuites>\n", file);
}
