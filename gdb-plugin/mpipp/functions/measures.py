# SPDX-License-Identifier: BSD-3-Clause
"""$mpi_size, $mpi_extent and $mpi_count"""

from typing import Optional

import gdb

from .. import _mpipp, operands
from ..fault import fault
from ..rank import ranks
from .base import Function


class Measure(Function):
    """A number of a type."""

    def __init__(self, name: str, what: str) -> None:
        super().__init__(name, 1)
        self._what = what

    def value(self, *arguments: gdb.Value) -> gdb.Value:
        """gdb.Function"""
        of = operands.type_in(ranks.current(), arguments[0], "the argument")
        number = self.number(of)
        if number is None:
            raise fault(f"the {self._what} of this type is not known, or does not fit in 64 bits")
        return gdb.Value(number)

    def number(self, of: "_mpipp.Type") -> Optional[int]:
        """The number; None if it is not known."""
        raise NotImplementedError


class MpiSize(Measure):
    """$mpi_size (TYPE): how many bytes of data MPI sends of one TYPE.

Usage: $mpi_size (TYPE)

TYPE is an MPI_Datatype, an integer that holds a handle, or the name that
MPI_Type_set_name gave to the type, in quotes.

Example:
  print $mpi_size(struDT)"""

    def __init__(self) -> None:
        super().__init__("mpi_size", "size")

    def number(self, of: "_mpipp.Type") -> Optional[int]:
        return of.size


class MpiExtent(Measure):
    """$mpi_extent (TYPE): how many bytes one TYPE is from the next.

Usage: $mpi_extent (TYPE)

TYPE is an MPI_Datatype, an integer that holds a handle, or the name that
MPI_Type_set_name gave to the type, in quotes.

Example:
  print *(double *) ((char *) buffer + 3 * $mpi_extent(column))"""

    def __init__(self) -> None:
        super().__init__("mpi_extent", "extent")

    def number(self, of: "_mpipp.Type") -> Optional[int]:
        return of.extent


class MpiCount(Measure):
    """$mpi_count (TYPE): how many basic elements MPI sends of one TYPE.

Usage: $mpi_count (TYPE)

TYPE is an MPI_Datatype, an integer that holds a handle, or the name that
MPI_Type_set_name gave to the type, in quotes.  A pair type counts as one element;
MPI_LB and MPI_UB do not count.

Example:
  print $mpi_count(struDT)"""

    def __init__(self) -> None:
        super().__init__("mpi_count", "number of elements")

    def number(self, of: "_mpipp.Type") -> Optional[int]:
        return of.elements
