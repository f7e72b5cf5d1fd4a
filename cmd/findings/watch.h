/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a launcher: passes on its standard error without the ranks' records, prints reports as they
 * come, and a summary at the end.
 */
#ifndef MPIPP_FINDINGS_WATCH_H
#define MPIPP_FINDINGS_WATCH_H

#include "choices.h"

struct watch;

/* To be called before the command line is made, which names the place for the ranks' records. */
struct watch *watch_open(struct choices *choices);

/* Runs COMMAND to its end, in the foreground, and ends mpipp in the same way: with the same status
 * or signal; with STATUS_FINDINGS if --fail-on says so; with STATUS_UNWRITTEN if a report file
 * could not be written. */
_Noreturn void watch_run(struct watch *watch, char *const *command);

#endif
