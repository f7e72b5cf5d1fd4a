# SPDX-License-Identifier: BSD-3-Clause
"""Which values are MPI_Datatype handles, and what they mean."""

from typing import Optional

import gdb

from . import predefined
from .rank import Rank

# Where the search through typedefs ends: at MPI's own name, or at the types of $mpi_type() and $MPI_INT.
_VARIABLES = "mpipp_handle"
TYPEDEFS = frozenset(("MPI_Datatype", _VARIABLES, "mpipp_int_handle"))

OPENMPI_STRUCT = "ompi_datatype_t"
FORTRAN_STRUCT = "mpi_datatype"  # type(MPI_Datatype) of mpi_f08, whose only member is MPI_VAL
FORTRAN_MEMBER = "mpi_val"

_REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
_INTEGERS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL)


def is_handle(of: gdb.Type) -> bool:
    """Whether gdb should show a value of this type as a datatype; looks through typedefs, const, volatile and references."""
    while True:
        code = of.code
        if code == gdb.TYPE_CODE_TYPEDEF:
            if of.name in TYPEDEFS:
                return True
            of = of.target()
        elif code in _REFERENCES:
            of = of.target()
        elif code == gdb.TYPE_CODE_PTR:
            target = of.target().strip_typedefs()
            return target.code == gdb.TYPE_CODE_STRUCT and target.name == OPENMPI_STRUCT
        else:
            return is_fortran_handle(of)


def is_fortran_handle(of: gdb.Type) -> bool:
    """Whether this is mpi_f08's type(MPI_Datatype)."""
    return of.code == gdb.TYPE_CODE_STRUCT and (of.name or "").lower() == FORTRAN_STRUCT


def handle_in(rank: Rank, value: gdb.Value) -> Optional[int]:
    """The handle in an integer, a pointer or a Fortran handle, in the registry's form; None for another type.

    Open MPI: an INTEGER that is no known address is taken as a Fortran index. $MPI_INT is that of this rank, whichever
    rank it was set for. Raises gdb.error if the value cannot be read."""
    if value.type.code in _REFERENCES:
        value = value.referenced_value()
    of = value.type.strip_typedefs()
    code = of.code
    if code == gdb.TYPE_CODE_PTR:
        handle = rank.mask(int(value))
        if value.type.name == _VARIABLES and rank.registry.find(handle)[0] == "unknown":
            return predefined.in_rank(rank, handle) or handle
        return handle
    if code in _INTEGERS:
        handle = rank.mask(int(value))
        if rank.registry.handle_bytes > 4 and rank.registry.find(handle)[0] == "unknown":
            return rank.from_fortran(int(value)) or handle
        return handle
    if is_fortran_handle(of):
        index = int(value[of.fields()[0]])
        return rank.from_fortran(index) or rank.mask(index)
    return None


def other_handle(rank: Rank, value: gdb.Value) -> Optional[int]:
    """The handle for an integer as a Fortran index, if the integer is the handle of another type as well. (Open MPI: possible
    in a program with fixed addresses.)"""
    if value.type.code in _REFERENCES:
        value = value.referenced_value()
    of = value.type
    if of.code != gdb.TYPE_CODE_INT or rank.registry.handle_bytes == 4 or is_handle(of):
        return None
    handle = rank.mask(int(value))
    other = rank.from_fortran(int(value))
    known = rank.registry.find(handle)[0] != "unknown"
    return other if known and other is not None and other != handle else None
