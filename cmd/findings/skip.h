/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --skip-frames: frames that are skipped when a report says where a call is.
 *
 * The ranks then keep more frames of each call (--callers). Frames of functions that match a
 * pattern are left out, and the nearest others are shown. If all match, none is left out.
 */
#ifndef MPIPP_FINDINGS_SKIP_H
#define MPIPP_FINDINGS_SKIP_H

#include <stdbool.h>

#include "lines.h"

#define SKIP_FRAMES_VARIABLE "MPIPP_SKIP_FRAMES"

/* Puts the patterns of the option's VALUE, separated by commas, into the environment, where the
 * debugger of --on-error finds them, too. Ends mpipp if a pattern is empty. */
void skip_take(const char *value);

/* Reads the patterns of the environment. If there are any, and the user has not set the number of
 * frames per call, makes the ranks keep the callers of wrappers, too. */
void skip_prepare(bool callers_asked);

/* Returns true if there are patterns. */
bool skip_is_wanted(void);

/* Removes from SITE the frames that are skipped. */
void skip_frames(struct stack_writer *site);

#endif
