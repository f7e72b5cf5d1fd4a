/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Command lines that mpipp passes on: which words before PROGRAM belong to which option.
 *
 * Launchers and gdb have hundreds of options. Here it only matters where PROGRAM begins, so a table
 * has only the options that take values.
 */
#ifndef MPIPP_OPTIONS_H
#define MPIPP_OPTIONS_H

#include <stdbool.h>

struct valued_option {
    const char *name; /* without its dashes */
    int values;       /* number of words after it that are its values; "--name=value" has none */
};

extern const struct valued_option options_of_launchers[]; /* both end with a NULL name */
extern const struct valued_option options_of_gdb[];

/* Returns how many words after WORD are its values, by TABLE; -1 if WORD is not in the table. */
int option_values(const struct valued_option *table, const char *word);

/* If *WORDS begins with mpipp's own option "--NAME=VALUE" or "--NAME VALUE", stores the value,
 * moves *WORDS to the last word of the option and returns true. Ends mpipp if the value is missing. */
bool option_take(char *const **words, const char *name, const char **value);

/* Returns true if WORD is -n or -np. Ends mpipp if VALUE is no number of ranks: hydra silently
 * takes 0 for 1, mpirun for the number of processors. */
bool option_counts_ranks(const char *word);
void option_require_ranks(const char *word, const char *value);

/* Like option_take(), for "-n N" and "-np N" before a debugger's options. gdb itself has an option
 * -n, without a value (-nx). */
bool option_take_ranks(char *const **words, const char **count);

/* Like option_take(), for "--callers=N": how many frames of a call the library keeps. Ends mpipp if
 * N is wrong; else puts it into the environment, as CALLERS_VARIABLE. */
#define CALLERS_VARIABLE "MPIPP_CALLERS"
bool option_take_callers(char *const **words);

/* Returns the value in the environment; NULL if it is not set. Ends mpipp if it is wrong. */
const char *option_callers(void);

#endif
