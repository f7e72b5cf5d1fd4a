/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/check/synchronous.h"

#include <stdlib.h>

#include "report/groups.h"

void st_synchronous_begins(void)
{
    const char *value = secure_getenv(ST_SYNCHRONOUS_VARIABLE);
    if (value && value[0]) {
        atomic_fetch_or(&st_detours, ST_DETOUR_SYNCHRONOUS);
    }
}

void *st_synchronous_send(_Atomic(void *) *slot, const char *name, void *next)
{
    void *function = st_mpi_function_once(slot, name);
    return function ? function : next;
}

void st_synchronous_meet(MPI_Comm comm)
{
    typedef int barrier(MPI_Comm);
    static _Atomic(void *) slot;
    barrier *function = (barrier *)st_mpi_function_once(&slot, "PMPI_Barrier");
    if (function) {
        function(comm);
    }
}
