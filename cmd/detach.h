/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that lives longer than the one that has forked it: an agent, a sweeper.
 */
#ifndef MPIPP_DETACH_H
#define MPIPP_DETACH_H

/* Leaves the parent: who waits for the end of its output, for the terminal, or to unmount a folder does not wait for this
 * process. Closes all files but FILE, begins a session of its own in "/", gives all signals their default but SIGHUP and
 * SIGINT, which it ignores, and takes NAME (15 bytes at most). */
void detach(int file, const char *name);

#endif
