# SPDX-License-Identifier: BSD-3-Clause
"""$mpi_buf"""

import gdb

from .. import _mpipp, operands
from ..entry_names import buffer_of, find_by_value
from ..printers.buffer import buffer_value
from ..rank import ranks
from .base import Function


class MpiBuf(Function):
    """$mpi_buf (BUF, COUNT, TYPE): a buffer as the data that MPI would send from it.

Usage: $mpi_buf (BUF, COUNT, TYPE)

The arguments are those of an MPI call.  BUF is a pointer, an array, or a number; 0 is
MPI_BOTTOM.  TYPE is a datatype handle, an integer that holds one, or a name that
MPI_Type_set_name gave, in quotes.  In a Fortran frame a variable is passed by its
address, as in a call.

The value unfolds in every frontend, and is read only as far as it is unfolded.  It
keeps the type that it names now, and the address of the buffer.  In a frontend,
elements of runs of up to 1000 may be assigned to.

Examples:
  print $mpi_buf(&grid, 2, face)
  display/x $mpi_buf(buffer, 1, "cell")"""

    def __init__(self) -> None:
        super().__init__("mpi_buf", 3)

    def value(self, *arguments: gdb.Value) -> gdb.Value:
        """gdb.Function"""
        rank = ranks.current()
        buffer, count, datatype = arguments
        of = operands.type_in(rank, datatype, "TYPE")
        operands.refuse_null(of, "TYPE")
        address, number = operands.address_in(buffer, "BUF"), operands.count_in(count, "COUNT")
        find_by_value(buffer_of(rank, of, address, number), _mpipp.Place(of, address, number), buffer)
        return buffer_value(rank, of, address, number)
