/* SPDX-License-Identifier: BSD-3-Clause */
#include "sweep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../detach.h"

enum { TRIES_TO_REMOVE = 100 };

static void remove_files(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.') {
            unlinkat(dirfd(folder), entry->d_name, 0);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

/* A rank that lives longer than the launcher may make its file meanwhile: then try again. */
void sweep_now(const char *folder)
{
    for (int i = 0; i < TRIES_TO_REMOVE; i++) {
        remove_files(folder);
        if (rmdir(folder) == 0 || errno != ENOTEMPTY) {
            return;
        }
    }
}

static _Noreturn void be_sweeper(int end, const char *folder)
{
    char byte;
    ssize_t got;
    detach(end, "mpipp-sweeper");
    signal(SIGTERM, SIG_IGN);
    while ((got = read(end, &byte, sizeof byte)) > 0 || (got < 0 && errno == EINTR)) {
    }
    sweep_now(folder); /* most often it is not there any more */
    _exit(0);
}

void sweep_later(const char *folder)
{
    /* The other process sees the end of this one as the end of the pipe, which nobody else has. */
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return;
    }
    /* So that this process has no other child than those that it knows. */
    const pid_t between = fork();
    if (between == 0) {
        if (fork() == 0) {
            be_sweeper(ends[0], folder);
        }
        _exit(0);
    }
    close(ends[0]);
    if (between < 0) {
        close(ends[1]);
        return;
    }
    while (waitpid(between, NULL, 0) < 0 && errno == EINTR) {
    }
}
