/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/wrap/win_ranks.h"

#include <string.h>

#include "runtime/wrap/function.h"
#include "runtime/wrap/mpi_side.h"

enum { PIECE = 128 }; /* ranks that are translated with one call */

typedef int ask_group(MPI_Win, MPI_Group *);
typedef int ask_size(MPI_Group, int *);
typedef int free_group(MPI_Group *);
typedef int translate_ranks(MPI_Group, int, const int *, MPI_Group, int *);

static int translate_group(translate_ranks *ask, MPI_Group group, int count, MPI_Group all,
                           int *ranks)
{
    for (int first = 0; first < count; first += PIECE) {
        int members[PIECE], piece = count - first < PIECE ? count - first : PIECE;
        for (int i = 0; i < piece; i++) {
            members[i] = first + i;
        }
        if (ask(group, piece, members, all, ranks + first) != MPI_SUCCESS) {
            return -1;
        }
    }
    return count;
}

int st_win_ranks_ask(uint64_t win, uint64_t group, int *ranks, int most)
{
    ask_group *get_group = (ask_group *)st_mpi_function("PMPI_Win_get_group");
    ask_size *get_size = (ask_size *)st_mpi_function("PMPI_Group_size");
    free_group *give_back = (free_group *)st_mpi_function("PMPI_Group_free");
    translate_ranks *ask = (translate_ranks *)st_mpi_function("PMPI_Group_translate_ranks");
    MPI_Win window;
    MPI_Group members, all;
    int count;
    memcpy(&window, &win, sizeof window);
    memcpy(&members, &group, sizeof members);
    if (!get_group || !get_size || !give_back || !ask || get_size(members, &count) != MPI_SUCCESS ||
        count > most || get_group(window, &all) != MPI_SUCCESS) {
        return -1;
    }
    count = translate_group(ask, members, count, all, ranks);
    give_back(&all);
    return count;
}
