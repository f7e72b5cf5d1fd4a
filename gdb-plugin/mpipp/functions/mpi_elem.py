# SPDX-License-Identifier: BSD-3-Clause
"""$mpi_elem"""

import gdb

from .. import _mpipp, element, operands
from ..fault import fault
from ..rank import ranks
from .base import Function


class MpiElem(Function):
    """$mpi_elem (TYPE, ADDRESS, BUFFER): one element of a buffer, to be shown, set and watched.

Usage: $mpi_elem (TYPE, ADDRESS, BUFFER)

TYPE is an MPI_Datatype, an integer that holds a handle, or the name that
MPI_Type_set_name gave to the type, in quotes.  ADDRESS is the rest of an element
address, in quotes: "[2][5]", "{3}(STRUCT)[2][5](MPI_CHAR)"; see `help mpi element'.
BUFFER is a pointer, an array, or a number; in a Fortran frame a variable is passed by
its address, as in a call.

A basic element is a value in the program's memory; its type is the one for the basic
type (`ptype $' after `print' shows it).  An inner node is a value that unfolds.  A
watchpoint is for one rank of a job; with several ranks gdb also says which rank has
changed which element, and the line that wrote it.

Examples:
  print $mpi_elem(struDT, "[2][5]", buffer)
  set var $mpi_elem(struDT, "[1][0]", buffer) = 7
  watch -l $mpi_elem(struDT, "[3][1]", buffer)"""

    def __init__(self) -> None:
        super().__init__("mpi_elem", 3)

    def value(self, *arguments: gdb.Value) -> gdb.Value:
        """gdb.Function"""
        rank = ranks.current()
        datatype, text, buffer = arguments
        of = operands.type_in(rank, datatype, "TYPE")
        operands.refuse_null(of, "TYPE")
        address = operands.text_in(text)
        if address is None:
            raise fault("ADDRESS is no text: give an element address in quotes, like \"[2][5]\"")
        found = _mpipp.element(of, operands.address_in(buffer, "BUFFER"), None, address, "TYPE")
        return element.value(rank, found, "TYPE")
