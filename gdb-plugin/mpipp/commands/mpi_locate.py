# SPDX-License-Identifier: BSD-3-Clause
"""mpi locate"""

from typing import List, Optional

import gdb

from .. import _mpipp, element, operands
from ..fault import fault
from ..rank import ranks
from ..settings import line_limit
from ..whole_object import path_at
from .base import Command

_USAGE = "usage: mpi locate TYPE ADDRESS [COUNT], ADDRESS-OF-BYTE"
_STEPS = 1 << 26  # some seconds; Ctrl-C ends it sooner
_SIGN = 1 << 63


class MpiLocate(Command):
    """Show which elements of a buffer hold a byte of memory.

Usage: mpi locate TYPE ADDRESS [COUNT], ADDRESS-OF-BYTE

The buffer is COUNT of TYPE (1 by default) at ADDRESS; the operands are those of
`mpipp'.  ADDRESS-OF-BYTE is a pointer or a number.  There are several elements if the
type overlaps itself, and none in a gap.  Each is shown by its element address (see
`help mpi element'), with its first byte, counted from ADDRESS, and its number in the
order in which MPI sends them.  If ADDRESS is an array with a shape, or of structs, the
first line gives the program's name of the element that contains the byte.

The type is not unrolled.  If its strides interleave irregularly, the search may end
undecided; the answer then says so.

Examples:
  mpi locate struDT buffer, &buffer[52]
  mpi locate column grid 6, p"""

    def __init__(self) -> None:
        super().__init__("mpi locate", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        rank = ranks.current()
        given = operands.split(argument)
        if len(given) != 2 or not 2 <= len(given[0]) <= 3:
            raise fault(f"it takes a type, an address and perhaps a count, a comma, and another address: {_USAGE}")
        (label, *buffer), byte_words = given
        of = operands.datatype(rank, label)
        operands.refuse_null(of, f"'{label}'")
        address = operands.address(buffer[0])
        count = operands.count(buffer[1]) if len(buffer) > 1 else None
        byte = operands.address(" ".join(byte_words))
        found, ended = _mpipp.locate(of, address, count, byte, line_limit(), _STEPS)
        offset = (byte - address + _SIGN) % (2 * _SIGN) - _SIGN
        _write(label, found, ended, offset, path_at(buffer[0], address, offset))


def _write(label: str, found: "List[_mpipp.Element]", ended: str, offset: int, path: Optional[str]) -> None:
    """path: the program's name of the element that contains the byte."""
    if path is not None:
        gdb.write(f"byte {offset} is in {path}\n")
    for one in sorted(found, key=lambda one: (one.number is None, one.number)):
        line = f"{label}{one.long}   {element.position(one)}"
        if one.basic is None:
            line += ": it may hold the byte, what is inside is not known"
        elif one.within:
            line += f", byte {one.within} of it"
        gdb.write(line + "\n")
    if ended == "more":
        gdb.write("<more: 'set print elements' shows them>\n")
    elif ended:
        others = f"others of {label} hold" if found else f"any element of {label} holds"
        gdb.write(f"<undecided whether {others} byte {offset}: its strides interleave too much>\n")
    elif not found:
        gdb.write(f"no element of {label} holds byte {offset}\n")
