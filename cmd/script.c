/* SPDX-License-Identifier: BSD-3-Clause */
#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_regular_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

char *path_find(const char *name)
{
    const char *path = getenv("PATH");
    if (path == NULL) {
        path = "/usr/local/bin:/usr/bin:/bin";
    }
    for (const char *entry = path;; entry++) {
        int length = (int)strcspn(entry, ":");
        char *candidate =
            length == 0 ? text_of("./%s", name) : text_of("%.*s/%s", length, entry, name);
        if (is_regular_file(candidate) && access(candidate, X_OK) == 0) {
            return candidate;
        }
        free(candidate);
        entry += length;
        if (*entry == '\0') {
            return NULL;
        }
    }
}

static bool is_setting_of_env(const char *word)
{
    return word[0] == '-' || strchr(word, '=') != NULL;
}

bool script_interpreter(struct words *interpreter, const char *path)
{
    char line[4096];
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    bool found = fgets(line, sizeof line, file) != NULL && text_begins(line, "#!");
    fclose(file);
    if (!found) {
        return false;
    }

    struct words words = {0};
    if (!words_split(&words, line + 2) || words.count == 0) {
        return false;
    }
    size_t first = 0;
    if (strcmp(text_base_name(words.list[0]), "env") == 0) {
        /* The last interpreter of the chain counts. */
        do {
            first++;
        } while (first < words.count && is_setting_of_env(words.list[first]));
        if (first == words.count) {
            return false;
        }
        char *found_path = path_find(words.list[first]);
        if (found_path != NULL) {
            words.list[first] = found_path;
        }
    }
    words_add_all(interpreter, words.list + first);
    return true;
}

char *script_fault(const struct words *interpreter)
{
    const char *name = interpreter->list[0];
    if (name[strlen(name) - 1] == '\r') {
        return text_of("its first line ends in a carriage return");
    }
    if (strchr(name, '/') == NULL) {
        return text_of("its interpreter '%s' is not in PATH", name);
    }
    if (access(name, F_OK) != 0) {
        return text_of("its interpreter '%s' is not there", name);
    }
    return text_of("its interpreter '%s' is no program", name);
}
