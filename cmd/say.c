#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "words.h"

static void say_line(const char *format, va_list arguments)
{
    char *sentence;
    fflush(stdout);
    if (vasprintf(&sentence, format, arguments) < 0) { /* no memory */
        fprintf(stderr, "mpipp: %s\n", format);
        return;
    }
    char *shown = text_visible(sentence);
    fprintf(stderr, "mpipp: %s\n", shown);
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
