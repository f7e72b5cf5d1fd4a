/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/error_class.h"

#include "runtime/wrap/mpi_side.h"
#include "runtime/wrap/names.h"

const char *st_error_class_name(int error_class)
{
    return st_name_of("error", (uint64_t)(int64_t)error_class);
}

int st_error_class_of(int code)
{
    typedef int ask(int, int *);
    ask *get = (ask *)st_mpi_function("PMPI_Error_class");
    int error_class = MPI_ERR_UNKNOWN;
    return get && get(code, &error_class) == MPI_SUCCESS ? error_class : MPI_ERR_UNKNOWN;
}

bool st_is_failure(int code)
{
    return code != MPI_SUCCESS && st_error_class_of(code) != MPI_ERR_PENDING;
}

bool st_is_in_status(int code)
{
    return st_error_class_of(code) == MPI_ERR_IN_STATUS;
}
