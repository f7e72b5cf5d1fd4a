# SPDX-License-Identifier: BSD-3-Clause
"""mpi layout"""

from typing import Optional

import gdb

from .. import _mpipp, covered, operands
from ..calls import no_calls
from ..fault import fault, let_quit
from ..program import Program
from ..rank import ranks
from ..settings import is_fortran, line_limit
from . import layout_text
from .base import Command

_USAGE = "usage: mpi layout TYPE [BUFFER] [COUNT]"


class MpiLayout(Command):
    """Show which bytes a datatype covers: its layout.

Usage: mpi layout TYPE [BUFFER] [COUNT]

Shows the bytes that COUNT of TYPE cover (1 by default), from the buffer's address on:
how many they are, out of how many, in how many contiguous pieces; the addresses at
which every element is aligned as its size requires; and a list of strided blocks: so
many bytes, repeated so many times at a distance, and all that again.
A plane, a sub-array or a comb is one line, whatever its size.  Neither the order in
which MPI sends the bytes nor their basic types matter here: see `help mpi map'.

BUFFER is an array of the program, a part of one or a pointer: then the first line
says which part is covered, in the program's own indices.  (double[10][8][7]) *P gives
a pointer P a shape; in Fortran (real(8)(7,0:7,10)) A gives an array or a type(c_ptr)
A one, with the bounds of a declaration.

`set print elements' limits the list.

Examples:
  mpi layout struDT
  mpi layout face 2
  mpi layout face grid"""

    def __init__(self) -> None:
        super().__init__("mpi layout", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        rank = ranks.current()
        words = [word for operand in operands.split(argument) for word in operand]
        if not 1 <= len(words) <= 3:
            raise fault(f"it takes a type, and perhaps a buffer and a count: {_USAGE}")
        of, label, address, count = operands.repeated_at(rank, words, _USAGE)
        layout = _mpipp.Layout(of, count)
        if layout.doubt:
            raise fault(f"the layout of {' '.join(words)} is not known: {layout.doubt}")
        density = layout_text.density(layout)
        if density is None:
            gdb.write(f"{' '.join(words)} has no bytes\n")
            return
        if address is not None:
            gdb.write(f"{_covers(of, count, words[1], address)}\n")
        gdb.write(f"{density}\n{_alignment(of, label, count, layout)}\n")
        for line in layout_text.blocks(layout, line_limit()):
            gdb.write(f"{line}\n")


def _covers(of: "_mpipp.Type", count: Optional[int], buffer: str, address: int) -> str:
    text = covered.line(of, count, buffer, address)
    return text or f"what is covered of '{buffer}' has no short form{_why_none(buffer)}"


def _why_none(buffer: str) -> str:
    if not is_fortran():
        return ": (TYPE[N][M]) *POINTER gives a pointer a shape"
    if operands.shaped(buffer) is not None:
        return ""
    try:
        with no_calls():
            Program(buffer)
    except (gdb.error, gdb.GdbError) as error:
        let_quit(error)
        return f": {str(error)}".replace("mpipp: ", "") if isinstance(error, gdb.GdbError) else ""
    return ": (TYPE(N,M)) ARRAY gives it a shape"


def _alignment(of: "_mpipp.Type", label: str, count: Optional[int], layout: "_mpipp.Layout") -> str:
    text = layout_text.alignment(layout) or ""
    if layout.alignment is not None:
        return text
    wrong, _ = _mpipp.misaligned(of, 0, count, 1)
    return text + (f": {label}{wrong[0].long} is not at 0" if wrong else "")
