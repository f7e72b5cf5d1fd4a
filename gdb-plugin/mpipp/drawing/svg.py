# SPDX-License-Identifier: BSD-3-Clause
"""A picture of memory as SVG, without scripts, light or dark as the reader's screen prefers."""

import html
import re
from typing import Dict, Iterator, List, NamedTuple, Tuple

from .. import _mpipp, element
from .parts import Fold, Part, Piece, Row, Rows
from .rows import Picture

_INK = ("#1b1f24", "#e6edf3")
_PAPER = ("#ffffff", "#0d1117")
_FAINT = ("#e9edf1", "#1c232c")
LINE = ("#8c959f", "#6e7681")
OVERLAP = ("#cf222e", "#ff7b72")
_COLOURS = (
    ("#8ec5ff", "#1f5f9f"),
    ("#ffd28a", "#8a5a00"),
    ("#a8e3a1", "#2b6e2b"),
    ("#f3b0c6", "#8c2f56"),
    ("#cbb8ff", "#5a3fa8"),
    ("#9fe3dc", "#1b6b66"),
    ("#e6e08a", "#6b6500"),
    ("#f7b79b", "#8f3d17"),
    ("#c9d1d9", "#48515b"),
    ("#b6d0a8", "#3f5c2e"),
)
UNKNOWN = "what is inside is not known"
UNDECIDED = "undecided whether there is data"

_BYTES_WIDE = 768  # pixels of a row
_LEFT, _RIGHT, _TOP = 140, 24, 16
_LANE, _ABOVE, _MARKS, _FOLD = 18, 5, 12, 30
LETTER = 6.6  # pixels, about

_NOT_XML = re.compile("[\ufffe\uffff]")  # in addition to characters that act on a terminal


class Mark(NamedTuple):
    """A boundary of the type, or of one of several, at a byte."""

    byte: int
    text: str
    is_end: bool
    """it belongs to the bytes before it"""


class Svg:
    """A picture as text. What its rows are, and where a byte is in a row, a class below says."""

    def __init__(self, picture: Rows, title: str, lines: List[str], cell: int, left: int = _LEFT) -> None:
        """lines: text above the picture. cell: pixels of a byte. left: pixels before the rows."""
        self._picture = picture
        self.title = title
        self._lines = lines
        self._cell = cell
        self._left = left
        self._no_data, self._both = "no data", "more than one element"
        self._classes: Dict[str, int] = {}
        self._sizes: Dict[str, int] = {}
        self._y = _TOP

    def text(self) -> str:
        """All of it."""
        body = list(self._head())
        for row in self._picture.rows:
            body += self._fold(row) if isinstance(row, Fold) else self._row(row)
        body += self._legend()
        right = _RIGHT if len(self._picture.parts) == 1 else _RIGHT + 100
        width = self._left + max(self._wide(), self._least()) + right
        size = f'width="{width}" height="{self._y}" viewBox="0 0 {width} {self._y}"'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
            f"<title>{_text(self.title)}</title>",
            f"<style>\n{self._style()}</style>",
            '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse">'
            '<path class="hatch" d="M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2"/></pattern></defs>',
            f'<rect class="paper" width="{width}" height="{self._y}"/>',
        ]
        return "\n".join([*lines, *body, "</svg>", ""])

    # --- above

    def _head(self) -> Iterator[str]:
        self._y += 8
        yield write(_TOP, self._y, self.title, "title")
        for line in self._lines:
            self._y += 17
            yield write(_TOP, self._y, line)
        self._y += 26
        yield from self._scale()
        self._y += 4

    # --- rows

    def _row(self, row: Row) -> Iterator[str]:
        marks = list(self._marks(row))
        self._y += self._above(row, marks)
        lanes = [lane for part in row.lanes for lane in part]
        height = max(len(lanes), 1) * _LANE
        yield write(self._left - 8, self._y + 13, self._name(row.start), "small end")
        yield f'<rect class="gap" x="{self._left}" y="{self._y}" width="{self._wide()}" height="{height}"/>'
        for low, high in row.gaps:
            title = self._gap(low, high, row.certain)
            yield self._rect("gap" if row.certain else "doubt", low - row.start, high - row.start, self._y, height, title)
        for part, own in zip(self._picture.parts, row.lanes):
            if own and len(self._picture.parts) > 1:
                x = self._left + self._wide() + 6
                yield write(x, self._y + 13, part.label[:15] + ("..." if len(part.label) > 15 else ""), "small")
            for lane in own:
                for piece in lane:
                    yield from self._piece(part, piece, row.start)
                self._y += _LANE
        if not lanes:
            self._y += _LANE
        for low, high in row.overlaps:
            title = f"{self._bytes(low, high)}: of {self._both}"
            yield self._rect("overlap", low - row.start, high - row.start, self._y - height, height, title)
        yield from self._boxes(row, self._y - height, height)
        for mark in marks:
            x = self._x(mark.byte - row.start)
            yield f'<path class="mark" d="M{x},{self._y - height - 10} V{self._y + 1}"/>'
            yield write(x - 3 if mark.is_end else x + 3, self._y - height - 3, mark.text, f"small{' end' * mark.is_end}")

    def _piece(self, part: Part, piece: Piece, start: int) -> Iterator[str]:
        one = piece.element
        basic = one.basic if one is not None else None
        name = basic.name if basic is not None else "OPAQUE"
        number = self._classes.setdefault(name, len(self._classes))
        self._sizes[name] = basic.size if basic is not None else 0
        title = self._piece_title(part, piece)
        low, high = piece.low - start, piece.high - start
        yield self._rect(f"t{number % len(_COLOURS)}", low, high, self._y, _LANE, title)
        text = "" if one is None or one.number is None else f"{one.number}"
        if text and len(text) * LETTER + 4 <= (high - low) * self._cell:
            middle = self._x(low) + (high - low) * self._cell / 2
            yield write(middle, self._y + 13, text, "small middle")

    def _piece_title(self, part: Part, piece: Piece) -> str:
        one = piece.element
        return UNKNOWN if one is None else f"{part.label}{one.long}\n{element.position(one)}"

    def _fold(self, fold: Fold) -> Iterator[str]:
        self._y += 4
        text = f"{self._fold_name(fold)}: {'nothing there' if fold.empty else 'not drawn'}"
        x, width = self._left, self._wide()
        yield f'<path class="{"tick" if fold.empty else "mark"}" d="M{x},{self._y + 4} h{width} m0,18 h{-width}"/>'
        yield write(x + width / 2, self._y + 17, text, "small middle")
        self._y += _FOLD - 4

    # --- what the rows are

    def _scale(self) -> Iterator[str]:
        """What is written above the rows."""
        raise NotImplementedError

    def _wide(self) -> int:
        """Pixels of a row."""
        raise NotImplementedError

    def _least(self) -> int:
        """Pixels that the picture needs right of the rows' names, for other text."""
        return 0

    def _x(self, byte: int) -> int:
        """Where a byte of a row begins."""
        raise NotImplementedError

    def _name(self, byte: int) -> str:
        """That of the row that begins with a byte."""
        raise NotImplementedError

    def _bytes(self, low: int, high: int) -> str:
        """Bytes low..high-1 in words."""
        return f"byte {low}" if high == low + 1 else f"bytes {low} to {high - 1}"

    def _gap(self, low: int, high: int, certain: bool) -> str:
        """The title of bytes without data."""
        return f"{self._bytes(low, high)}: {'gap' if certain else UNDECIDED}"

    def _fold_name(self, fold: Fold) -> str:
        """The rows that are left out."""
        raise NotImplementedError

    def _above(self, _row: Row, marks: List[Mark]) -> int:
        """Pixels above a row."""
        return _MARKS if marks else _ABOVE

    def _marks(self, _row: Row) -> Iterator[Mark]:
        """Boundaries in a row."""
        return iter(())

    def _boxes(self, _row: Row, _y: int, _height: int) -> Iterator[str]:
        """What is drawn over a row."""
        return iter(())

    # --- below

    def _legend(self) -> Iterator[str]:
        self._y += 16
        x = self._left
        for sign, name in self._signs():
            wide = int(34 + len(name) * LETTER)
            if x + wide > self._left + max(self._wide(), self._least()) and x > self._left:
                x, self._y = self._left, self._y + 20
            yield f'<rect class="{sign}" x="{x}" y="{self._y}" width="14" height="12"/>'
            yield write(x + 19, self._y + 10, name, "small")
            x += wide
        self._y += 28
        for line in self._remarks():
            yield write(self._left, self._y, line, "small")
            self._y += 15

    def _signs(self) -> List[Tuple[str, str]]:
        """Classes, and what they mean."""
        signs = [(f"t{number % len(_COLOURS)}", name) for name, number in self._classes.items()]
        signs = [(sign, self._legend_name(name)) for sign, name in signs]
        signs.append(("gap", self._no_data))
        if any(isinstance(row, Row) and row.overlaps for row in self._picture.rows):
            signs.append(("overlap", self._both))
        if any(isinstance(row, Row) and not row.certain for row in self._picture.rows):
            signs.append(("doubt", UNDECIDED))
        return signs

    def _legend_name(self, name: str) -> str:
        size = self._sizes[name]
        return f"{name}, {size} byte{'' if size == 1 else 's'}" if size else UNKNOWN

    def _remarks(self) -> Iterator[str]:
        picture = self._picture
        for part, drawn in zip(picture.parts, picture.drawn):
            covered = part.layout.covered()
            if covered != drawn:
                whole = "bytes that were not counted" if covered is None else f"{covered} bytes"
                yield f"drawn: {drawn} of the {whole} of {part.label}"
        yield "the numbers are those of the elements as MPI sends them"
        if picture.too_deep:
            yield "more elements than are drawn lie on the same bytes"
        if picture.undecided:
            yield "strides interleave too much: there may be elements that are not drawn"

    # --- letters and lines

    def _rect(self, sign: str, low: int, high: int, y: int, height: int, title: str) -> str:
        place = f'x="{self._x(low)}" y="{y}" width="{(high - low) * self._cell}" height="{height}"'
        return f'<rect class="{sign}" {place}><title>{_text(title)}</title></rect>'

    def _style(self) -> str:
        light = "\n".join(self._colours(0))
        dark = "\n".join(self._colours(1))
        return (
            "text { font: 12px sans-serif; white-space: pre; }\n"
            ".title { font-size: 16px; font-weight: bold; }\n"
            ".small { font: 11px monospace; }\n"
            ".end { text-anchor: end; }\n"
            ".middle { text-anchor: middle; pointer-events: none; }\n"
            ".gap { stroke-width: 1; }\n"
            ".overlap { fill: url(#hatch); stroke-width: 1.5; }\n"
            ".hatch, .tick, .mark, .doubt { fill: none; }\n"
            f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
        )

    def _colours(self, dark: int) -> Iterator[str]:
        ink, line = _INK[dark], LINE[dark]
        yield f".paper {{ fill: {_PAPER[dark]}; }}"
        yield f"text {{ fill: {ink}; }}"
        yield f".gap {{ fill: {_FAINT[dark]}; stroke: {_PAPER[dark]}; }}"
        yield f".overlap, .hatch {{ stroke: {OVERLAP[dark]}; }}"
        yield f".tick, .doubt {{ stroke: {line}; stroke-dasharray: 2 2; }}"
        yield f".mark {{ stroke: {ink}; }}"
        for number in range(min(len(self._classes), len(_COLOURS))):
            yield f".t{number} {{ fill: {_COLOURS[number][dark]}; stroke: {_PAPER[dark]}; }}"


class BytesSvg(Svg):
    """Rows of bytes: a byte is counted from the first part's address, or is an address."""

    def __init__(self, picture: Picture, title: str, lines: List[str], addresses: bool) -> None:
        """addresses: rows are labelled with addresses, else with displacements."""
        super().__init__(picture, title, lines, max(_BYTES_WIDE // picture.width, 6))
        self._unit = picture.unit
        self._addresses = addresses
        if addresses:
            self._both = "both"

    def _scale(self) -> Iterator[str]:
        width = self._picture.width
        step = self._unit if self._unit and self._unit * 4 <= width else 4
        while step * self._cell < 40:
            step *= 2
        for byte in range(0, width, step):
            yield write(self._x(byte) + 1, self._y, f"+{byte}", "small")
            yield f'<path class="tick" d="M{self._x(byte)},{self._y - 8} v12"/>'

    def _wide(self) -> int:
        return self._picture.width * self._cell

    def _x(self, byte: int) -> int:
        return self._left + byte * self._cell

    def _name(self, byte: int) -> str:
        if self._addresses:
            return f"0x{(self._picture.origin + byte) % (1 << 64):x}"
        return f"{byte}"

    def _gap(self, low: int, high: int, certain: bool) -> str:
        return f"{self._bytes(low, high)}: of no buffer" if self._addresses and certain else super()._gap(low, high, certain)

    def _piece_title(self, part: Part, piece: Piece) -> str:
        title = super()._piece_title(part, piece)
        return f"{title}\nat 0x{piece.element.address:x}" if self._addresses and piece.element is not None else title

    def _fold_name(self, fold: Fold) -> str:
        rows = (fold.high - fold.low) // self._picture.width
        return f"{rows} rows, {self._name(fold.low)} to {self._name(fold.high - 1)}"

    def _marks(self, row: Row) -> Iterator[Mark]:
        """lb and ub of the type; for several, where each begins."""
        parts = self._picture.parts
        of, count = parts[0].type, parts[0].count
        if len(parts) > 1 or of.lb is None or of.ub is None or of.extent is None or count == 0:
            return
        stop = row.start + self._picture.width
        if count is None:
            marks = [Mark(of.lb, "lb", False), Mark(of.ub, "ub", True)]
        elif abs(of.extent) * self._cell < 26:
            return
        else:
            ends = sorted(((row.start - of.lb) // of.extent, (stop - of.lb) // of.extent))
            each = range(max(ends[0], 0), min(ends[1] + 2, count))
            marks = [Mark(of.lb + number * of.extent, f"{{{number}}}", False) for number in each]
        for mark in marks:
            if row.start < mark.byte <= stop if mark.is_end else row.start <= mark.byte < stop:
                yield mark


def write(x: float, y: int, text: str, sign: str = "") -> str:
    """A line of text; sign: its class."""
    kind = f' class="{sign}"' if sign else ""
    return f'<text{kind} x="{x:g}" y="{y}">{_text(text)}</text>'


def _text(text: str) -> str:
    return html.escape(_NOT_XML.sub("\ufffd", _mpipp.visible(text, lines=True)), quote=False)
