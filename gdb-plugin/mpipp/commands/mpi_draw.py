# SPDX-License-Identifier: BSD-3-Clause
"""mpi draw"""

import os
from typing import List, Optional

import gdb

from .. import _mpipp, covered, files, operands
from ..drawing import viewer
from ..drawing.array import ArrayPicture, find_array
from ..drawing.array_svg import ArraySvg
from ..drawing.parts import Part
from ..drawing.rows import Picture
from ..drawing.svg import BytesSvg, Svg
from ..fault import fault
from ..rank import Rank, ranks
from . import layout_text, summary
from .base import Command

_USAGE = (
    "usage: mpi draw [-open] TYPE [BUFFER] [COUNT], FILE.svg, or"
    " mpi draw [-open] TYPE BUFFER [COUNT], TYPE BUFFER [COUNT], FILE.svg"
)


class MpiDraw(Command):
    """Draw the memory that a datatype covers, or two buffers, into a file.

Usage: mpi draw [-open] TYPE [BUFFER] [COUNT], FILE.svg
   mpi draw [-open] TYPE BUFFER [COUNT], TYPE BUFFER [COUNT], FILE.svg

If BUFFER is an array of the program, or in one, a row of the picture is a row of the
array (in Fortran a column) and a box an element, with the program's indices: what the
datatype covers has a colour, and so has what lies before or beyond the array.
(double[10][8][7]) *P gives a pointer P a shape.

Otherwise the picture is rows of bytes.  Each basic element is a box in the colour of its basic
type, with its number in the order in which MPI sends them; its element address (see
`help mpi element') appears under the pointer.  Bytes that two elements share are
hatched; gaps, lb, ub and the beginning of each of COUNT are marked.  The second form
draws two buffers, in one array if they are in the same one, else one below the other
at their places in memory.

Of a large type or array the first rows, the last ones and those around an overlap are drawn;
the picture says what is left out.  The program's data is not read.

FILE is overwritten; it is SVG without scripts, for light and dark screens.  -open
shows it with the desktop's viewer for such files (xdg-open), and gdb goes on.

Examples:
  mpi draw ghost grid, ghost.svg
  mpi draw face &a 1, column &b 4, "face and column.svg"
  mpi draw -open struDT, struDT.svg"""

    def __init__(self) -> None:
        super().__init__("mpi draw", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        rank = ranks.current()
        option, _, rest = argument.partition(" ")
        is_opened = option == "-open"
        if is_opened:
            argument = rest
        *given, file = operands.split(argument) or [[]]
        if len(given) == 1 and len(given[0]) <= 3:
            drawing = _of_one(rank, given[0])
        elif len(given) == 2 and all(2 <= len(words) <= 3 for words in given):
            drawing = _of_two(rank, given)
        else:
            raise fault(f"it takes a type, a buffer or two buffers, and a file, with commas between them: {_USAGE}")
        path = files.name_in(file, _USAGE)
        text = drawing.text()
        with files.replaced(path) as out:
            out.write(text.encode())
        gdb.write(_mpipp.visible(f"{os.path.basename(path)}: a picture of {drawing.title}") + "\n")
        if is_opened:
            _open(path)


def _open(path: str) -> None:
    why = viewer.why_none()
    if why is not None:
        raise fault(f"'{os.path.basename(path)}' is written, but cannot be opened: {why}")
    viewer.show(path)


def _of_one(rank: Rank, words: List[str]) -> Svg:
    of, label, address, count = operands.repeated_at(rank, words, _USAGE)
    part = Part(of, label, address, count)
    found = _mpipp.self_overlap(of, count)
    near = [found.low] if found.overlaps and found.low is not None else []
    title = " ".join(words)
    lines = [summary.built(of), f"size {of.size}, extent {of.extent}, lb {of.lb}; {_dense(part)}"]
    if found.overlaps is not False:
        lines.append("overlaps itself" if found.overlaps else f"whether it overlaps itself is undecided: {found.doubt}")
    if address is None:
        return BytesSvg(Picture([part], near), title, lines, addresses=False)
    covers = covered.line(of, count, words[1], address)
    lines = ([] if covers is None else [covers]) + lines
    return _in_array([part], words[1:2], title, lines) or BytesSvg(Picture([part], near), title, lines, addresses=False)


def _in_array(parts: List[Part], buffers: List[str], title: str, lines: List[str]) -> Optional[Svg]:
    """The array that contains the buffers; None: they are not in the same array."""
    array = find_array(parts, buffers)
    return None if array is None else ArraySvg(ArrayPicture(parts, array), title, lines)


def _of_two(rank: Rank, given: List[List[str]]) -> Svg:
    buffers = [operands.buffer(rank, words) for words in given]
    parts = [Part(one.type, one.label, one.address, one.count) for one in buffers]
    first, second = buffers
    found = _mpipp.overlap(first.type, first.address, first.count, second.type, second.address, second.count)
    near = []
    if found.overlaps and found.length:
        near.append(_signed(found.address - first.address))
    lines = [f"{' '.join(words)}: {summary.built(one.type)}" for words, one in zip(given, buffers)]
    covers = [covered.line(one.type, one.count, one.text, one.address) for one in buffers]
    lines += [f"{' '.join(words)} {text}" for words, text in zip(given, covers) if text is not None]
    lines.append(_shared(found))
    title = " and ".join(" ".join(words) for words in given)
    array = _in_array(parts, [one.text for one in buffers], title, lines)
    return array or BytesSvg(Picture(parts, near), title, lines, addresses=True)


def _dense(part: Part) -> str:
    return layout_text.density(part.layout) or "no data"


def _shared(found: "_mpipp.Overlap") -> str:
    if found.overlaps is None:
        return f"whether they overlap is undecided: {found.doubt}"
    if not found.overlaps:
        return "they do not overlap"
    return "they overlap" + ("" if found.bytes is None else f": {layout_text.plural(found.bytes, 'byte')} in all")


def _signed(difference: int) -> int:
    difference %= 1 << 64
    return difference - (1 << 64) if difference >> 63 else difference
