/* SPDX-License-Identifier: BSD-3-Clause */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../libshadowtype/report/writer.h"

char *try_visible(const char *text)
{
    struct st_writer writer = {.room = (sizeof ST_REPLACEMENT - 1) * strlen(text)};
    writer.bytes = malloc(writer.room + 1);
    if (writer.bytes == NULL) {
        return NULL;
    }
    st_put_visible(&writer, text);
    writer.bytes[writer.length] = '\0';
    return writer.bytes;
}

static void say_line(const char *format, va_list arguments)
{
    char *sentence;
    fflush(stdout);
    if (vasprintf(&sentence, format, arguments) < 0) { /* no memory */
        sentence = NULL;
    }
    char *shown = sentence == NULL ? NULL : try_visible(sentence);
    fprintf(stderr, "mpipp: %s\n", shown == NULL ? format : shown);
    free(shown);
    free(sentence);
}

void warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_line(format, arguments);
    va_end(arguments);
}

void fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say_line(format, arguments);
    va_end(arguments);
    exit(status);
}
