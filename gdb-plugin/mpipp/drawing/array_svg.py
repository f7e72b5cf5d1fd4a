# SPDX-License-Identifier: BSD-3-Clause
"""A picture of an array of the program as SVG: a row of the picture is a row of the array, a box an element."""

from typing import Dict, Iterator, List, Tuple

from .array import Array, ArrayPicture
from .parts import Fold, Part, Piece, Row
from .svg import LETTER, LINE, OVERLAP, Mark, Svg, write

_HOLE = 16  # pixels where columns are left out
_BETWEEN = 12  # pixels between two planes
_LEAST = 520  # pixels of the text below


class ArraySvg(Svg):
    """Rows of an array, with the program's names."""

    def __init__(self, picture: ArrayPicture, title: str, lines: List[str]) -> None:
        self._array: Array = picture.array
        names = [self._array.row_at(row.start) for row in picture.rows if isinstance(row, Row)]
        left = int(max(map(len, names)) * LETTER) + 28
        super().__init__(picture, title, lines, self._array.pixels, left)
        self._columns = picture.columns
        self._has_outside = False
        self._no_data = "not covered"
        self._places: Dict[int, int] = dict(self._placed())
        self._planes = picture.array.dims[-3].stride if len(picture.array.dims) > 2 else 0
        if len(picture.parts) > 1:
            self._both = "both"

    def _placed(self) -> Iterator[Tuple[int, int]]:
        """Where each column begins."""
        x, before = self._left, None
        for column in self._columns:
            if before is not None and column > before + 1:
                x += _HOLE
            yield column, x
            x += self._array.element * self._cell
            before = column

    # --- what the rows are

    def _scale(self) -> Iterator[str]:
        for column, x in self._places.items():
            first = self._array.dims[-1]
            text = f"+{column}" if self._array.is_line else f"{column + first.lower}"
            yield write(x + self._array.element * self._cell / 2, self._y, text, "small middle")

    def _wide(self) -> int:
        return self._places[self._columns[-1]] + self._array.element * self._cell - self._left

    def _least(self) -> int:
        return _LEAST

    def _x(self, byte: int) -> int:
        column, rest = divmod(byte, self._array.element)
        return self._places[column] + rest * self._cell

    def _name(self, byte: int) -> str:
        return self._array.row_at(byte)

    def _bytes(self, low: int, high: int) -> str:
        first, last = (self._array.element_at(byte) for byte in (low, high - 1))
        return first if first == last else f"{first} to {last}"

    def _above(self, row: Row, marks: List[Mark]) -> int:
        is_first = bool(self._planes) and row.start % self._planes == 0
        return super()._above(row, marks) + (_BETWEEN if is_first else 0)

    def _gap(self, low: int, high: int, certain: bool) -> str:
        return f"{self._bytes(low, high)}: not covered" if certain else super()._gap(low, high, certain)

    def _piece_title(self, part: Part, piece: Piece) -> str:
        name = self._array.field_at(piece.low)
        return f"{name}\n{super()._piece_title(part, piece)}"

    def _fold_name(self, fold: Fold) -> str:
        return self._array.rows_at(fold.low, fold.high)

    def _boxes(self, row: Row, y: int, height: int) -> Iterator[str]:
        """A frame for each element; another one if it is before or after the array."""
        size = self._array.element
        for column, x in self._places.items():
            byte = row.start + column * size
            if self._array.limits[0] <= byte < self._array.limits[1]:
                sign = "box" if self._array.holds(byte) else "outside"
                self._has_outside = self._has_outside or sign == "outside"
                yield f'<rect class="{sign}" x="{x}" y="{y}" width="{size * self._cell}" height="{height}"/>'

    def _signs(self) -> List[Tuple[str, str]]:
        return super()._signs() + ([("outside", f"not in {self._array.name}")] if self._has_outside else [])

    def _colours(self, dark: int) -> Iterator[str]:
        yield from super()._colours(dark)
        yield f".box, .outside {{ fill: none; pointer-events: none; stroke: {LINE[dark]}; }}"
        yield f".outside {{ stroke: {OVERLAP[dark]}; stroke-width: 2; }}"
