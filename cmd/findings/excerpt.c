/* SPDX-License-Identifier: BSD-3-Clause */
#include "excerpt.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../words.h"
#include "html_text.h"

enum { AROUND = 2, MOST_BYTES = 16 << 20 };

/* Opens a source file; sets *newer if it was changed after the module was built. Never waits, as for a pipe. */
static FILE *open_source(const struct place *place, bool *newer)
{
    struct stat status, built;
    int descriptor = open(place->file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) {
        return NULL;
    }
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size > MOST_BYTES) {
        close(descriptor);
        return NULL;
    }
    *newer = place->module != NULL && stat(place->module, &built) == 0 &&
             status.st_mtime > built.st_mtime;
    FILE *source = fdopen(descriptor, "r");
    if (source == NULL) {
        close(descriptor);
    }
    return source;
}

/* Returns false if the file has no line of this number. */
static bool skip_to_line(FILE *source, int number)
{
    for (int line = 1; line < number;) {
        int byte = getc(source);
        if (byte == EOF) {
            return false;
        }
        line += byte == '\n';
    }
    return true;
}

/* Returns the text with blanks for tabs, in new memory. */
static char *expand_tabs(const char *text)
{
    enum { STOP = 8 };
    char *expanded = zeroed(STOP * strlen(text) + 1, 1);
    size_t length = 0;
    for (; *text != '\0'; text++) {
        size_t end = *text == '\t' ? length + STOP - length % STOP : length + 1;
        while (length < end) {
            expanded[length++] = *text == '\t' ? ' ' : *text;
        }
    }
    return expanded;
}

static void put_line(FILE *file, int number, const char *text, bool meant)
{
    char *expanded = expand_tabs(text);
    fprintf(file, "%s<span class=number>%5d</span>  ", meant ? "<mark>" : "", number);
    html_put(file, expanded);
    free(expanded);
    fputs(meant ? "</mark>\n" : "\n", file);
}

void excerpt_put(FILE *file, const struct place *place)
{
    bool newer = false;
    FILE *source = place->file != NULL && place->line > 0 ? open_source(place, &newer) : NULL;
    int first = place->line > AROUND ? place->line - AROUND : 1;
    if (source == NULL) {
        return;
    }
    char *text = NULL;
    size_t room = 0;
    bool began = false;
    for (int number = first; number <= place->line + AROUND; number++) {
        if (!began && !skip_to_line(source, first)) {
            break;
        }
        ssize_t length = getline(&text, &room, source);
        if (length < 0) {
            break;
        }
        while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) {
            text[--length] = '\0';
        }
        if (!began) {
            fputs("<pre class=source tabindex=0>", file);
        }
        began = true;
        put_line(file, number, text, number == place->line);
    }
    free(text);
    fclose(source);
    if (began) {
        fputs("</pre>\n", file);
    }
    if (began && newer) {
        fputs("<p class=site>the file was changed after the program was built</p>\n", file);
    }
}
