/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/wrap/neighbours.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/wrap/constants.h"
#include "runtime/wrap/mpi_side.h"

static void *question(_Atomic(void *) *slot, const char *name)
{
    void *function = atomic_load_explicit(slot, memory_order_acquire);
    if (!function) {
        function = st_mpi_function(name);
        atomic_store_explicit(slot, function, memory_order_release);
    }
    return function;
}

static bool ask_grid(MPI_Comm comm, struct st_neighbours *list)
{
    typedef int ask_dimensions(MPI_Comm, int *);
    typedef int ask_shift(MPI_Comm, int, int, int *, int *);
    static _Atomic(void *) slots[2];
    ask_dimensions *get = (ask_dimensions *)question(&slots[0], "PMPI_Cartdim_get");
    ask_shift *shift = (ask_shift *)question(&slots[1], "PMPI_Cart_shift");
    int dimensions;
    if (!get || !shift || get(comm, &dimensions) != MPI_SUCCESS ||
        dimensions > ST_MOST_NEIGHBOURS / 2) {
        return false;
    }
    list->is_grid = true;
    list->sources = list->destinations = 2 * dimensions;
    for (int i = 0; i < dimensions; i++) {
        if (shift(comm, i, 1, &list->from[2 * i], &list->from[2 * i + 1]) != MPI_SUCCESS) {
            return false;
        }
    }
    memcpy(list->to, list->from, sizeof list->to);
    return true;
}

static bool ask_graph(MPI_Comm comm, int rank, struct st_neighbours *list)
{
    typedef int ask_count(MPI_Comm, int, int *);
    typedef int ask_list(MPI_Comm, int, int, int *);
    static _Atomic(void *) slots[2];
    ask_count *count = (ask_count *)question(&slots[0], "PMPI_Graph_neighbors_count");
    ask_list *get = (ask_list *)question(&slots[1], "PMPI_Graph_neighbors");
    if (!count || !get || count(comm, rank, &list->sources) != MPI_SUCCESS ||
        list->sources > ST_MOST_NEIGHBOURS ||
        get(comm, rank, list->sources, list->from) != MPI_SUCCESS) {
        return false;
    }
    list->destinations = list->sources;
    memcpy(list->to, list->from, sizeof list->to);
    return true;
}

static bool ask_distributed_graph(MPI_Comm comm, struct st_neighbours *list)
{
    typedef int ask_count(MPI_Comm, int *, int *, int *);
    typedef int ask_list(MPI_Comm, int, int *, int *, int, int *, int *);
    static _Atomic(void *) slots[2];
    ask_count *count = (ask_count *)question(&slots[0], "PMPI_Dist_graph_neighbors_count");
    ask_list *get = (ask_list *)question(&slots[1], "PMPI_Dist_graph_neighbors");
    int is_weighted, weights[2][ST_MOST_NEIGHBOURS];
    return count && get &&
           count(comm, &list->sources, &list->destinations, &is_weighted) == MPI_SUCCESS &&
           list->sources <= ST_MOST_NEIGHBOURS && list->destinations <= ST_MOST_NEIGHBOURS &&
           get(comm, list->sources, list->from, weights[0], list->destinations, list->to,
               weights[1]) == MPI_SUCCESS;
}

bool st_ask_neighbour_list(uint64_t handle, int rank, struct st_neighbours *list)
{
#ifdef OPEN_MPI
    MPI_Comm comm = (MPI_Comm)(uintptr_t)handle;
#else
    MPI_Comm comm = (MPI_Comm)handle;
#endif
    *list = (struct st_neighbours){0};
    switch (st_ask_topology(handle)) {
    case ST_CARTESIAN:
        return ask_grid(comm, list);
    case ST_GRAPH:
        return ask_graph(comm, rank, list);
    case ST_DISTRIBUTED_GRAPH:
        return ask_distributed_graph(comm, list);
    default:
        return false;
    }
}
