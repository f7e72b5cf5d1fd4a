/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Becoming a gdb that has the plugin.
 */
#ifndef MPIPP_DEBUGGER_H
#define MPIPP_DEBUGGER_H

#include "words.h"

/* Returns the environment's MPIPP_GDB, else "gdb". */
const char *debugger_default(void);

/* Ends mpipp with a sentence if GDB does not exist or has no Python: it would fail later with a text
 * that does not help. One that is too old ends itself so, when it loads the plugin. */
void debugger_require(const char *gdb);

/* Begins a command line: GDB, which loads the plugin first, and ends if it is too old for it. */
void debugger_begin(struct words *command, const char *gdb);

/* Adds an option with its value, such as "-ex" and a command. */
void debugger_add(struct words *command, const char *option, const char *value);

/* Adds a call of a function in a module of the plugin; gdb skips it if the plugin could not be
 * loaded. */
void debugger_call(struct words *command, const char *module, const char *call);

/* Returns TEXT as a Python literal of bytes. */
char *debugger_bytes(const char *text);

/* If *WORDS begins with an option of gdb, adds it with its values, and moves *WORDS to the last
 * word of the option. */
void debugger_take_option(struct words *options, char *const **words);

/* Becomes gdb. */
_Noreturn void debugger_become(const struct words *command);

#endif
