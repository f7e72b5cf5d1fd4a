# SPDX-License-Identifier: BSD-3-Clause
"""Lists of any length: what gdb prints of them, and what a frontend unfolds.

A frontend may ask for all children at once, and gdb makes a variable of each child before the ones it asks for. So no
list has more than CHILDREN: a longer one unfolds into groups of 1000, 10^6, ... elements, named by their indices,
"[0..999]", which unfold in the same way. Nothing is read for a group.
"""

import itertools
import sys
from typing import Callable, Iterable, List, NamedTuple, Optional, Sequence, Tuple

import gdb

from .. import _mpipp
from ..fault import EXPECTED, let_quit
from ..settings import UNLIMITED, PrintSettings, cut_list, enclosed, print_settings
from .base import Child, Text, Unfolding, error_value, has_data, remark

CHILDREN = 1000

_PARTLY = 10000  # elements that are tried one by one if a list cannot be read
_BRIEF = 20  # of these in a row of a frontend


class Source(NamedTuple):
    """The source of a list. Indices count from the list's start, also in a part of it."""

    length: int
    block: int
    """how many elements to make at once"""
    values: Callable[[int, int], List[gdb.Value]]
    """the elements start..stop-1"""
    part: Callable[[int, int], gdb.Value]
    """the same as one value, whose printer is a Listing"""
    shape: str
    """the common type of the elements"""
    text: Callable[[], Text]
    """the text of all of it; may raise the exceptions in EXPECTED"""
    label: Optional[Callable[[int], str]] = None
    """the name of an element; None: its index"""


class Range(NamedTuple):
    """The elements first..last-1 of a list."""

    source: Source
    first: int
    last: int

    @property
    def step(self) -> int:
        """How many elements a child represents: 1, 1000, 10^6, ..."""
        return step_of(self.last - self.first)


class Members(Unfolding):
    """A list with its indices: {[0] = ..., [1] = ...}"""

    def __init__(self, value: gdb.Value, open_: Callable[[gdb.Value], Range]) -> None:
        """open_: finds what the value names, when it is needed."""
        super().__init__()
        self._value = value
        self._open = open_
        self._opened: Optional[Range] = None
        self._block: Tuple[int, List[gdb.Value]] = (0, [])

    def _count(self) -> int:
        _, first, last = self._range()
        return -(-(last - first) // self._range().step)

    def _child(self, index: int) -> Child:
        source, first, last = self._range()
        step = self._range().step
        start = first + index * step
        if step > 1:
            stop = min(start + step, last)
            return f"[{start}..{stop - 1}]", source.part(start, stop)
        return self._name(start), self._element(start)

    def _name(self, index: int) -> str:
        label = self._range().source.label
        return f"[{index}]" if label is None else label(index)

    def _range(self) -> Range:
        if self._opened is None:
            self._opened = self._open(self._value)
        return self._opened

    def _names(self) -> Sequence[str]:
        self._block = (0, [])
        source, first, _ = self._range()
        return (f"{source.shape} from {first} by {self._range().step}",)

    def _text(self) -> Text:
        try:
            source, first, last = self._range()
            if last - first < source.length:
                return enclosed("...")
            return source.text()
        except EXPECTED as error:
            let_quit(error)
            return self._text_of_each() if self._begins(error) else remark(error)

    def _begins(self, error: Exception) -> bool:
        """Whether there is at least a first element. error: why the list cannot be read to its end."""
        if print_settings().brief and isinstance(error, _mpipp.Unreadable) and not has_data(error.partial or ""):
            return False
        try:
            source, first, _ = self._range()
            return source.block == 1 or source.values(first, first + 1)[0].type.name != "mpipp_word"
        except EXPECTED as other:
            let_quit(other)
            return False

    def _text_of_each(self) -> str:
        """The text of a list that cannot be read as a whole: of a run up to the unreadable element, of places all."""
        source, _, last = self._range()
        settings = print_settings()
        texts: List[str] = []
        most = _PARTLY if source.block > 1 or settings.elements == UNLIMITED else settings.elements + 1
        if settings.brief:
            most = min(most, _BRIEF)
        for index in range(min(last, most)):
            value = self._element(index)
            texts.append(self._label(index) + _shown(value, settings))
            if source.block > 1 and value.type.name == "mpipp_word":
                break
        shown, are_all = folded(texts, settings)
        return enclosed(cut_list(shown, are_all and len(texts) == last), bool(self._label(0)))

    def _label(self, index: int) -> str:
        return f"{self._name(index)} = "

    def _element(self, index: int) -> gdb.Value:
        at, block = self._block
        if not at <= index < at + len(block):
            source, first, last = self._range()
            # gdb asks for the first child of every list that it shows, and for others only when a list is unfolded.
            size = source.block if index > first else 1
            self._block = at, block = index, _read(source, index, min(index + size, last))
        return block[index - at]


class Listing(Members):
    """The same without indices: {..., ...}"""

    def _hint(self) -> str:
        return "array"

    def _label(self, index: int) -> str:
        return "" if self._range().source.label is None else super()._label(index)


def step_of(length: int) -> int:
    """How many elements a child represents in a list of this length: 1, 1000, 10^6, ..."""
    step = 1
    while step * CHILDREN < length:
        step *= CHILDREN
    return step


def _read(source: Source, start: int, stop: int) -> List[gdb.Value]:
    """The elements start..stop-1; unreadable ones become remarks."""
    try:
        return source.values(start, stop)
    except EXPECTED as error:
        let_quit(error)
        if stop - start == 1:
            return [error_value(error)]
    return [_read(source, index, index + 1)[0] for index in range(start, stop)]


def folded(texts: Iterable[str], settings: PrintSettings) -> Tuple[List[str], bool]:
    """The elements of an array as gdb writes them: equal neighbours are counted, and `print elements' limits their number.
    Returns also whether these are all."""
    shown: List[str] = []
    room = sys.maxsize if settings.elements == UNLIMITED else settings.elements
    for text, equal in itertools.groupby(texts):
        count = sum(1 for _ in equal)
        is_counted = count > settings.repeats != UNLIMITED
        weight = settings.repeats if is_counted else count  # like gdb
        if room == 0 or (weight > room and not is_counted):
            return shown + [text] * room, False
        shown += [f"{text} <repeats {count} times>"] if is_counted else [text] * count
        room = max(room - weight, 0)
    return shown, True


def _shown(value: gdb.Value, settings: PrintSettings) -> str:
    """A value's text; a remark if it cannot be read."""
    try:
        return value.format_string(**settings.options())
    except EXPECTED as error:
        let_quit(error)
        return remark(error)

