/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of Fortran that reach no wrapper of C: MPI's Fortran library calls functions of its own for
 * attributes, and Open MPI's to create keyvals and error handlers. Wrappers of Fortran's names
 * (generate/fortran_part.py) call the wrappers of C with converted arguments; in place of C's
 * function these call Fortran's real function.
 */
#ifndef ST_RUNTIME_WRAP_FORTRAN_H
#define ST_RUNTIME_WRAP_FORTRAN_H

#include "runtime/wrap/function.h"
#include "runtime/wrap/mpi_side.h"

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "MPI writes Fortran's keyval to an int");

struct st_fortran {
    const char *name; /* the symbol */
    _Atomic(void *) real;
};

/* The thread's call of a Fortran function, for C's wrapper. */
enum { ST_FORTRAN_MOST = 4 };
struct st_fortran_call {
    void *real;
    void *arguments[ST_FORTRAN_MOST]; /* without the last one, the error */
};
extern _Thread_local struct st_fortran_call st_fortran_call
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Finds the real function, and keeps the arguments for it. Returns true if the call is to be
 * checked: it is the program's own, and not one of MPI's bindings for Fortran 2008. If there is no
 * such function, says so, and sets st_fortran_call.real to NULL. */
bool st_fortran_begin(struct st_fortran *function, const void *pc, void *const *arguments);

/* Convert arguments of Fortran. */
MPI_Comm st_fortran_comm(const void *argument);
MPI_Datatype st_fortran_datatype(const void *argument);
MPI_Win st_fortran_win(const void *argument);
MPI_Errhandler st_fortran_errhandler(const void *argument);

#endif
