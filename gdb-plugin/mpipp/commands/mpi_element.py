# SPDX-License-Identifier: BSD-3-Clause
"""mpi element"""

import gdb

from .. import _mpipp, element, operands
from ..entry_names import buffer_of, find_by_text
from ..fault import fault
from ..rank import ranks
from ..whole_object import path_at
from .base import Command

_USAGE = "usage: mpi element ADDRESS [BUFFER]"


class MpiElement(Command):
    """Show one element of a datatype: where it is, and what is there.

Usage: mpi element ADDRESS [BUFFER]

ADDRESS is an element address: a type, and the path to a node of its expanded
type-tree, as `mpi tree -expanded' draws it.  Indices count from 0: T[2][5].  A
vector, a struct and the indexed kinds have one index for the block and one within
it; contiguous has one; resized has one, [0]; subarray and darray have one for each
dimension, the slowest first; dup has none.  T{3}[2][5] is the same in the fourth of
several T.  A pair's members are .first and .second.  Types may be named on the way:
T(STRUCT)[2][5](MPI_CHAR).  An address that ends before a basic type is an inner node.
BUFFER is a pointer, an array, or a number; without it only the place is shown.  If it
is an array with a shape, or of structs, the program's name of the element follows.

The byte is counted from the buffer's address, the element in the order in which MPI
sends them, both from 0.  $mpi_elem() is the same as a value that can be set and
watched.

Examples:
  mpi element struDT[2][5] buffer
  mpi element types[1]{2}[0] (p + 10)"""

    def __init__(self) -> None:
        super().__init__("mpi element", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        rank = ranks.current()
        words = [word for operand in operands.split(argument) for word in operand]
        if not words:
            raise fault(f"no element address given: {_USAGE}")
        if len(words) > 2:
            raise fault(f"more than two operands (put an expression with blanks into parentheses): {_USAGE}")
        named = element.split(rank, words[0])
        operands.refuse_null(named.type, f"'{named.label}'")
        address = operands.address(words[1]) if len(words) > 1 else None
        found = _mpipp.element(named.type, address or 0, None, named.rest, named.label)
        repeated = found.short.startswith("{")
        line = f"{named.label}{found.long}   {element.position(found, not repeated)}"
        if address is not None and found.low != found.high:
            buffer = buffer_of(rank, named.type, address, None)
            entries = find_by_text(buffer, _mpipp.Place(named.type, address), words[1])
            line += f"   {element.text(rank, found, named.label, entries)}"
            line += _in_program(words[1], address, found)
        gdb.write(line + "\n")


def _in_program(buffer: str, address: int, found: "_mpipp.Element") -> str:
    """Where it lies in the program's array."""
    path = None if found.low is None else path_at(buffer, address, found.low)
    if path is None:
        return ""
    return f"   in {path}" if found.basic is not None else f"   from {path} on"
