/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks of a window a group has. Asks MPI a local question. */
#ifndef ST_RUNTIME_WRAP_WIN_RANKS_H
#define ST_RUNTIME_WRAP_WIN_RANKS_H

#include <stdint.h>

/* Both handles must be valid: MPI would call an error handler for a wrong one. Writes at most
 * `most` ranks. Returns how many ranks the group has; -1 if MPI gave no answer, or if there are
 * more than `most`. */
int st_win_ranks_ask(uint64_t win, uint64_t group, int *ranks, int most);

#endif
