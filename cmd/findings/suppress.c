/* SPDX-License-Identifier: BSD-3-Clause */
#include "suppress.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/writer.h"
#include "../say.h"
#include "../words.h"

enum where { ANYWHERE, FUNCTION, SOURCE, OBJECT, ANY_OF_THEM };

struct suppression {
    const char *id;
    enum where where;
    const char *pattern;
};

static const struct {
    const char *prefix;
    enum where where;
} places[] = {{"fun:", FUNCTION}, {"src:", SOURCE}, {"obj:", OBJECT}};

static bool is_an_id(const char *pattern)
{
    for (unsigned check = 0; check < ST_CHECK_COUNT; check++) {
        if (fnmatch(pattern, st_check_rows[check].id, 0) == 0) {
            return true;
        }
    }
    return false;
}

static void add_suppression(struct suppressions *suppressions, struct suppression suppression)
{
    size_t size = (suppressions->count + 1) * sizeof suppression;
    suppressions->list = realloc(suppressions->list, size);
    if (suppressions->list == NULL) {
        fail(1, "out of memory");
    }
    suppressions->list[suppressions->count++] = suppression;
}

/* Reads LINE, which has no blanks around it and no comment. */
static void read_line(struct suppressions *suppressions, const char *path, int number,
                      const char *line)
{
    struct suppression suppression = {.where = ANYWHERE};
    size_t length = strcspn(line, ":");
    suppression.id = text_of("%.*s", (int)length, line);
    if (!is_an_id(suppression.id)) {
        fail(STATUS_USAGE, "%s:%d: no check is called '%s'; 'mpipp explain' lists them", path,
             number, suppression.id);
    }
    if (line[length] == ':') {
        const char *rest = line + length + 1;
        suppression.where = ANY_OF_THEM;
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            if (text_begins(rest, places[i].prefix)) {
                suppression.where = places[i].where;
                rest += strlen(places[i].prefix);
            }
        }
        if (rest[0] == '\0') {
            fail(STATUS_USAGE, "%s:%d: no pattern follows the ':'", path, number);
        }
        suppression.pattern =
            suppression.where == ANY_OF_THEM ? text_of("*%s*", rest) : text_of("%s", rest);
    }
    add_suppression(suppressions, suppression);
}

void suppressions_read(struct suppressions *suppressions, const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    if (file == NULL) {
        fail(STATUS_USAGE, "cannot read the suppressions in '%s': %s", path, strerror(errno));
    }
    for (int number = 1; getline(&line, &room, file) >= 0; number++) {
        char *begin = line + strspn(line, " \t");
        char *end = begin + strcspn(begin, "\r\n");
        while (end > begin && (end[-1] == ' ' || end[-1] == '\t')) {
            end--;
        }
        *end = '\0';
        if (begin[0] != '\0' && begin[0] != '#') {
            read_line(suppressions, path, number, begin);
        }
    }
    if (ferror(file)) {
        fail(STATUS_USAGE, "cannot read the suppressions in '%s': %s", path, strerror(errno));
    }
    free(line);
    fclose(file);
}

static bool matches_pattern(const char *pattern, const char *text)
{
    return text != NULL && fnmatch(pattern, text, 0) == 0;
}

/* Compares a path, all of it or its last part, with or without the line. */
static bool matches_source(const char *pattern, const struct place *place)
{
    if (place->file == NULL) {
        return false;
    }
    const char *name = text_base_name(place->file);
    char *with_line = text_of("%s:%d", place->file, place->line);
    bool does = matches_pattern(pattern, place->file) || matches_pattern(pattern, name) ||
                matches_pattern(pattern, with_line) ||
                matches_pattern(pattern, with_line + (name - place->file));
    free(with_line);
    return does;
}

static bool matches_object(const char *pattern, const struct place *place)
{
    return place->module != NULL && (matches_pattern(pattern, place->module) ||
                                     matches_pattern(pattern, text_base_name(place->module)));
}

static bool matches_place(const struct suppression *suppression, const struct place *place)
{
    const char *pattern = suppression->pattern;
    bool any = suppression->where == ANY_OF_THEM;
    return ((any || suppression->where == FUNCTION) && matches_pattern(pattern, place->function)) ||
           ((any || suppression->where == SOURCE) && matches_source(pattern, place)) ||
           ((any || suppression->where == OBJECT) && matches_object(pattern, place));
}

bool suppressions_match(const struct suppressions *suppressions, const struct facts *facts)
{
    const char *id = st_check_rows[facts->finding.check].id;
    for (size_t i = 0; i < suppressions->count; i++) {
        const struct suppression *suppression = &suppressions->list[i];
        if (fnmatch(suppression->id, id, 0) != 0) {
            continue;
        }
        if (suppression->where == ANYWHERE) {
            return true;
        }
        for (size_t j = 0; j < facts->site.frames.count; j++) {
            if (matches_place(suppression, &facts->site.places[j])) {
                return true;
            }
        }
    }
    return false;
}

/* Returns a name in which pattern characters are quoted, with '*' for characters that may not be
 * shown. */
static char *literal(const char *name)
{
    char *text = zeroed(2 * strlen(name), 1);
    char *end = text;
    for (size_t length; *name != '\0'; name += length) {
        length = st_text_character(name);
        bool is_shown = length != 0 && !st_text_acts(st_text_code(name, length));
        length = length == 0 ? 1 : length;
        if (is_shown && strchr("*?[\\", *name) != NULL) {
            *end++ = '\\';
        }
        if (is_shown) {
            end = (char *)memcpy(end, name, length) + length;
        } else {
            *end++ = '*';
        }
    }
    return text;
}

char *suppression_for(const struct facts *facts)
{
    const char *id = st_check_rows[facts->finding.check].id;
    for (size_t i = 0; i < facts->site.frames.count; i++) {
        const struct place *place = &facts->site.places[i];
        if (place->function != NULL) {
            return text_of("%s:fun:%s", id, literal(place->function));
        }
        if (place->file != NULL) {
            return text_of("%s:src:%s", id, literal(text_base_name(place->file)));
        }
        if (place->module != NULL) {
            return text_of("%s:obj:%s", id, literal(text_base_name(place->module)));
        }
    }
    return text_of("%s", id);
}
