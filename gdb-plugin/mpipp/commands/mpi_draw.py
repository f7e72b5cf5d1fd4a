# SPDX-License-Identifier: BSD-3-Clause
"""mpi draw"""

import os

import gdb

from .. import _mpipp, files, operands
from ..fault import fault
from ..rank import ranks
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
(double[10][8][7]) *P gives a pointer P a shape; in Fortran (real(8)(7,0:7,10)) A.

Otherwise the picture is rows of bytes.  Each basic element is a box in the colour of its basic
type, with its number in the order in which MPI sends them; its element address (see
`help mpi element') appears under the pointer.  Bytes that two elements share are
hatched; gaps, lb, ub and the beginning of each of COUNT are marked.  The second form
draws two buffers, in one array if they are in the same one, else one below the other
at their places in memory.

Of a large type or array the first rows, the last ones and those around an overlap are drawn;
the picture says what is left out.  The program's data is not read.

FILE is SVG without scripts, for light and dark screens; it is overwritten, but not if it is
another kind of file.  -open shows it with the desktop's viewer for such files (xdg-open),
and gdb goes on.

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
        from ..drawing.drawn import drawn  # takes a tenth of the time in which all else of the package is loaded

        drawing = drawn(rank, given, _USAGE)
        path = files.name_in(file, _USAGE)
        text = drawing.text()
        with files.replaced(path, ".svg", b"<svg ") as out:
            out.write(text.encode())
        gdb.write(_mpipp.visible(f"{os.path.basename(path)}: a picture of {drawing.title}") + "\n")
        if is_opened:
            _open(path)


def _open(path: str) -> None:
    from ..drawing import viewer

    why = viewer.why_none()
    if why is not None:
        raise fault(f"'{os.path.basename(path)}' is written, but cannot be opened: {why}")
    viewer.show(path)
