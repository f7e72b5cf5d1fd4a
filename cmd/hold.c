/* SPDX-License-Identifier: BSD-3-Clause */
#include "hold.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"
#include "tree.h"
#include "words.h"

static char *this_host(void)
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return text_of("%s", name);
}

char *hold_option(const char *folder)
{
    return text_of("%s:%s", this_host(), folder);
}

static void preload_hold(const char *folder)
{
    const char *others = getenv("LD_PRELOAD");
    setenv("MPIPP_HOLD", folder, 1);
    setenv("LD_PRELOAD", text_of("%s:%s", tree_hold(), others == NULL ? "" : others), 1);
}

void hold_set(const char *option)
{
    const char *host = this_host();
    const char *folder = strchr(option, ':');
    if (folder == NULL) {
        fail(STATUS_USAGE, "'--hold=%s' is no HOST:FOLDER", option);
    }
    int pid = (int)getpid();
    struct world world;
    world_of_process(&world, getpid());

    if (strlen(host) != (size_t)(folder - option) || !text_begins(option, host)) {
        warn("rank %ld is on another host, where this gdb does not reach: it waits for "
             "'mpipp attach %s:%d'",
             world.rank, host, pid);
        preload_hold("");
        return;
    }
    folder++;
    FILE *note = fopen(text_of("%s/.%d", folder, pid), "we");
    if (note == NULL) {
        exit(1); /* the job was given up; the process that made the folder has said why */
    }
    fprintf(note, "%ld %ld %ld\n", world.rank, world.size, world.local);
    fclose(note);
    preload_hold(folder);
}

static int by_rank(const void *left, const void *right)
{
    const struct held *a = left;
    const struct held *b = right;
    if (a->world.rank != b->world.rank) {
        return a->world.rank < b->world.rank ? -1 : 1;
    }
    return (a->pid > b->pid) - (a->pid < b->pid);
}

int hold_list(const char *folder, struct held **held)
{
    int count = 0;
    *held = NULL;
    DIR *notes = opendir(folder);
    for (struct dirent *entry; notes != NULL && (entry = readdir(notes)) != NULL;) {
        char *end;
        long pid = strtol(entry->d_name, &end, 10);
        if (pid <= 0 || *end != '\0') {
            continue;
        }
        FILE *note = fopen(text_of("%s/%s", folder, entry->d_name), "re");
        struct held one = {.pid = (pid_t)pid};
        struct world *world = &one.world;
        if (note != NULL &&
            fscanf(note, "%ld %ld %ld", &world->rank, &world->size, &world->local) == 3) {
            *held = realloc(*held, ((size_t)count + 1) * sizeof **held);
            if (*held == NULL) {
                fail(1, "out of memory");
            }
            (*held)[count++] = one;
        }
        if (note != NULL) {
            fclose(note);
        }
    }
    if (notes != NULL) {
        closedir(notes);
    }
    if (count > 1) {
        qsort(*held, (size_t)count, sizeof **held, by_rank);
    }
    return count;
}
