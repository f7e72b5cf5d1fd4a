/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process beside a debugger that adds source lines to the findings of the debugger's ranks. They ask
 * it for the text of each, and write that themselves (libshadowtype/report/asked.h), so that it stands
 * where the rank's output does, and before the debugger says that the rank has stopped.
 */
#ifndef MPIPP_FINDINGS_ANSWER_H
#define MPIPP_FINDINGS_ANSWER_H

/* Starts the process, for ranks that inherit the environment of this one, which may become a debugger.
 * It ends when this process does. Without it, ranks write text with offsets. */
void answer_start(void);

#endif
