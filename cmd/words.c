/* SPDX-License-Identifier: BSD-3-Clause */
#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

static void *memory(void *old, size_t size)
{
    void *new = realloc(old, size);
    if (new == NULL) {
        fail(1, "out of memory");
    }
    return new;
}

void *zeroed(size_t count, size_t size)
{
    void *new = calloc(count + 1, size);
    if (new == NULL) {
        fail(1, "out of memory");
    }
    return new;
}

void *zeroed_one(size_t size)
{
    void *new = calloc(1, size);
    if (new == NULL) {
        fail(1, "out of memory");
    }
    return new;
}

void words_add(struct words *words, const char *word)
{
    if (words->count + 1 >= words->room) {
        words->room = words->room == 0 ? 16 : 2 * words->room;
        words->list = memory(words->list, words->room * sizeof *words->list);
    }
    size_t size = strlen(word) + 1;
    words->list[words->count++] = memcpy(memory(NULL, size), word, size);
    words->list[words->count] = NULL;
}

void words_add_all(struct words *words, char *const *list)
{
    for (; list != NULL && *list != NULL; list++) {
        words_add(words, *list);
    }
}

char *words_join(const struct words *words)
{
    char *text = text_of("%s", words->count != 0 ? words->list[0] : "");
    for (size_t i = 1; i < words->count; i++) {
        char *longer = text_of("%s %s", text, words->list[i]);
        free(text);
        text = longer;
    }
    return text;
}

bool words_split(struct words *words, const char *text)
{
    char *word = memory(NULL, strlen(text) + 1);
    size_t length = 0;
    bool in_word = false;
    char quote = '\0';

    for (; *text != '\0'; text++) {
        if (quote != '\0' && *text == quote) {
            quote = '\0';
        } else if (quote == '\0' && (*text == '\'' || *text == '"')) {
            quote = *text;
            in_word = true;
        } else if (quote == '\0' && (*text == ' ' || *text == '\t' || *text == '\n')) {
            if (in_word) {
                word[length] = '\0';
                words_add(words, word);
            }
            length = 0;
            in_word = false;
        } else {
            if (quote != '\'' && *text == '\\' && text[1] != '\0') {
                text++;
            }
            word[length++] = *text;
            in_word = true;
        }
    }
    if (in_word) {
        word[length] = '\0';
        words_add(words, word);
    }
    free(word);
    return quote == '\0';
}

char *text_of(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        fail(1, "cannot format a text");
    }

    size_t size = (size_t)length + 1;
    char *text = memory(NULL, size);
    va_start(arguments, format);
    vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return text;
}

char *text_quoted(const char *text)
{
    char *quoted = memory(NULL, 4 * strlen(text) + 3);
    char *end = quoted;
    *end++ = '\'';
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            end = (char *)memcpy(end, "'\\''", 4) + 4;
        } else {
            *end++ = *text;
        }
    }
    *end++ = '\'';
    *end = '\0';
    return quoted;
}

char *text_visible(const char *text)
{
    char *shown = try_visible(text);
    if (shown == NULL) {
        fail(1, "out of memory");
    }
    return shown;
}

bool text_begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

const char *text_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}
