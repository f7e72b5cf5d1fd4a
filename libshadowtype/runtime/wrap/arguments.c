/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates constants of mpi.h to the registry's numbers. */
#include "runtime/wrap/mpi_side.h"

int64_t st_distribution(int64_t mpi)
{
    switch (mpi) {
    case MPI_DISTRIBUTE_BLOCK:
        return ST_DISTRIBUTE_BLOCK;
    case MPI_DISTRIBUTE_CYCLIC:
        return ST_DISTRIBUTE_CYCLIC;
    default:
        return ST_DISTRIBUTE_NONE;
    }
}

int64_t st_distribution_argument(int64_t mpi)
{
    return mpi == MPI_DISTRIBUTE_DFLT_DARG ? ST_DARG_DEFAULT : mpi;
}

uint8_t st_order(int mpi)
{
    return mpi == MPI_ORDER_FORTRAN ? ST_FORTRAN_ORDER : 0;
}

int64_t st_f90_argument(int mpi)
{
    return mpi == MPI_UNDEFINED ? ST_F90_UNDEFINED : mpi;
}
