/*
 * Reports as text on standard error, and the last words of a run.
 */
#ifndef MPIPP_FINDINGS_PRINT_H
#define MPIPP_FINDINGS_PRINT_H

#include <stdio.h>

#include "merged.h"

/* The message of a report, without its subject. */
const char *report_message(const struct report *report);

/* A report as it is printed, in new memory. HOST, where mpipp runs: how to look at the rank is said,
 * too; NULL: it is not. */
char *report_text(const struct report *report, const char *host, bool colour);

/* Counts, and what is to be said of how the ranks ended, in new memory: whole lines. */
char *summary_text(const struct findings *findings);

/* One line on a report of which more came after it was printed: ranks, times. In new memory. */
char *report_again(const struct report *report);

/* Not suppressed. */
size_t findings_count(const struct findings *findings, enum st_severity severity);

#endif
