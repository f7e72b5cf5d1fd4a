/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A command line under construction: a growing, NULL-terminated array of words for exec, and the
 * string functions that this needs. Nothing is ever freed, because mpipp execs or exits soon.
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
void words_add_all(struct words *words, char *const *list); /* NULL means an empty list */

/* Returns the words with blanks between them, in new memory. */
char *words_join(const struct words *words);

/* Splits TEXT at blanks. '...', "..." and \ quote like in a shell; nothing is expanded. Returns
 * false if a quote is not closed. */
bool words_split(struct words *words, const char *text);

/* Returns new memory, all zero; ends mpipp if there is none. */
void *zeroed(size_t count, size_t size);

/* The same for one thing: where there are very many of them. */
void *zeroed_one(size_t size);

/* Like printf, into new memory. */
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns TEXT as one word of a shell command line; valid for sh, csh and fish. */
char *text_quoted(const char *text);

/* Like try_visible() of say.h, but ends mpipp if there is no memory. */
char *text_visible(const char *text);

bool text_begins(const char *text, const char *prefix);

/* Returns what follows the last '/'. */
const char *text_base_name(const char *path);

#endif
