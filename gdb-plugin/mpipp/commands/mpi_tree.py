# SPDX-License-Identifier: BSD-3-Clause
"""mpi tree"""

import array
from typing import Callable, Dict, Iterator, List, Tuple

import gdb

from .. import _mpipp
from ..rank import ranks
from ..settings import UNLIMITED, line_limit, limit, unicode_terminal
from . import contiguous, expanded, summary
from .base import Command
from .boxes import BOXES
from .mpi_type import any_type

_USAGE = "mpi tree [-expanded] TYPE"

Edge = Tuple[str, "_mpipp.Type"]


class MpiTree(Command):
    """Draw how a datatype is built: its meta type-tree.

Usage: mpi tree [-expanded] TYPE

TYPE is an expression, or a name that MPI_Type_set_name gave.  A node is a
constructor with its parameters; its old types are below it.  A type that is used
twice is drawn once.

With -expanded the tree is the one of element addresses (see `help mpi element'):
a node for each block, each dimension and each element, with its index and its
displacement in bytes.  If more children than `print repeats' are alike, only the
first is drawn.

`set print elements' and `set print max-depth' limit the tree.

Examples:
  mpi tree struDT
  mpi tree -expanded struDT"""

    def __init__(self) -> None:
        super().__init__("mpi tree", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        rank = ranks.current()
        option, _, rest = argument.partition(" ")
        if option == "-expanded":
            expanded.draw(any_type(rank, rest, _USAGE))
        else:
            Drawing().draw(any_type(rank, argument, _USAGE))


class Drawing:
    """One tree on the screen, limited in lines and levels by the settings."""

    def __init__(self, write: Callable[[str], object] = gdb.write) -> None:
        self._write = write
        self._box = BOXES[unicode_terminal()]
        self._room = line_limit()
        depth = limit("print max-depth")
        self._depth = 2**31 if depth == UNLIMITED else depth
        self._drawn: Dict[Tuple[int, int], int] = {}

    def draw(self, root: "_mpipp.Type") -> None:
        """Writes it, without recursion: a type may be nested deeper than Python's stack allows."""
        self._line("", self._label(root))
        stack: List[Tuple[str, Iterator[Edge], int, int]] = [("", _edges(root), len(_edge_count(root)), 1)]
        while stack:
            prefix, edges, left, level = stack.pop()
            edge = next(edges, None)
            if edge is None:
                continue
            if self._room <= 0:
                self._write(prefix + self._box[1] + "...\n")
                return
            last = left == 1
            label, of = edge
            again = (of.ordinal, of.serial) in self._drawn
            self._line(prefix + self._box[1 if last else 0], label + self._label(of))
            if not last:  # a long chain must not keep a prefix for each of its levels
                stack.append((prefix, edges, left - 1, level))
            below = prefix + self._box[3 if last else 2]
            count = len(_edge_count(of))
            if again or not count:
                continue
            if level >= self._depth:
                self._line(below + self._box[1], "...")
            else:
                stack.append((below, _edges(of), count, level + 1))

    def _label(self, of: "_mpipp.Type") -> str:
        if of.kind == "NAMED":
            return summary.title(of)
        name = f'"{of.name}" ' if of.name else ""
        key = (of.ordinal, of.serial)
        if key in self._drawn:
            return f"{name}{of.kind} (as {self._drawn[key]} above)"
        self._drawn[key] = len(self._drawn) + 1
        return f"{self._drawn[key]}: {name}{summary.parameters(of)}{contiguous.if_large(of)}"

    def _line(self, prefix: str, text: str) -> None:
        self._room -= 1
        self._write(f"{prefix}{text}\n")


def _edge_count(of: "_mpipp.Type") -> range:
    if of.kind == "STRUCT" and not of.elided:
        return range(of.entries)
    return range(0 if of.base is None else 1)


def _edges(of: "_mpipp.Type") -> Iterator[Edge]:
    if of.kind != "STRUCT":
        if of.base is not None:
            yield "", of.base
        return
    for index in _edge_count(of):
        length = array.array("q", of.array("lengths", index, index + 1))[0]
        offset = array.array("q", of.array("offsets", index, index + 1))[0]
        yield f"[{index}] {length} at {offset}: ", of.entry_type(index)
