# SPDX-License-Identifier: BSD-3-Clause
"""mpi draw"""

import os
from typing import List

import gdb

from .. import _mpipp, files, operands
from ..drawing import viewer
from ..drawing.rows import Part, Picture
from ..drawing.svg import Svg
from ..fault import fault
from ..rank import Rank, ranks
from . import layout_text, summary
from .base import Command

_USAGE = (
    "usage: mpi draw [-open] TYPE [COUNT], FILE.svg, or"
    " mpi draw [-open] TYPE ADDRESS [COUNT], TYPE ADDRESS [COUNT], FILE.svg"
)


class MpiDraw(Command):
    """Draw the memory that a datatype covers, or two buffers, into a file.

Usage: mpi draw [-open] TYPE [COUNT], FILE.svg
   mpi draw [-open] TYPE ADDRESS [COUNT], TYPE ADDRESS [COUNT], FILE.svg

The picture is rows of bytes.  Each basic element is a box in the colour of its basic
type, with its number in the order in which MPI sends them; its element address (see
`help mpi element') appears under the pointer.  Bytes that two elements share are
hatched; gaps, lb, ub and the beginning of each of COUNT are marked.  The second form
draws two buffers one below the other, at their places in memory.

Of a large type the first rows, the last ones and those around an overlap are drawn;
the picture says what is left out.  The program's data is not read.

FILE is overwritten; it is SVG without scripts, for light and dark screens.  -open
shows it with the desktop's viewer for such files (xdg-open), and gdb goes on.

Examples:
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
        if len(given) == 1 and len(given[0]) <= 2:
            drawing = _of_one(rank, given[0])
        elif len(given) == 2 and all(2 <= len(words) <= 3 for words in given):
            drawing = _of_two(rank, given)
        else:
            raise fault(f"it takes a type or two buffers, and a file, with commas between them: {_USAGE}")
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
    of, label, count = operands.repeated(rank, words)
    part = Part(of, label, None, count)
    found = _mpipp.self_overlap(of, count)
    near = [found.low] if found.overlaps and found.low is not None else []
    title = " ".join(words)
    lines = [summary.built(of), f"size {of.size}, extent {of.extent}, lb {of.lb}; {_dense(part)}"]
    if found.overlaps is not False:
        lines.append("overlaps itself" if found.overlaps else f"whether it overlaps itself is undecided: {found.doubt}")
    return Svg(Picture([part], near), title, lines, addresses=False)


def _of_two(rank: Rank, given: List[List[str]]) -> Svg:
    buffers = [operands.buffer(rank, words) for words in given]
    parts = [Part(one.type, one.label, one.address, one.count) for one in buffers]
    first, second = buffers
    found = _mpipp.overlap(first.type, first.address, first.count, second.type, second.address, second.count)
    near = []
    if found.overlaps and found.length:
        near.append(_signed(found.address - first.address))
    lines = [f"{' '.join(words)}: {summary.built(one.type)}" for words, one in zip(given, buffers)]
    lines.append(_shared(found))
    title = " and ".join(" ".join(words) for words in given)
    return Svg(Picture(parts, near), title, lines, addresses=True)


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
