"""mpi layout"""

from typing import List, Optional

import gdb

from .. import _mpipp, covered, operands
from ..fault import fault
from ..rank import ranks
from ..settings import line_limit
from . import layout_text
from .base import Command

_USAGE = "usage: mpi layout TYPE [BUFFER] [COUNT]"


class MpiLayout(Command):
    """Show which bytes a datatype covers: its layout.

Usage: mpi layout TYPE [BUFFER] [COUNT]

The bytes that COUNT of TYPE describe (one, if it is not given), from the buffer's
address on: how many of how many, in how many contiguous pieces, at which addresses
every element is aligned as its size asks for, and where they are.  That is a list of
strided blocks: so many bytes, so many times every so many bytes, and all that again.
A plane, a sub-array or a comb is one line, whatever its size.  Neither the order in
which MPI sends the bytes nor their basic types matter here: see `help mpi map'.

BUFFER is an array of the program, a part of one or a pointer: then the first line
says what is covered in the program's own indices.  (double[10][8][7]) *P gives a
pointer P a shape.

`set print elements' bounds the list.

Examples:
  mpi layout struDT
  mpi layout face 2
  mpi layout face grid"""

    def __init__(self) -> None:
        super().__init__("mpi layout", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        rank = ranks.current()
        words = [word for operand in operands.split(argument) for word in operand]
        buffer = _take_buffer(words)
        if not 1 <= len(words) <= 2:
            raise fault(f"it takes a type, and perhaps a buffer and a count: {_USAGE}")
        of, label, count = operands.repeated(rank, words)
        layout = _mpipp.Layout(of, count)
        if layout.doubt:
            raise fault(f"the layout of {' '.join(words)} is not known: {layout.doubt}")
        density = layout_text.density(layout)
        if density is None:
            gdb.write(f"{' '.join(words)} has no bytes\n")
            return
        covers = _covers(of, count, buffer)
        if covers is not None:
            gdb.write(f"{covers}\n")
        gdb.write(f"{density}\n{_alignment(of, label, count, layout)}\n")
        for line in layout_text.blocks(layout, line_limit()):
            gdb.write(f"{line}\n")


def _take_buffer(words: List[str]) -> Optional[str]:
    """Takes the second word away if it is a buffer and no count."""
    if 2 <= len(words) <= 3 and not operands.is_count(words[1]):
        return words.pop(1)
    return None


def _covers(of: "_mpipp.Type", count: Optional[int], buffer: Optional[str]) -> Optional[str]:
    if buffer is None:
        return None
    text = covered.line(of, count, covered.object_of(buffer, operands.address(buffer)))
    return text or f"what is covered of '{buffer}' has no short form: (TYPE[N][M]) *POINTER gives a pointer a shape"


def _alignment(of: "_mpipp.Type", label: str, count: Optional[int], layout: "_mpipp.Layout") -> str:
    text = layout_text.alignment(layout) or ""
    if layout.alignment is not None:
        return text
    wrong, _ = _mpipp.misaligned(of, 0, count, 1)
    return text + (f": {label}{wrong[0].long} is not at 0" if wrong else "")
