/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports as text on standard error, and the summary of a run.
 */
#ifndef MPIPP_FINDINGS_PRINT_H
#define MPIPP_FINDINGS_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "merged.h"

/* Returns the message of a report, without its subject. */
const char *report_message(const struct report *report);

/* Returns a report as it is printed, in new memory. HOST is the host of mpipp if errors hold their
 * ranks: the report then also says how to attach to the rank. Else HOST is NULL. */
char *report_text(const struct report *report, const char *host, bool colour);

/* Returns the counts, and how the ranks ended, in new memory: whole lines. */
char *summary_text(const struct findings *findings);

/* True if all ranks came to their end, and all that they reported could be read. */
bool findings_are_whole(const struct findings *findings);

/* Returns one line about a report that grew after it was printed: ranks, how often. In new memory. */
char *report_again(const struct report *report);

/* Counts the reports that are not suppressed. */
size_t findings_count(const struct findings *findings, enum st_severity severity);

#endif
