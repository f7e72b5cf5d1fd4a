/* SPDX-License-Identifier: BSD-3-Clause */
#include "files.h"

#include "../words.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../say.h"

struct files {
    struct {
        const char *path;
        int file; /* -1: could not be opened, which has been reported */
    } *list;
    size_t count;
};

static const struct {
    const char *end;
    file_form *form;
} forms[] = {{".jsonl", jsonl_write},
             {".html", html_write},
             {".sarif", sarif_write},
             {".xml", junit_write},
             {".txt", txt_write}};

file_form *file_form_of(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        size_t end = strlen(forms[i].end);
        if (length > end && strcmp(path + length - end, forms[i].end) == 0) {
            return forms[i].form;
        }
    }
    return NULL;
}

static void say_why(const char *path, int error)
{
    warn("cannot write the report '%s': %s", path,
         error != 0 ? strerror(error) : "an error while writing");
}

struct files *files_open(const struct words *paths)
{
    struct files *files = zeroed(1, sizeof *files);
    files->list = zeroed(paths->count, sizeof *files->list);
    for (; files->count < paths->count; files->count++) {
        const char *path = paths->list[files->count];
        int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
        if (file < 0) {
            say_why(path, errno);
        }
        files->list[files->count].path = path;
        files->list[files->count].file = file;
    }
    return files;
}

static bool write_one(int descriptor, file_form *form, const struct findings *findings)
{
    struct stat status;
    FILE *file = fdopen(descriptor, "w");
    if (file == NULL) {
        return false;
    }
    /* Empties a file of an earlier run. A pipe or a device has no length. */
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        ftruncate(descriptor, 0) != 0) {
        return false;
    }
    form(findings, file);
    bool whole = fflush(file) == 0 && !ferror(file);
    int error = errno;
    if (fclose(file) != 0 && whole) {
        return false;
    }
    errno = error;
    return whole;
}

bool files_write(struct files *files, const struct findings *findings)
{
    bool all = true;
    for (size_t i = 0; i < files->count; i++) {
        const char *path = files->list[i].path;
        errno = 0;
        if (files->list[i].file < 0) {
            all = false;
        } else if (!write_one(files->list[i].file, file_form_of(path), findings)) {
            say_why(path, errno);
            all = false;
        }
    }
    return all;
}
