# SPDX-License-Identifier: BSD-3-Clause
"""Which rows and columns of an array of the program are drawn, and the elements in them.

A row of the picture is a row of the array (in Fortran, a column). Of a long dimension the first and the last index are
drawn, and those around the bounds of what is covered. An array of one dimension is broken into rows.
"""

from itertools import islice
from typing import Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from .. import covered
from ..program import OPEN
from ..whole_object import WholeObject, find_objects
from .parts import Fold, Part, Row, Rows, Span

_ROWS_MOST = 120
_WIDE = 1024  # pixels of a row, about
_LARGEST = 256  # bytes of the largest element that is drawn as a box
_NEAR = 2  # indices on each side of a bound
_LINE = 16  # elements of a row of an array of one dimension


class Dimension(NamedTuple):
    """Indices low..high-1 from 0 on, and the bytes between two; lower: what the program adds to them."""

    low: int
    high: int
    stride: int
    lower: int


class Array:
    """The array in which one or several buffers begin."""

    def __init__(self, one: WholeObject, parts: List[Part], starts: List[int]) -> None:
        """starts: where the buffers begin, in bytes from the array's first."""
        self.name = one.name
        self.object = one
        self.starts = starts
        ends = [(start + part.bounds()[0], start + part.bounds()[1]) for part, start in zip(parts, starts)]
        self.dims = _dimensions(one, min(low for low, _ in ends), max(high for _, high in ends))
        first = self.dims[0]
        self.limits = (first.low * first.stride, first.high * first.stride)
        """the first byte that is drawn, and the one after the last"""
        self.is_line = len(self.dims) == 1
        """it has one dimension"""
        self.element = self.dims[-1].stride
        self.pixels = _pixels(self.element)
        """pixels of a byte"""
        self.columns_most = max(_WIDE // (self.element * self.pixels), 4)
        if self.is_line:
            self._break(parts)

    def _break(self, parts: List[Part]) -> None:
        """Makes rows of an array of one dimension: as long as a stride, or several of it, so that equal elements are below
        each other."""
        only = self.dims[0]
        strides = [abs(stride) for part in parts for block in part.layout.blocks(1)[0] for _, stride in block.levels]
        fits = (stride // only.stride for stride in strides if stride % only.stride == 0)
        most = min(_LINE, self.columns_most, only.high - only.low)
        length = max((one for one in fits if 2 <= one <= self.columns_most), default=most)
        length *= max(most // length, 1)
        rows = Dimension(only.low // length, -(-only.high // length), length * only.stride, 0)
        self.dims = [rows, Dimension(0, length, only.stride, only.lower)]

    @property
    def fortran(self) -> bool:
        """Whether indices are written in Fortran's form."""
        return self.object.program.fortran

    def holds(self, byte: int) -> bool:
        """Whether a byte is in the array, and not before or after it."""
        program = self.object.program
        return byte >= 0 and (program.open or byte < program.size)

    def indices(self, byte: int) -> List[int]:
        """Those of the element that contains a byte, from 0 on, outermost first."""
        found = []
        for one in self.dims:
            index, byte = divmod(byte, one.stride)
            found.append(index)
        return found

    # --- names

    def element_at(self, byte: int) -> str:
        """ "grid[1][2][3]" """
        indices = self.indices(byte)
        if self.is_line:
            return self._named([f"{self._linear(indices)}"])
        return self._named([f"{index + one.lower}" for index, one in zip(indices, self.dims)])

    def field_at(self, byte: int) -> str:
        """ "cells[2].place[0]" """
        path = self.object.program.at(byte)
        return self.element_at(byte) if path is None else self.name + path

    def row_at(self, byte: int) -> str:
        """ "grid[1][2]", "grid(:,2)", and of one dimension "list[16-31]" """
        indices = self.indices(byte)
        if self.is_line:
            first = self._linear([indices[0], 0])
            last = min(first + self.dims[1].high - 1, self._last())
            return self._named([f"{first}{':' if self.fortran else '-'}{last}"])
        return self._named([f"{index + one.lower}" for index, one in zip(indices[:-1], self.dims)])

    def rows_at(self, low: int, high: int) -> str:
        """All rows from one byte to another: "grid[1][3-7]", "grid(:,3:7)"."""
        first, last = self.indices(low), self.indices(high - 1)
        to = ":" if self.fortran else "-"
        if self.is_line:
            end = min(self._linear(last), self._last())
            return self._named([f"{self._linear([first[0], 0])}{to}{end}"])
        texts = []
        for one, other, dimension in zip(first[:-1], last[:-1], self.dims):
            begin, end = one + dimension.lower, other + dimension.lower
            texts.append(f"{begin}" if begin == end else f"{begin}{to}{end}")
            if begin != end:
                break
        return self._named(texts)

    def _linear(self, indices: Sequence[int]) -> int:
        return indices[0] * self.dims[1].high + indices[1] + self.dims[1].lower

    def _last(self) -> int:
        """The last index of an array of one dimension; not limited if its length is not known."""
        length = self.object.program.fields[0][4][0][0]
        high = self.dims[0].high * self.dims[1].high
        return (high if length == OPEN else length) - 1 + self.dims[1].lower

    def _named(self, texts: List[str]) -> str:
        """With these indices, the outermost first; in Fortran all of the others."""
        if not self.fortran:
            return self.name + "".join(f"[{text}]" for text in texts)
        count = 1 if self.is_line else len(self.dims)
        texts = texts + [":"] * (count - len(texts))
        return f"{self.name}({','.join(reversed(texts))})"


def _dimensions(one: WholeObject, low: int, high: int) -> List[Dimension]:
    """low, high: the covered bytes; the outermost dimension goes as far as these."""
    program = one.program
    dims, lower = program.fields[0][4], program.labels[0].lower
    length, stride = dims[0]
    first = Dimension(min(low // stride, 0), max(-(-high // stride), 0 if length == OPEN else length), stride, lower[0])
    return [first] + [Dimension(0, count, stride, bound) for (count, stride), bound in zip(dims[1:], lower[1:])]


def _pixels(element: int) -> int:
    """Enough for a number in each box."""
    return max(32 // element, 3 if element <= 96 else 1)


def is_drawable(one: WholeObject) -> bool:
    """Whether it is an array whose elements are not too large for a box."""
    dims = one.program.fields[0][4]
    has_elements = bool(dims) and all(length and stride > 0 for length, stride in dims)
    return has_elements and dims[-1][1] <= _LARGEST


def find_array(parts: List[Part], texts: List[str]) -> Optional[Array]:
    """Finds the array to draw: the smallest one that contains all buffers. If none does, the largest one in which all of
    them begin. Returns None if they do not begin in one array, or cover nothing."""
    chains = [list(filter(is_drawable, find_objects(text, part.address))) for part, text in zip(parts, texts)]
    found: Optional[List[WholeObject]] = None
    for one in chains[0]:
        same = [next((other for other in chain if _key(part, other) == _key(parts[0], one)), None) for part, chain in zip(parts, chains)]
        objects = [other for other in same if other is not None]
        if len(objects) == len(parts):
            found = objects
            if all(map(_contains, objects, parts)):
                break
    if found is None or all(part.bounds()[0] == part.bounds()[1] for part in parts):
        return None
    return Array(found[0], parts, [one.start for one in found])


def _key(part: Part, one: WholeObject) -> Tuple[int, int, int]:
    """Equal for the same array, whatever its name is."""
    return part.address - one.start, one.program.size, len(one.program.fields[0][4])


def _contains(one: WholeObject, part: Part) -> bool:
    low, high = part.bounds()
    return one.start + low >= 0 and (one.program.open or one.start + high <= one.program.size)


class ArrayPicture(Rows):
    """The whole picture, in rows of an array."""

    def __init__(self, parts: List[Part], array: Array) -> None:
        super().__init__(parts, array.dims[-2].stride, parts[0].address - array.starts[0])
        self.array = array
        self._bounds = [_bounds(part, start, array) for part, start in zip(parts, array.starts)]
        self.columns = self._filled(len(array.dims) - 1, array.columns_most)
        """the indices of the drawn columns"""
        self._spans = list(self._column_spans())
        self._numbers = self._rows_of_each()
        self.rows = list(self._rows(0, 0))

    # --- choosing indices

    def _rows_of_each(self) -> List[List[int]]:
        """The drawn indices of each dimension but the last. A short one gets all, the others share what is left."""
        budget = _ROWS_MOST
        dims = self.array.dims[:-1]
        order = sorted(range(len(dims)), key=lambda number: dims[number].high - dims[number].low)
        chosen: List[List[int]] = [[] for _ in dims]
        for place, number in enumerate(order):
            share = int(budget ** (1 / (len(order) - place)) + 1e-9)
            chosen[number] = self._chosen(number, max(share, 3))
            budget //= max(len(chosen[number]), 1)
        return chosen

    def _chosen(self, dimension: int, most: int) -> List[int]:
        """At most so many indices, those around a bound first."""
        one = self.array.dims[dimension]
        if one.high - one.low <= most:
            return list(range(one.low, one.high))
        marks = [mark for bounds in self._bounds for mark in bounds[dimension] if one.low <= mark < one.high]
        chosen = dict.fromkeys([one.low, one.high - 1, *marks])
        for distance in range(1, _NEAR + 1):
            for mark in marks:
                chosen.update(dict.fromkeys(near for near in (mark - distance, mark + distance) if one.low <= near < one.high))
        return sorted(list(chosen)[:most])

    def _filled(self, dimension: int, most: int) -> List[int]:
        """The same, and as many more after the first bound as there is room for."""
        chosen = set(self._chosen(dimension, most))
        one, start = self.array.dims[dimension], min(self._bounds[0][dimension])
        after = (index for index in range(max(start, one.low), one.high) if index not in chosen)
        return sorted(chosen.union(islice(after, most - len(chosen))))

    def _column_spans(self) -> Iterator[Span]:
        """The bytes of the drawn columns, from a row's first byte."""
        size = self.array.element
        begin = before = self.columns[0]
        for column in self.columns[1:]:
            if column != before + 1:
                yield begin * size, (before + 1) * size
                begin = column
            before = column
        yield begin * size, (before + 1) * size

    # --- rows

    def _rows(self, dimension: int, base: int) -> Iterator[Union[Row, Fold]]:
        if dimension == len(self._numbers):
            first, last = self.array.limits
            spans = [(max(base + low, first), min(base + high, last)) for low, high in self._spans]
            row = self.row(base, [(low, high) for low, high in spans if low < high])
            yield row._replace(gaps=list(_split(row.gaps, self.array.element)))
            return
        stride = self.array.dims[dimension].stride
        before: Optional[int] = None
        for index in self._numbers[dimension]:
            if before is not None and index > before + 1:
                yield self.fold(base + (before + 1) * stride, base + index * stride)
            yield from self._rows(dimension + 1, base + index * stride)
            before = index


def _split(gaps: List[Span], size: int) -> Iterator[Span]:
    """The gap in each element."""
    for low, high in gaps:
        while low < high:
            end = min(low - low % size + size, high)
            yield low, end
            low = end


def _bounds(part: Part, start: int, array: Array) -> List[List[int]]:
    """For each dimension the indices at the bounds of what a buffer covers, the most important first."""
    low, high = part.bounds()
    ends = (array.indices(start + low), array.indices(start + max(high, low + 1) - 1))
    found = [[end[dimension] for end in ends] for dimension in range(len(array.dims))]
    one = array.object._replace(start=start)
    for box in covered.boxes(part.type, part.count, one) if not array.is_line else []:
        for marks, (first, last, count, step, run) in zip(found, box):
            marks += [first, last]
            if count > 1:
                marks += [first + run - 1, first + step, last - run + 1, last - step]
    return [list(dict.fromkeys(marks)) for marks in found]
