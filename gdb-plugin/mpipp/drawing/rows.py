# SPDX-License-Identifier: BSD-3-Clause
"""Which rows of bytes of one or two buffers are drawn, and the elements in them.

The core finds the pieces of memory at the beginning and at the end, and the elements in the drawn rows. All between is
left out, however much it is, and the picture says so.
"""

from typing import Iterator, List, Optional, Set, Union

from .parts import RUNS, STEPS, Fold, Part, Row, Rows

_WIDTHS = range(4, 129)  # strides that may become a row's width
_WIDE = 64
_NARROW = 32
_FIRST, _LAST, _NEAR = 16, 6, 2  # number of rows: at the beginning, at the end, and on each side of an overlap
_TRIES = 1000  # the most questions at either end


class Picture(Rows):
    """The whole picture, in rows of bytes."""

    def __init__(self, parts: List[Part], near: List[int]) -> None:
        """near: bytes, counted from the first part's address, where overlaps were found."""
        super().__init__(parts, _width(parts), parts[0].address)
        self.unit = _unit(parts)
        self.rows = list(self._rows(near))

    def _rows(self, near: List[int]) -> Iterator[Union[Row, Fold]]:
        numbers = sorted(self._numbers(near))
        before: Optional[int] = None
        for number in numbers:
            if before is not None and number == before + 2:
                yield self._numbered(number - 1)
            elif before is not None and number > before + 2:
                yield self.fold((before + 1) * self.width, number * self.width)
            yield self._numbered(number)
            before = number

    def _numbered(self, number: int) -> Row:
        start = number * self.width
        return self.row(start, [(start, start + self.width)])

    # --- choosing rows

    def _numbers(self, near: List[int]) -> Set[int]:
        numbers: Set[int] = set()
        share = len(self.parts)
        lows = [self.shift(part) + part.bounds()[0] for part in self.parts]
        highs = [self.shift(part) + part.bounds()[1] for part in self.parts]
        for byte in near:
            first = max(byte // self.width - _NEAR, min(lows) // self.width)
            last = min(byte // self.width + _NEAR, (max(highs) - 1) // self.width)
            numbers.update(range(first, last + 1))
        for part in self.parts:
            low, high = part.bounds()
            shift = self.shift(part)
            if low < high:
                numbers |= self._end(part, low, high, _FIRST // share, True)
                numbers |= self._end(part, low, high, _LAST // share, False)
            numbers.add(shift // self.width)
        if share == 1:
            numbers.update(mark // self.width for mark in self.bounds_of_type())
        return numbers

    def bounds_of_type(self) -> List[int]:
        """The type's lb and the byte before its ub, if they are known."""
        of = self.parts[0].type
        if of.lb is None or of.ub is None or of.ub <= of.lb:
            return []
        return [of.lb, of.ub - 1]

    def _end(self, part: Part, low: int, high: int, wanted: int, is_first: bool) -> Set[int]:
        """The first rows with data, or the last: searched in growing steps, shorter where there is much data."""
        numbers: Set[int] = set()
        shift, most = self.shift(part), RUNS * self.width
        step = 8 * self.width
        for _ in range(_TRIES):
            if low >= high or len(numbers) >= wanted:
                break
            at, end = (low, min(low + step, high)) if is_first else (max(high - step, low), high)
            runs, why = part.layout.runs(at, end, most, STEPS)
            if why and step > self.width:
                step //= 2
                continue
            self.undecided = self.undecided or bool(why)
            for first, last in runs if is_first else reversed(runs):
                numbers.update(self._some(first + shift, last + shift, wanted, is_first))
            low, high = (end, high) if is_first else (low, at)
            step *= 2
        else:
            self.undecided = True
        ordered = sorted(numbers, reverse=not is_first)
        return set(ordered[:wanted])

    def _some(self, first: int, last: int, wanted: int, is_first: bool) -> range:
        """The rows of a run, at most as many as wanted."""
        start, stop = first // self.width, (last - 1) // self.width + 1
        return range(start, min(stop, start + wanted)) if is_first else range(max(start, stop - wanted), stop)


def _unit(parts: List[Part]) -> int:
    """A stride that repeats within a row, 0 if there is none: so that similar elements are below each other."""
    strides: List[int] = []
    for part in parts:
        if part.count is not None and part.count > 1 and part.type.extent is not None:
            strides.append(abs(part.type.extent))
        for block in part.layout.blocks(1)[0]:
            strides += [abs(stride) for _, stride in block.levels]
    return max((stride for stride in strides if stride in _WIDTHS), default=0)


def _width(parts: List[Part]) -> int:
    unit = _unit(parts)
    if unit:
        return unit * max(_WIDE // unit, 1)
    return _NARROW if all(part.bounds()[1] - part.bounds()[0] <= 8 * _NARROW for part in parts) else _WIDE
