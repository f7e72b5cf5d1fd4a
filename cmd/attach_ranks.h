/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp attach --job, --ranks: several ranks of a running job, under one gdb.
 */
#ifndef MPIPP_ATTACH_RANKS_H
#define MPIPP_ATTACH_RANKS_H

#include <sys/types.h>

#include "words.h"

/* Adds to the gdb's command line that it attaches to ranks of the job of process PID (0: of the
 * only job that runs here). Ends mpipp if one of them cannot be attached to.
 * LIST  which ranks, "0-3,7"; NULL: all */
void attach_ranks(struct words *command, pid_t pid, const char *list);

/* Ends mpipp with a sentence if LIST is not a list of ranks. */
void attach_require_list(const char *list);

#endif
