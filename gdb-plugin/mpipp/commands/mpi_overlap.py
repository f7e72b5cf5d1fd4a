# SPDX-License-Identifier: BSD-3-Clause
"""mpi overlap"""

from typing import List, Optional

import gdb

from .. import _mpipp, operands
from ..fault import fault
from ..rank import Rank, ranks
from ..whole_object import path_at
from .base import Command
from .layout_text import plural

_USAGE = "usage: mpi overlap TYPE ADDRESS [COUNT], TYPE ADDRESS [COUNT], or mpi overlap TYPE [COUNT]"


class MpiOverlap(Command):
    """Check whether two buffers share memory, or a datatype names a byte twice.

Usage: mpi overlap TYPE ADDRESS [COUNT], TYPE ADDRESS [COUNT]
   mpi overlap TYPE [COUNT]

The first form compares two buffers, each COUNT of TYPE (1 by default) at ADDRESS; the
operands are those of `mpipp'.  If they overlap, the answer shows some bytes that both
cover, the element of each buffer that contains them (see `help mpi element'), and how
many bytes they share.  If the first ADDRESS is an array with a shape, or of structs, a
line says in which of its elements the bytes begin.

The second form finds out whether COUNT of TYPE name a byte twice, which MPI forbids
in a buffer that receives; and the smallest count that does.

The answer is exact, and no type is unrolled for it.  If strides interleave
irregularly it may be undecided; the answer then says so.  Ctrl-C ends it sooner.

Examples:
  mpi overlap face &a, column &b 4
  mpi overlap selfT
  mpi overlap selfT 100"""

    def __init__(self) -> None:
        super().__init__("mpi overlap", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        rank = ranks.current()
        given = operands.split(argument)
        if not given:
            raise fault(f"no type given: {_USAGE}")
        if len(given) == 1 and len(given[0]) <= 2:
            _with_itself(rank, given[0])
        elif len(given) == 2 and all(2 <= len(words) <= 3 for words in given):
            _of_two(rank, given)
        else:
            raise fault(f"it takes two buffers with a comma between them, or one type: {_USAGE}")


def _of_two(rank: Rank, given: List[List[str]]) -> None:
    first, second = (operands.buffer(rank, words) for words in given)
    found = _mpipp.overlap(first.type, first.address, first.count, second.type, second.address, second.count)
    if found.overlaps is None:
        gdb.write(f"undecided: {found.doubt}\n")
    elif not found.overlaps:
        gdb.write("no overlap\n")
    else:
        where = f"bytes 0x{found.address:x} to 0x{found.address + found.length:x}"
        elements = f"{_element(first.label, found.first)} and {_element(second.label, found.second)}"
        total = "how many in all is not counted" if found.bytes is None else f"{plural(found.bytes, 'byte')} in all"
        gdb.write(f"overlap: {where}: {elements}; {total}\n")
        path = path_at(first.text, first.address, found.address - first.address)
        if path is not None:
            gdb.write(f"the bytes begin in {path}\n")


def _with_itself(rank: Rank, words: List[str]) -> None:
    of, label, count = operands.repeated(rank, words)
    found = _mpipp.self_overlap(of, count)
    if found.smallest is None:
        gdb.write(_without_witness(found, count) + "\n")
        return
    low = found.low or 0
    twice = (
        f"bytes {low} to {low + found.length}: {_element(label, found.first)} and {_element(label, found.second)}"
    )
    since = f"from count {found.smallest} on"
    if not found.overlaps:
        gdb.write(f"no overlap up to count {found.smallest - 1}; {since}: {twice}\n")
    elif found.smallest == 1:
        gdb.write(f"overlap: {twice}\n")
    else:
        gdb.write(f"overlap {since}: {twice}\n")


def _without_witness(found: "_mpipp.SelfOverlap", count: Optional[int]) -> str:
    if found.overlaps is None:
        return f"undecided: {found.doubt}"
    if found.ever is None:
        return f"no overlap up to count {1 if count is None else count}; beyond that undecided: {found.doubt}"
    return "no overlap, whatever the count"


def _element(label: str, element: Optional["_mpipp.Element"]) -> str:
    return f"an element of {label} that was not found in time" if element is None else label + element.long
