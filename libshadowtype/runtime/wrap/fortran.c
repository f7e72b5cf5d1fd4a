/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/fortran.h"

#include <stdio.h>
#include <string.h>

_Thread_local struct st_fortran_call st_fortran_call __attribute__((tls_model("initial-exec")));

bool st_fortran_begin(struct st_fortran *function, const void *pc, void *const *arguments)
{
    void *real = atomic_load_explicit(&function->real, memory_order_acquire);
    if (!real) {
        real = st_function_anywhere(function->name);
        atomic_store_explicit(&function->real, real, memory_order_release);
    }
    st_fortran_call.real = real;
    memcpy(st_fortran_call.arguments, arguments, sizeof st_fortran_call.arguments);
    if (!real) {
        fprintf(stderr, "shadowtype: '%s' was called, but no library that has it is loaded\n",
                function->name);
        return false;
    }
    return !st_mpi_is_other() && st_caller_of(pc) == ST_CALLER_USER;
}

/* Converts a handle by MPI's function; in MPICH a handle has the same number in C. */
#ifdef OPEN_MPI
#define CONVERTER(function, type, name)                                                            \
    type function(const void *argument)                                                            \
    {                                                                                              \
        static _Atomic(void *) slot;                                                               \
        type (*convert)(MPI_Fint) = (type(*)(MPI_Fint))st_mpi_function_once(&slot, name);          \
        return convert ? convert(*(const MPI_Fint *)argument) : (type)0;                           \
    }
#else
#define CONVERTER(function, type, name)                                                            \
    type function(const void *argument)                                                            \
    {                                                                                              \
        return (type) * (const MPI_Fint *)argument;                                                \
    }
#endif
CONVERTER(st_fortran_comm, MPI_Comm, "PMPI_Comm_f2c")
CONVERTER(st_fortran_datatype, MPI_Datatype, "PMPI_Type_f2c")
CONVERTER(st_fortran_win, MPI_Win, "PMPI_Win_f2c")
CONVERTER(st_fortran_errhandler, MPI_Errhandler, "PMPI_Errhandler_f2c")
