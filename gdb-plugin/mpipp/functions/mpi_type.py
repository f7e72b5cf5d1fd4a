# SPDX-License-Identifier: BSD-3-Clause
"""$mpi_type"""

import gdb

from .. import record
from ..operands import handle_or_type
from ..rank import ranks
from .base import Function


class MpiType(Function):
    """$mpi_type (TYPE): a datatype as the structure that built it.

Usage: $mpi_type (TYPE)

TYPE is an MPI_Datatype, an integer that holds a handle (Fortran, C++ auto), or the
name that MPI_Type_set_name gave to the type, in quotes.  The value has the members
that it shows: $mpi_type(T).count, $mpi_type(T).entries[1].type; such a member may be
a TYPE, too.  The value keeps the type that it is now, whatever becomes of the handle,
also in the value history and in a convenience variable.

Examples:
  print $mpi_type(ihandle)
  print $mpi_type("face").stride
  print $mpi_type($mpi_type(T).type).count"""

    def __init__(self) -> None:
        super().__init__("mpi_type", 1)

    def value(self, *arguments: gdb.Value) -> gdb.Value:
        """gdb.Function"""
        rank = ranks.current()
        (argument,) = arguments
        handle, state, of = handle_or_type(rank, argument, "the argument")
        if of is None:
            return record.unknown(handle)
        if state == "freed":
            return record.freed(rank, of)
        return record.of_type(rank.number, of, handle)
