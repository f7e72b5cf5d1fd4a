/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The debuggers of --on-error, each started for a rank that is held. Each function lets the rank go
 * on, or leaves that to the user, and returns when the debugger has ended.
 */
#ifndef MPIPP_ON_ERROR_DEBUGGERS_H
#define MPIPP_ON_ERROR_DEBUGGERS_H

#include "held.h"

/* still.c: starts no debugger, but says how to attach one */
void debuggers_wait(struct held *held);
void debuggers_stop(struct held *held);

/* batch.c: writes mpipp-gdb.RANK.txt, mpipp-core.RANK.NUMBER */
void debuggers_transcript(struct held *held);
void debuggers_core(struct held *held);

/* window.c */
void debuggers_xterm(struct held *held);
void debuggers_ddd(struct held *held);

/* server.c */
void debuggers_server(struct held *held);

/* Returns true if PROGRAM can be run; if not, writes a sentence that names the Debian PACKAGE. */
bool debuggers_have(struct held *held, const char *program, const char *package);

/* Does the same for gdb with the plugin; begins its command line like debugger_begin(). */
bool debuggers_begin_gdb(struct held *held, struct words *command);

/* Adds a call of CALL in the plugin's module on_error, with the rank as its first arguments. */
void debuggers_call(const struct held *held, struct words *command, const char *call,
                    const char *more);

#endif
