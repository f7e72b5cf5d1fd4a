/* Which ranks of a window a group has, as MPI says: a local question. */
#ifndef ST_RUNTIME_WRAP_WIN_RANKS_H
#define ST_RUNTIME_WRAP_WIN_RANKS_H

#include <stdint.h>

/* Writes at most `most` ranks. Returns how many the group has; -1: MPI gave no answer, or there are more. */
int st_win_ranks_ask(uint64_t win, uint64_t group, int *ranks, int most);

#endif
