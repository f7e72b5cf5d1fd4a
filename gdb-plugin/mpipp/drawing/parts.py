# SPDX-License-Identifier: BSD-3-Clause
"""Parts of memory, and the elements in a row of bytes of them."""

from collections import Counter
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple, Union

from .. import _mpipp
from ..fault import fault

_MASK = (1 << 64) - 1
STEPS = 1 << 20  # per question: there are thousands
RUNS = 64  # bytes to ask for at once, in widths of a row
_DEEP = 8  # the most elements that are drawn on one byte
_NOWHERE = 1 << 62  # the address of a type without an address

Span = Tuple[int, int]
"""bytes from the first to the one before the last"""


class Part:
    """`count` of a type (None: the type itself) at an address (None: anywhere)."""

    def __init__(self, of: "_mpipp.Type", label: str, address: Optional[int], count: Optional[int]) -> None:
        self.type = of
        self.label = label
        self.address = _NOWHERE if address is None else address
        self.count = count
        self.layout = _mpipp.Layout(of, count)
        self.itself = _mpipp.self_overlap(of, count, STEPS)
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


class Rows:
    """The rows of a picture."""

    def __init__(self, parts: List[Part], width: int, origin: int) -> None:
        """width: bytes of a row. origin: the address from which bytes are counted."""
        self.parts = parts
        self.width = width
        self.origin = origin
        self.undecided = self.too_deep = False
        self._is_certain = True  # of the current row
        self.drawn = [0 for _ in parts]
        """for each part, the number of bytes in the rows"""
        self.rows: List[Union[Row, Fold]] = []

    def shift(self, part: Part) -> int:
        """Where a part's address is, from the origin."""
        difference = (part.address - self.origin) & _MASK
        return difference - (1 << 64) if difference >> 63 else difference

    def fold(self, low: int, high: int) -> Fold:
        """Rows that are left out."""
        for part in self.parts:
            shift = self.shift(part)
            runs, why = part.layout.runs(low - shift, high - shift, 1, STEPS)
            if runs or why:
                return Fold(low, high, False)
        return Fold(low, high, True)

    def row(self, start: int, spans: List[Span]) -> Row:
        """The row at a byte, with all in these spans of it."""
        self._is_certain = True
        lanes: List[List[List[Piece]]] = []
        depth: "Counter[int]" = Counter()
        for index, part in enumerate(self.parts):
            pieces = [piece for low, high in spans for piece in self._pieces(part, low, high)]
            covered = {byte for piece in pieces for byte in range(piece.low, piece.high)}
            self.drawn[index] += len(covered)
            for piece in pieces:
                depth.update(range(piece.low, piece.high))
            lanes.append(self._lanes(pieces))
        gaps = _stretches(spans, lambda byte: not depth[byte])
        overlaps = _stretches(spans, lambda byte: depth[byte] > 1)
        return Row(start, lanes, gaps, overlaps, self._is_certain)

    def _pieces(self, part: Part, start: int, stop: int) -> List[Piece]:
        shift = self.shift(part)
        runs, why = part.layout.runs(start - shift, stop - shift, RUNS * (stop - start), STEPS)
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
        found, ended = _mpipp.locate(part.type, part.address, part.count, byte, _DEEP, STEPS)
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


def _stretches(spans: List[Span], is_one: Callable[[int], bool]) -> List[Span]:
    """The longest runs of such bytes in each span."""
    found: List[Span] = []
    for low, high in spans:
        begin: Optional[int] = None
        for byte in range(low, high + 1):
            if byte < high and is_one(byte):
                begin = byte if begin is None else begin
            elif begin is not None:
                found.append((begin, byte))
                begin = None
    return found
