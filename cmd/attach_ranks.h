/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp attach --job, --ranks: several ranks of a running job, under one gdb.
 */
#ifndef MPIPP_ATTACH_RANKS_H
#define MPIPP_ATTACH_RANKS_H

#include <stdbool.h>
#include <sys/types.h>

#include "words.h"

/* Adds to the gdb's command line that it attaches to ranks of the job of process PID (0: of the
 * only job that runs here), to those on other hosts by SSH, a command. Ends mpipp if one on this host
 * cannot be attached to.
 * LIST  which ranks, "0-3,7"; NULL: all */
void attach_ranks(struct words *command, pid_t pid, const char *list, const char *ssh);

/* Ends mpipp with a sentence if LIST is not a list of ranks. */
void attach_require_list(const char *list);

/* Returns true if HOST is safe: it becomes part of a command line of sh and of ssh. */
bool attach_is_host(const char *host);

#endif
