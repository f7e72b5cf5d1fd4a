/*
 * The gdb that mpipp becomes, with the plugin in it.
 */
#ifndef MPIPP_DEBUGGER_H
#define MPIPP_DEBUGGER_H

#include "words.h"

/* The environment's MPIPP_GDB, else "gdb". */
const char *debugger_default(void);

/* Ends mpipp with a sentence if GDB is not there, has no Python, or is too old: it would fail later
 * with a text that helps no one. */
void debugger_require(const char *gdb);

/* Begins a command line: GDB, which loads the plugin first of all. */
void debugger_begin(struct words *command, const char *gdb);

/* Adds an option with its value, as "-ex" and what follows it. */
void debugger_add(struct words *command, const char *option, const char *value);

/* Adds a call of a function in a module of the plugin, if that could be loaded. */
void debugger_call(struct words *command, const char *module, const char *call);

/* TEXT as a literal of Python, of bytes. */
char *debugger_bytes(const char *text);

/* If *WORDS begins with an option of gdb, adds it with its values, and moves *WORDS to the option's
 * last word. */
void debugger_take_option(struct words *options, char *const **words);

/* Becomes gdb. */
_Noreturn void debugger_become(const struct words *command);

#endif
