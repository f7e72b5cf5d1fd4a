# SPDX-License-Identifier: BSD-3-Clause
"""Which rows of bytes of one or two buffers are drawn, and the elements in them.

The core finds the pieces of memory at the beginning and at the end, and the elements in the drawn rows. All between is
left out, however much it is, and the picture says so.
"""

from typing import Callable, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple, Union

from .. import _mpipp
from ..fault import fault

_MASK = (1 << 64) - 1
_STEPS = 1 << 20  # per question: there are thousands
_WIDTHS = range(4, 129)  # strides that may become a row's width
_WIDE = 64
_NARROW = 32
_DEEP = 8  # the most elements that are drawn on one byte
_FIRST, _LAST, _NEAR = 16, 6, 2  # number of rows: at the beginning, at the end, and on each side of an overlap
_RUNS = 64  # bytes to ask for at once, in widths of a row
_TRIES = 1000  # the most questions at either end
_NOWHERE = 1 << 62  # the address of a type without an address


class Part:
    """`count` of a type (None: the type itself) at an address (None: anywhere)."""

    def __init__(self, of: "_mpipp.Type", label: str, address: Optional[int], count: Optional[int]) -> None:
        self.type = of
        self.label = label
        self.address = _NOWHERE if address is None else address
        self.count = count
        self.layout = _mpipp.Layout(of, count)
        self.itself = _mpipp.self_overlap(of, count, _STEPS)
        if self.layout.doubt:
            raise fault(f"'{label}' cannot be drawn: {self.layout.doubt}")

    def bounds(self) -> Tuple[int, int]:
        """The first byte from the address, and the one after the last."""
        low, high = self.layout.low, self.layout.high
        assert low is not None and high is not None  # there is no doubt
        return low, high


class Piece(NamedTuple):
    """Bytes low..high-1 of a row, counted from the picture's origin, that belong to an element; None: not known to which."""

    low: int
    high: int
    element: "Optional[_mpipp.Element]"


class Row(NamedTuple):
    """A row of bytes from `start` on. lanes: those of each part, one below the other if elements overlap."""

    start: int
    lanes: List[List[List[Piece]]]
    gaps: List[Tuple[int, int]]
    overlaps: List[Tuple[int, int]]
    """bytes that belong to two elements"""
    certain: bool
    """the gaps are certainly gaps"""


class Fold(NamedTuple):
    """Bytes low..high-1, whole rows that are left out; empty: no part has any of them."""

    low: int
    high: int
    empty: bool


class Picture:
    """The whole picture."""

    def __init__(self, parts: List[Part], near: List[int]) -> None:
        """near: bytes, counted from the first part's address, where overlaps were found."""
        self.parts = parts
        self.width = _width(parts)
        self.unit = _unit(parts)
        self.undecided = self.too_deep = False
        self._is_certain = True  # of the current row
        self.drawn = [0 for _ in parts]
        """for each part, the number of bytes in the rows"""
        self.rows: List[Union[Row, Fold]] = list(self._rows(near))

    def shift(self, part: Part) -> int:
        """Where a part's address is, from the origin: the first part's address."""
        difference = (part.address - self.parts[0].address) & _MASK
        return difference - (1 << 64) if difference >> 63 else difference

    def _rows(self, near: List[int]) -> Iterator[Union[Row, Fold]]:
        numbers = sorted(self._numbers(near))
        before: Optional[int] = None
        for number in numbers:
            if before is not None and number == before + 2:
                yield self._row(number - 1)
            elif before is not None and number > before + 2:
                yield self._fold((before + 1) * self.width, number * self.width)
            yield self._row(number)
            before = number

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
        shift, most = self.shift(part), _RUNS * self.width
        step = 8 * self.width
        for _ in range(_TRIES):
            if low >= high or len(numbers) >= wanted:
                break
            at, end = (low, min(low + step, high)) if is_first else (max(high - step, low), high)
            runs, why = part.layout.runs(at, end, most, _STEPS)
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

    # --- the elements in them

    def _fold(self, low: int, high: int) -> Fold:
        for part in self.parts:
            shift = self.shift(part)
            runs, why = part.layout.runs(low - shift, high - shift, 1, _STEPS)
            if runs or why:
                return Fold(low, high, False)
        return Fold(low, high, True)

    def _row(self, number: int) -> Row:
        start, stop = number * self.width, (number + 1) * self.width
        self._is_certain = True
        lanes: List[List[List[Piece]]] = []
        depth = [0] * self.width
        for index, part in enumerate(self.parts):
            pieces = self._pieces(part, start, stop)
            covered = [0] * self.width
            for piece in pieces:
                for byte in range(piece.low, piece.high):
                    covered[byte - start] += 1
            self.drawn[index] += sum(map(bool, covered))
            depth = [one + other for one, other in zip(depth, covered)]
            lanes.append(self._lanes(pieces))
        gaps = _stretches(depth, start, lambda number: number == 0)
        overlaps = _stretches(depth, start, lambda number: number > 1)
        return Row(start, lanes, gaps, overlaps, self._is_certain)

    def _pieces(self, part: Part, start: int, stop: int) -> List[Piece]:
        shift = self.shift(part)
        runs, why = part.layout.runs(start - shift, stop - shift, _RUNS * self.width, _STEPS)
        self._is_certain = self._is_certain and not why
        self.undecided = self.undecided or bool(why)
        pieces: Dict[str, Piece] = {}
        for first, last in runs:
            at = first
            while at < last:
                at = self._add(pieces, part, at, last, (start - shift, stop - shift))
        return [Piece(piece.low + shift, piece.high + shift, piece.element) for piece in pieces.values()]

    def _add(self, pieces: Dict[str, Piece], part: Part, at: int, last: int, row: Tuple[int, int]) -> int:
        """The elements that contain a byte; returns the next byte to ask for."""
        byte = (part.address + at) & _MASK
        found, ended = _mpipp.locate(part.type, part.address, part.count, byte, _DEEP, _STEPS)
        self.too_deep = self.too_deep or ended == "more"
        self.undecided = self.undecided or ended == "undecided"
        if not found:
            pieces[f"{at}"] = Piece(at, at + 1, None)
            return at + 1
        ends = [at + 1]
        for one in found:
            if one.low is None or one.high is None:
                continue
            piece = Piece(max(one.low, row[0]), min(one.high, row[1]), one)
            pieces[one.short] = piece
            ends.append(min(piece.high, last))
        return max(ends) if part.itself.overlaps is False else at + 1

    def _lanes(self, pieces: List[Piece]) -> List[List[Piece]]:
        """Overlapping pieces are put below each other."""
        lanes: List[List[Piece]] = []
        for piece in sorted(pieces, key=lambda piece: (piece.low, piece.high)):
            free = next((lane for lane in lanes if lane[-1].high <= piece.low), None)
            if free is not None:
                free.append(piece)
            elif len(lanes) < _DEEP:
                lanes.append([piece])
            else:
                self.too_deep = True
        return lanes


def _stretches(depth: List[int], start: int, is_one: Callable[[int], bool]) -> List[Tuple[int, int]]:
    """The bytes whose depth is such, as (from, to)."""
    found: List[Tuple[int, int]] = []
    for byte, one in enumerate(depth, start):
        if is_one(one):
            if found and found[-1][1] == byte:
                found[-1] = (found[-1][0], byte + 1)
            else:
                found.append((byte, byte + 1))
    return found


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
