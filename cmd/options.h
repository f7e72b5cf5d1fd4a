/*
 * Command lines that mpipp passes on: which words before PROGRAM belong to which option.
 *
 * Launchers and gdb know hundreds of options between them. What matters here is only where
 * PROGRAM begins, so a table has just the options that take values.
 */
#ifndef MPIPP_OPTIONS_H
#define MPIPP_OPTIONS_H

#include <stdbool.h>

struct valued_option {
    const char *name; /* without its dashes */
    int values;       /* the words that follow it; "--name=value" has none */
};

extern const struct valued_option options_of_launchers[]; /* both end with a NULL name */
extern const struct valued_option options_of_gdb[];

/* How many words after WORD are its values, by TABLE; -1: WORD is not in the table. */
int option_values(const struct valued_option *table, const char *word);

/* If *WORDS begins with mpipp's own option "--NAME=VALUE" or "--NAME VALUE", stores the value,
 * moves *WORDS to the option's last word and returns true. A missing value ends mpipp. */
bool option_take(char *const **words, const char *name, const char **value);

/* Whether WORD is -n or -np; and ends mpipp if VALUE is no number of ranks: hydra takes 0 for 1
 * without a word, mpirun for as many as there are processors. */
bool option_counts_ranks(const char *word);
void option_require_ranks(const char *word, const char *value);

/* As option_take() for "-n N" and "-np N" before a debugger's options: gdb has a -n of its own,
 * without a value (-nx). */
bool option_take_ranks(char *const **words, const char **count);

/* As option_take() for "--callers=N": how many frames of a call the library keeps. A wrong N ends mpipp; a
 * right one goes into the environment, as CALLERS_VARIABLE. */
#define CALLERS_VARIABLE "MPIPP_CALLERS"
bool option_take_callers(char *const **words);

/* What the environment says of it; NULL: nothing. A wrong value ends mpipp. */
const char *option_callers(void);

#endif
