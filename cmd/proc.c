/* SPDX-License-Identifier: BSD-3-Clause */
#include "proc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "say.h"
#include "words.h"

static void *memory(void *old, size_t size)
{
    void *new = realloc(old, size);
    if (new == NULL) {
        fail(1, "out of memory");
    }
    return new;
}

char *proc_read(pid_t pid, const char *name, size_t *length)
{
    char *path = text_of("/proc/%d/%s", (int)pid, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    free(path);
    if (file < 0) {
        return NULL;
    }
    size_t room = 4096;
    char *text = memory(NULL, room);
    *length = 0;
    for (;;) {
        ssize_t got = read(file, text + *length, room - *length - 1);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        *length += (size_t)got;
        if (*length + 1 == room) {
            text = memory(text, room *= 2);
        }
    }
    close(file);
    text[*length] = '\0';
    return text;
}

char proc_state(pid_t id)
{
    size_t length;
    char *text = proc_read(id, "stat", &length);
    const char *end = text == NULL ? NULL : strrchr(text, ')');
    char state = end == NULL || end[1] != ' ' ? '\0' : end[2];
    free(text);
    return state;
}

long proc_status(pid_t pid, const char *field)
{
    size_t length;
    char *text = proc_read(pid, "status", &length);
    if (text == NULL) {
        return -1;
    }
    long value = -1;
    char *rest = text;
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        size_t name = strlen(field);
        if (text_begins(line, field) && line[name] == ':') {
            value = strtol(line + name + 1, NULL, 10);
        }
    }
    free(text);
    return value;
}

bool proc_ignores(pid_t pid, int signal)
{
    size_t length;
    char *status = proc_read(pid, "status", &length);
    const char *line = status != NULL ? strstr(status, "\nSigIgn:") : NULL;
    const unsigned long long mask =
        line != NULL ? strtoull(line + strlen("\nSigIgn:"), NULL, 16) : 0;
    free(status);
    return mask >> (signal - 1) & 1;
}

char *proc_program(pid_t pid)
{
    char *link = text_of("/proc/%d/exe", (int)pid);
    char path[PATH_MAX];
    ssize_t length = readlink(link, path, sizeof path - 1);
    free(link);
    if (length <= 0) {
        return NULL;
    }
    path[length] = '\0';
    return text_of("%s", path);
}

char *proc_name(pid_t pid)
{
    size_t length;
    char *name = proc_read(pid, "comm", &length);
    if (name != NULL) {
        name[strcspn(name, "\n")] = '\0';
    }
    return name;
}

/* Returns the letter for the state of a thread, as in ps; 0 if there is no such thread. */
static char thread_state(pid_t pid, const char *thread)
{
    size_t length;
    char *path = text_of("task/%s/stat", thread);
    char *text = proc_read(pid, path, &length);
    const char *name_end = text == NULL ? NULL : strrchr(text, ')');
    char state = name_end == NULL || name_end[1] != ' ' ? '\0' : name_end[2];
    free(path);
    free(text);
    return state;
}

bool proc_has_ended(pid_t pid)
{
    bool ended = true;
    char *path = text_of("/proc/%d/task", (int)pid);
    DIR *folder = opendir(path);
    free(path);
    for (struct dirent *entry; folder != NULL && ended && (entry = readdir(folder)) != NULL;) {
        char state = entry->d_name[0] == '.' ? '\0' : thread_state(pid, entry->d_name);
        ended = state == '\0' || state == 'Z' || state == 'X';
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return ended;
}

bool proc_maps(pid_t pid, const char *piece)
{
    size_t length;
    char *maps = proc_read(pid, "maps", &length);
    bool found = maps != NULL && strstr(maps, piece) != NULL;
    free(maps);
    return found;
}

pid_t *proc_all(void)
{
    size_t count = 0;
    size_t room = 256;
    pid_t *all = memory(NULL, room * sizeof *all);
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char *end;
        long pid = strtol(entry->d_name, &end, 10);
        if (*end != '\0' || pid <= 0 || pid > INT_MAX) {
            continue;
        }
        if (count + 1 == room) {
            all = memory(all, (room *= 2) * sizeof *all);
        }
        all[count++] = (pid_t)pid;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    all[count] = 0;
    return all;
}

bool proc_descends(pid_t pid, pid_t ancestor)
{
    while (pid > 1) {
        pid = (pid_t)proc_status(pid, "PPid");
        if (pid == ancestor) {
            return true;
        }
    }
    return false;
}
