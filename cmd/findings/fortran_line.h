/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The line of a call in Fortran, where gfortran's line table is wrong.
 *
 * gfortran gives a call of a procedure with an explicit interface (use mpi, use mpi_f08) whose
 * arguments are all variables the line of another statement: the first or the last of the program
 * unit. The statements around the call have their right lines. If the source between them has just
 * one such call, that is its line; else the only such call of the procedure.
 */
#ifndef MPIPP_FINDINGS_FORTRAN_LINE_H
#define MPIPP_FINDINGS_FORTRAN_LINE_H

#include "../dwarf.h"
#include "lines.h"

/* A call instruction, and what the debug information says about it. */
struct fortran_call {
    Dwarf_Die *unit;
    Dwarf_Die *function;
    Dwarf_Addr address; /* an address in the instruction, as in the unit */
    const char *file;
    int line;
    const char *name; /* the function that it calls, as for lines_resolve() */
};

/* Returns the line of the call; the one of the line table if no other line is known. */
int fortran_line_of(const struct dwarf *dwarf, const struct fortran_call *call);

/* Reads sources anew from now on. */
void fortran_line_forget(void);

#endif
