/* SPDX-License-Identifier: BSD-3-Clause */
#include "closure.h"

#include <string.h>

#include "child.h"
#include "words.h"

/* Handles a line "\tSONAME => PATH (0xADDRESS)", "\tSONAME => not found" or "\tPATH (0xADDRESS)". */
static void visit_line(char *line, closure_visit *visit, void *context)
{
    static const char arrow[] = " => ";
    while (*line == '\t' || *line == ' ') {
        line++;
    }
    char *address = strstr(line, " (0x");
    if (address != NULL) {
        *address = '\0';
    }

    char *path = strstr(line, arrow);
    if (path == NULL) {
        if (line[0] == '/') {
            visit(text_base_name(line), line, context);
        }
        return;
    }
    *path = '\0';
    path += sizeof arrow - 1;
    visit(text_base_name(line), path[0] == '/' ? path : NULL, context);
}

/* Finds it in "OBJECT: error while loading shared libraries: libx.so: cannot open shared object
 * file: ..." */
static char *missing_library(const char *said)
{
    static const char begin[] = "error while loading shared libraries: ";
    const char *remark = strstr(said, begin);
    if (remark == NULL || strstr(remark, ": cannot open shared object file: ") == NULL) {
        return NULL;
    }
    remark += sizeof begin - 1;
    return text_of("%.*s", (int)strcspn(remark, "\n"), remark);
}

bool closure_walk(const char *loader, const char *object, closure_visit *visit, void *context,
                  char **missing)
{
    struct words command = {0};
    words_add(&command, loader);
    words_add(&command, "--list");
    words_add(&command, object);

    char *listing = NULL;
    if (child_output(command.list, &listing) != 0) {
        *missing = listing != NULL ? missing_library(listing) : NULL;
        return false;
    }
    char *rest = listing;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        visit_line(line, visit, context);
    }
    return true;
}
