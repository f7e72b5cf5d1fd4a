/*
 * A command line under construction: a growing, NULL-terminated array of words for exec, and the
 * few string helpers that building one takes. Nothing is ever freed: mpipp execs or exits at once.
 */
#ifndef MPIPP_WORDS_H
#define MPIPP_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words {
    char **list; /* NULL-terminated once a word was added */
    size_t count;
    size_t room;
};

void words_add(struct words *words, const char *word);
void words_add_all(struct words *words, char *const *list); /* NULL is an empty list */

/* The words with a blank between them, in new memory. */
char *words_join(const struct words *words);

/* Splits TEXT at blanks; '...', "..." and \ quote as in a shell, nothing is expanded.
 * False: a quote is not closed. */
bool words_split(struct words *words, const char *text);

/* Returns new memory, all zero; ends mpipp if there is none. */
void *zeroed(size_t count, size_t size);

/* printf into new memory. */
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* TEXT as one word of a shell command line, of sh, csh and fish alike. */
char *text_quoted(const char *text);

/* try_visible() of say.h; ends mpipp if there is no memory. */
char *text_visible(const char *text);

bool text_begins(const char *text, const char *prefix);

/* What follows the last '/'. */
const char *text_base_name(const char *path);

#endif
