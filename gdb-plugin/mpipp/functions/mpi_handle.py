# SPDX-License-Identifier: BSD-3-Clause
"""$mpi_handle"""

import gdb

from .. import synth
from ..operands import datatype_handle
from ..rank import ranks
from .base import Function


class MpiHandle(Function):
    """$mpi_handle (TYPE): the handle of a datatype.

Usage: $mpi_handle (TYPE)

TYPE is as for $mpi_type, also a member of its value, or a name in quotes.  The value
may be assigned to an MPI_Datatype.  It prints as the type that has the handle now, and
with print/r as the handle itself.

Examples:
  set var newtype = $mpi_handle("face")
  print/r $mpi_handle("face")"""

    def __init__(self) -> None:
        super().__init__("mpi_handle", 1)

    def value(self, *arguments: gdb.Value) -> gdb.Value:
        """gdb.Function"""
        rank = ranks.current()
        return synth.handle(datatype_handle(rank, arguments[0], "the argument"), rank.registry.handle_bytes)
