/*
 * --skip-frames: frames that are passed over where a report says where a call stands.
 *
 * The ranks keep some frames of each call then (--callers). Those of functions that match a pattern
 * are left out, and the nearest that are left are shown. Where all match, none is left out.
 */
#ifndef MPIPP_FINDINGS_SKIP_H
#define MPIPP_FINDINGS_SKIP_H

#include <stdbool.h>

#include "lines.h"

#define SKIP_FRAMES_VARIABLE "MPIPP_SKIP_FRAMES"

/* Puts the patterns of the option's VALUE, which has commas between them, into the environment,
 * where the debugger of --on-error finds them, too. An empty pattern ends mpipp. */
void skip_take(const char *value);

/* Reads the patterns of the environment. If there are any, and the user has not said how many frames
 * the ranks keep of each call, has them keep the callers of wrappers, too. */
void skip_prepare(bool callers_asked);

/* Whether there are patterns. */
bool skip_is_wanted(void);

/* Leaves out of SITE the frames that are passed over. */
void skip_frames(struct stack_writer *site);

#endif
