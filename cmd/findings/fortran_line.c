/* SPDX-License-Identifier: BSD-3-Clause */
#include "fortran_line.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../say.h"
#include "../words.h"

/* --- the source ---------------------------------------------------------------------------- */

struct source {
    const char *path;
    char **lines; /* without comments */
    size_t count; /* 0: the file cannot be read */
};

static struct source *sources;
static size_t source_count;

static bool is_fortran(const char *file)
{
    const char *dot = strrchr(file, '.');
    if (dot == NULL) {
        return false;
    }
    static const char *const endings[] = {".f", ".for", ".ftn", ".fpp"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (strcasecmp(dot, endings[i]) == 0) {
            return true;
        }
    }
    return tolower((unsigned char)dot[1]) == 'f' && isdigit((unsigned char)dot[2]) &&
           isdigit((unsigned char)dot[3]) && dot[4] == '\0';
}

static void read_lines(struct source *source)
{
    char *line = NULL;
    size_t room = 0, most = 0;
    struct stat status;
    /* Opening a pipe of that name would block. */
    if (stat(source->path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return;
    }
    FILE *file = fopen(source->path, "re");
    if (file == NULL) {
        return;
    }
    while (getline(&line, &room, file) > 0) {
        line[strcspn(line, "!\n")] = '\0';
        if (source->count == most) {
            most = most == 0 ? 256 : 2 * most;
            source->lines = realloc(source->lines, most * sizeof *source->lines);
            if (source->lines == NULL) {
                fail(1, "out of memory");
            }
        }
        source->lines[source->count++] = text_of("%s", line);
    }
    free(line);
    fclose(file);
}

static const struct source *source_of(const char *path)
{
    for (size_t i = 0; i < source_count; i++) {
        if (strcmp(sources[i].path, path) == 0) {
            return &sources[i];
        }
    }
    sources = realloc(sources, (source_count + 1) * sizeof *sources);
    if (sources == NULL) {
        fail(1, "out of memory");
    }
    struct source *source = &sources[source_count++];
    *source = (struct source){.path = text_of("%s", path)};
    read_lines(source);
    return source;
}

static bool is_of_word(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

/* Returns true if TEXT, which follows a name of MPI's, is empty, or the ending of another one of
 * its Fortran names. */
static bool ends_name(const char *text)
{
    size_t ending = strncasecmp(text, "_c", 2) == 0 ? 2 : strncasecmp(text, "_f08", 4) == 0 ? 4 : 0;
    return !is_of_word(text[0]) || (ending > 0 && !is_of_word(text[ending]));
}

/* Returns false for a procedure that makes no datatype. */
static bool is_of_made_type(const char *text)
{
    return (strncasecmp(text, "commit", 6) == 0 && ends_name(text + 6)) ||
           (strncasecmp(text, "free", 4) == 0 && ends_name(text + 4));
}

static bool is_called(const struct source *source, int line, const char *name)
{
    if (line <= 0 || (size_t)line > source->count) {
        return false;
    }
    const char *text = source->lines[line - 1];
    size_t length = strlen(name);
    bool is_beginning = name[length - 1] == '_';
    for (const char *at = text; (at = strcasestr(at, name)) != NULL; at += length) {
        const char *start = at > text && tolower((unsigned char)at[-1]) == 'p' ? at - 1 : at;
        if (start > text && is_of_word(start[-1])) {
            continue;
        }
        if (is_beginning ? !is_of_made_type(at + length) : ends_name(at + length)) {
            return true;
        }
    }
    return false;
}

/* Returns the only line from FIRST to LAST that calls NAME; 0 if there is none, or more than one. */
static int only_call(const struct source *source, int first, int last, const char *name)
{
    int found = 0;
    for (int line = first; line <= last && (size_t)line <= source->count; line++) {
        if (!is_called(source, line, name)) {
            continue;
        }
        if (found != 0) {
            return 0;
        }
        found = line;
    }
    return found;
}

/* --- the line table ------------------------------------------------------------------------ */

/* The lines of the procedure, and those of the statements before and after the call. */
struct around {
    int first, last;
    int before, after; /* 0: none */
};

static struct around look_around(const struct dwarf *dwarf, const struct fortran_call *call)
{
    struct around around = {0};
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf->dwarf_getsrclines(call->unit, &lines, &count) != 0) {
        return around;
    }
    dwarf->dwarf_decl_line(call->function, &around.first);
    for (size_t i = 0; i < count; i++) { /* by address */
        Dwarf_Line *line = dwarf->dwarf_onesrcline(lines, i);
        Dwarf_Addr address = 0;
        int number = 0;
        const char *file = dwarf->dwarf_linesrc(line, NULL, NULL);
        dwarf->dwarf_lineaddr(line, &address);
        dwarf->dwarf_lineno(line, &number);
        if (number == 0 || file == NULL || strcmp(file, call->file) != 0 ||
            dwarf->dwarf_haspc(call->function, address) != 1) {
            continue;
        }
        if (number > around.last) {
            around.last = number;
        }
        if (number != call->line && address <= call->address) {
            around.before = number;
        }
        if (number != call->line && address > call->address && around.after == 0) {
            around.after = number;
        }
    }
    return around;
}

int fortran_line_of(const struct dwarf *dwarf, const struct fortran_call *call)
{
    if (!text_begins(call->name, "MPI") || !is_fortran(call->file)) {
        return call->line;
    }
    const struct source *source = source_of(call->file);
    if (source->count == 0 || is_called(source, call->line, call->name)) {
        return call->line;
    }
    const struct around around = look_around(dwarf, call);
    int found = 0;
    if (around.before != 0 && around.after != 0) {
        found = only_call(source, around.before, around.after, call->name);
    }
    if (found == 0 && around.first != 0) {
        found = only_call(source, around.first, around.last, call->name);
    }
    return found != 0 ? found : call->line;
}

void fortran_line_forget(void)
{
    sources = NULL;
    source_count = 0;
}
