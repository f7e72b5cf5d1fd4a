/*
 * Prints reports on standard error between what the program prints there. A report waits a moment
 * for other ranks that err alike, so that it is one.
 */
#ifndef MPIPP_FINDINGS_REPORTER_H
#define MPIPP_FINDINGS_REPORTER_H

#include <stdbool.h>
#include <stddef.h>

#include "merged.h"

struct reporter;

/* Of each check, at most findings->most reports are printed. */
struct reporter *reporter_new(struct findings *findings);

/* Writes bytes of the program's. A line of its that has no end yet is waited for, a moment, before
 * lines of ours break it. */
void reporter_pass(struct reporter *reporter, const char *bytes, size_t length);

/* In how many milliseconds a report is due; -1: none. */
int reporter_wait(const struct reporter *reporter);

/* Prints the reports that are due; or all. */
void reporter_print(struct reporter *reporter, bool all);

/* Prints what is left, and the summary. */
void reporter_finish(struct reporter *reporter);

/* Writes a suppression for each report to PATH; NULL: to standard error. */
bool reporter_suppressions(struct reporter *reporter, const char *path);

#endif
