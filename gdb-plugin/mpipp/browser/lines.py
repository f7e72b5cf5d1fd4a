# SPDX-License-Identifier: BSD-3-Clause
"""The open part of a tree as lines one below the other, with a cursor: for a window of text."""

from typing import List, NamedTuple

from ..settings import unicode_terminal
from ..tui import columns as columns_of
from .tree import Row, Tree

_MARKS = {True: ("▾ ", "▸ ", "  "), False: ("- ", "+ ", "  ")}
_GAP = 2


class Line(NamedTuple):
    """A row, its depth, and whether its children follow."""

    row: Row
    level: int
    is_open: bool


class Lines:
    """The open part of a tree. The cursor is the number of a line."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.cursor = 0
        self.top = 0
        self._lines = [Line(tree.root(), 0, False)]
        self.open()

    def __len__(self) -> int:
        return len(self._lines)

    @property
    def key(self) -> str:
        """The row at the cursor."""
        return self._lines[self.cursor].row.key

    def move(self, lines: int) -> None:
        """Moves the cursor down, or up."""
        self.cursor = min(max(self.cursor + lines, 0), len(self._lines) - 1)

    def open(self) -> None:
        """Shows the children of the line at the cursor below it; if they are shown already, moves the cursor to the first."""
        line = self._lines[self.cursor]
        if line.is_open:
            self.move(1)
        elif line.row.opens:
            below = [Line(row, line.level + 1, False) for row in self.tree.children(line.row.key)]
            self._lines[self.cursor] = line._replace(is_open=True)
            self._lines[self.cursor + 1 : self.cursor + 1] = below

    def close(self) -> None:
        """Hides what is below the cursor; if there is nothing, moves the cursor to the parent line."""
        line = self._lines[self.cursor]
        if line.is_open:
            self._lines[self.cursor] = line._replace(is_open=False)
            del self._lines[self.cursor + 1 : self._end()]
            return
        while self._lines[self.cursor].level >= line.level and self.cursor > 0:
            self.cursor -= 1

    def toggle(self) -> None:
        """Opens or closes."""
        line = self._lines[self.cursor]
        if line.is_open or line.row.opens:
            (self.close if line.is_open else self.open)()

    def go_to(self, keys: List[str]) -> None:
        """Opens the rows on the path, and moves the cursor to the last one."""
        self.cursor = 0
        for key in keys[1:]:
            if not self._lines[self.cursor].is_open:
                self.open()
            while self._lines[self.cursor].row.key != key:
                self.cursor += 1

    def shown(self, height: int, width: int) -> List[str]:
        """The lines in view, among them that of the cursor. Values are read only for these."""
        self.top = min(self.top, self.cursor, max(len(self._lines) - height, 0))
        self.top = max(self.top, self.cursor - height + 1)
        lines = self._lines[self.top : self.top + height]
        values = self.tree.values(line.row.key for line in lines)
        marks = _MARKS[unicode_terminal()]
        heads = [_head(line, marks) for line in lines]
        columns = [max(map(len, column)) for column in zip(*heads)]
        texts = []
        for line, (label, what, byte, program) in zip(lines, heads):
            text = f"{label:<{columns[0] + _GAP}}{what:<{columns[1] + _GAP}}{byte:>{columns[2]}}  "
            text += f"{program:<{columns[3] + _GAP}}" if columns[3] else ""
            texts.append(columns_of.part(text + values.get(line.row.key, ""), 0, width))
        return texts

    def _end(self) -> int:
        end = self.cursor + 1
        while end < len(self._lines) and self._lines[end].level > self._lines[self.cursor].level:
            end += 1
        return end


def _head(line: Line, marks: "tuple[str, str, str]") -> "tuple[str, str, str, str]":
    mark = marks[0 if line.is_open else 1] if line.row.opens else marks[2]
    return "  " * line.level + mark + line.row.label, line.row.what, line.row.byte, line.row.program
