# SPDX-License-Identifier: BSD-3-Clause
"""mpi signature"""

import gdb

from .. import _mpipp, operands
from ..fault import fault
from ..rank import ranks
from ..settings import line_limit
from .base import Command

_USAGE = "usage: mpi signature TYPE [COUNT]"


class MpiSignature(Command):
    """Write the type signature of a datatype: the basic types that it sends, in their order.

Usage: mpi signature TYPE [COUNT]

NAME*n is n elements of a basic type, (...)n is n times the elements in the
parentheses.  Datatypes with equal signatures have equal texts, however they are
built.  A pair type (MPI_DOUBLE_INT) has two elements; MPI_LB and MPI_UB have none.
COUNT is 1 by default.  `set print elements' limits the number of names; the end says
how many elements are left out.

Examples:
  mpi signature struDT
  mpi signature column 3"""

    def __init__(self) -> None:
        super().__init__("mpi signature", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        rank = ranks.current()
        given = operands.split(argument)
        if not given:
            raise fault(f"no type given: {_USAGE}")
        if len(given) > 1 or len(given[0]) > 2:
            raise fault(f"it takes a type and perhaps a count: {_USAGE}")
        (label, *counts) = given[0]
        of = operands.datatype(rank, label)
        operands.refuse_null(of, f"'{label}'")
        count = operands.count(counts[0]) if counts else None
        found = _mpipp.signature_text(of, count, line_limit())
        if not found.elements:
            gdb.write(f"{' '.join(given[0])} has no elements\n")
            return
        noun = "element" if found.elements == 1 else "elements"
        unknown = "" if found.known else ", an OPAQUE type, whose inside is not known, being one"
        gdb.write(f"{found.text}        {found.elements} {noun}{unknown}\n")
