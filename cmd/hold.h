/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that waits for the gdb of 'mpipp gdb -n N'. 'mpipp exec --hold=HOST:FOLDER' writes a note
 * to FOLDER, and preloads a library (cmd/hold/library.c) that waits before main() until it is
 * traced. So gdb finds the program itself with all its libraries, and need not follow it through
 * exec.
 */
#ifndef MPIPP_HOLD_H
#define MPIPP_HOLD_H

#include <stdbool.h>
#include <sys/types.h>

#include "world.h"

/* Returns the value of --hold for this host. */
char *hold_option(const char *folder);

/* In the rank: prepares the environment, after the preload is set. Ends mpipp if the job is gone. */
void hold_set(const char *option);

/* A rank that waits in FOLDER, from its note. */
struct held {
    pid_t pid;
    struct world world;
};

/* Stores all of them in *HELD (new memory), sorted by rank. Returns how many there are. */
int hold_list(const char *folder, struct held **held);

#endif
