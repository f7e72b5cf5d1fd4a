# SPDX-License-Identifier: BSD-3-Clause
"""$mpi_match"""

import gdb

from .. import matching, operands
from ..fault import fault
from ..rank import ranks
from .base import Function


class MpiMatchFunction(Function):
    """$mpi_match (TYPE1, COUNT1, TYPE2, COUNT2): whether what one datatype sends can be received by another.

Usage: $mpi_match (TYPE1, COUNT1, TYPE2, COUNT2)

The value is 1 if the type signature of COUNT1 of TYPE1 is that of COUNT2 of TYPE2, or
its beginning; 0 if elements differ, or if more is sent than received; see `help mpi
match'.  A TYPE is an MPI_Datatype, an integer that holds a handle, or the name that
MPI_Type_set_name gave to the type, in quotes.

Example:
  break exchange if !$mpi_match(sendtype, sendcount, recvtype, recvcount)"""

    def __init__(self) -> None:
        super().__init__("mpi_match", 4)

    def value(self, *arguments: gdb.Value) -> gdb.Value:
        """gdb.Function"""
        rank = ranks.current()
        sides = []
        for number in (1, 2):
            datatype, count = arguments[2 * number - 2 : 2 * number]
            of = operands.type_in(rank, datatype, f"TYPE{number}")
            operands.refuse_null(of, f"TYPE{number}")
            sides.append(matching.Side(of, operands.count_in(count, f"COUNT{number}"), f"TYPE{number}"))
        found = matching.match(sides[0], sides[1])
        truth = matching.receivable(found)
        if truth is None:
            raise fault(matching.sentence(sides[0], sides[1], found))
        return gdb.Value(int(truth))
