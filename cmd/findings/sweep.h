/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Removes the folder of `mpipp run' at its end. If it is killed (SIGKILL), a process that it has left behind does that.
 *
 *     sweep_later(folder);      // once, when it was made
 *     sweep_now(folder);        // at the end
 */
#ifndef MPIPP_FINDINGS_SWEEP_H
#define MPIPP_FINDINGS_SWEEP_H

/* Starts a process that waits for the end of this one, and keeps nothing of it. If that is not possible, nothing happens. */
void sweep_later(const char *folder);

/* Removes the folder, and the files in it. */
void sweep_now(const char *folder);

#endif
