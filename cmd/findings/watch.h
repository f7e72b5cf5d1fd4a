/*
 * A launcher under mpipp's eyes: its standard error passed on with the ranks' records taken out,
 * reports printed as they come, a summary at the end.
 */
#ifndef MPIPP_FINDINGS_WATCH_H
#define MPIPP_FINDINGS_WATCH_H

#include "choices.h"

struct watch;

/* Before the command line is made: it names the place where the ranks report. */
struct watch *watch_open(struct choices *choices);

/* Runs COMMAND to its end, in the foreground as mpipp is, and ends mpipp as it ended: by the same
 * status or signal; by STATUS_FINDINGS, if --fail-on says so; by STATUS_UNWRITTEN, if a report file
 * could not be written. */
_Noreturn void watch_run(struct watch *watch, char *const *command);

#endif
