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

/* Writes bytes to FILE, which may not block. Returns false if nobody reads them any more. */
bool reporter_write(int file, const char *bytes, size_t length);

/* A line of standard output, in the same file, has no end: what we say begins a new one. */
void reporter_break(struct reporter *reporter);

/* For how many milliseconds still the end of a line that was passed is worth waiting for. */
int reporter_line_wait(const struct reporter *reporter);

/* Returns in how many milliseconds the next report is due, or -1 if no report waits. */
int reporter_wait(const struct reporter *reporter);

/* Prints the reports that are due; or all. */
void reporter_print(struct reporter *reporter, bool all);

/* Prints whole lines of mpipp's own, behind the reports that have come. */
void reporter_say(struct reporter *reporter, const char *lines);

/* Prints what is left, and the summary. */
void reporter_finish(struct reporter *reporter);

/* Writes a suppression for each report to PATH; NULL: to standard error. */
bool reporter_suppressions(struct reporter *reporter, const char *path);

#endif
