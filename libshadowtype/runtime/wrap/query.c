/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/wrap/mpi_side.h"

void st_query_extent(MPI_Datatype datatype, int64_t *lb, int64_t *extent)
{
    typedef int ask(MPI_Datatype, MPI_Count *, MPI_Count *);
    static _Atomic(void *) slot;
    MPI_Count its_lb, its_extent;
    ask *get_extent = (ask *)st_mpi_function_once(&slot, "PMPI_Type_get_extent_x");
    *lb = 0;
    *extent = ST_EXTENT_UNKNOWN;
    if (get_extent && get_extent(datatype, &its_lb, &its_extent) == MPI_SUCCESS) {
        *lb = its_lb;
        *extent = its_extent;
    }
}

static void true_extent(MPI_Datatype datatype, int64_t *lb, int64_t *extent)
{
    typedef int ask(MPI_Datatype, MPI_Count *, MPI_Count *);
    static _Atomic(void *) slot;
    MPI_Count its_lb, its_extent;
    ask *get_extent = (ask *)st_mpi_function_once(&slot, "PMPI_Type_get_true_extent_x");
    *lb = *extent = -1;
    if (get_extent && get_extent(datatype, &its_lb, &its_extent) == MPI_SUCCESS) {
        *lb = its_lb;
        *extent = its_extent;
    }
}

void st_query_measures(MPI_Datatype datatype, struct st_measures *measures)
{
    typedef int ask(MPI_Datatype, MPI_Count *);
    static _Atomic(void *) slot;
    MPI_Count size;
    ask *get_size = (ask *)st_mpi_function_once(&slot, "PMPI_Type_size_x");
    measures->size = -1;
    if (get_size && get_size(datatype, &size) == MPI_SUCCESS) {
        measures->size = size;
    }
    st_query_extent(datatype, &measures->lb, &measures->extent);
    true_extent(datatype, &measures->true_lb, &measures->true_extent);
}
