/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints reports on standard error, between the program's own output. A report waits a moment for
 * other ranks with the same error, so that they are in one report.
 */
#ifndef MPIPP_FINDINGS_REPORTER_H
#define MPIPP_FINDINGS_REPORTER_H

#include <stdbool.h>
#include <stddef.h>

#include "merged.h"

struct reporter;

/* Prints at most findings->most reports of each check. HOLDS is true if an error holds its rank until a user lets it
 * go on: its report then says how to attach to it. */
struct reporter *reporter_new(struct findings *findings, bool holds);

/* Writes output of the program. If its last line has no end yet, reports wait for it a moment
 * before they break the line. */
void reporter_pass(struct reporter *reporter, const char *bytes, size_t length);

/* Writes bytes to FILE, which may not block. Returns false if nobody reads them any more. */
bool reporter_write(int file, const char *bytes, size_t length);

/* To be called if a line of standard output, in the same file, has no end: the next output of mpipp
 * begins a new line. */
void reporter_break(struct reporter *reporter);

/* Returns for how many more milliseconds to wait for the end of the program's line. */
int reporter_line_wait(const struct reporter *reporter);

/* Returns in how many milliseconds the next report is due, or -1 if no report waits. */
int reporter_wait(const struct reporter *reporter);

/* Prints the reports that are due, or all. */
void reporter_print(struct reporter *reporter, bool all);

/* Prints whole lines of mpipp, after the reports that have come. */
void reporter_say(struct reporter *reporter, const char *lines);

/* Prints the remaining reports, and the summary. */
void reporter_finish(struct reporter *reporter);

/* Writes a suppression for each report to PATH; NULL: to standard error. */
bool reporter_suppressions(struct reporter *reporter, const char *path);

#endif
