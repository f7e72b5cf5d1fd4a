# SPDX-License-Identifier: BSD-3-Clause
"""A buffer as a value: a place of the expanded type-tree and its children.

The value names the place by its root and the path down (names.py), so it keeps no type alive. Elements are values of the
native type: gdb formats them with any format letter, and those of short runs can be assigned to.
"""

from typing import Callable, List, NamedTuple, Optional, Sequence, Tuple

import gdb

from .. import _mpipp, names, native, pages, synth
from ..entry_names import EntryNames, buffer_of, names_at, of_buffer
from ..rank import Rank
from ..settings import PrintSettings, enclosed, is_fortran, largest_value, print_settings, shows_stages
from .base import Printer, Text, error_value
from .listing import CHILDREN, Listing, Members, Range, Source

OPAQUE = "<unknown>"  # the same word as the core's

_BLOCK = 250  # elements of a run per read

Way = Tuple[int, ...]

_WHOLE = -1  # no count: the type itself


class Root(NamedTuple):
    """The root of the places of a buffer."""

    rank: Rank
    type: "_mpipp.Type"
    address: int
    count: Optional[int]

    def names(self) -> EntryNames:
        """The program's names for the entries of structs."""
        return of_buffer(buffer_of(*self))

    def place(self, way: Way) -> "_mpipp.Place":
        """A place below."""
        place = _mpipp.Place(self.type, self.address, self.count)
        for index in way:
            place = place.child(index)
        return place


def buffer_value(rank: Rank, of: "_mpipp.Type", address: int, count: int) -> gdb.Value:
    """`count` of a type as a value. Its type does not depend on the arguments: a frontend evaluates one expression again
    and again."""
    root = Root(rank, of, address, count)
    return _part(root, (), root.place(()), 0, count)


def history_value(rank: Rank, of: "_mpipp.Type", address: int, count: Optional[int]) -> gdb.Value:
    """The same, or (None) one of the type itself, as a value that never changes: a short run is a real gdb array."""
    return node_value(rank, of, address, (), count)


def node_value(
    rank: Rank, of: "_mpipp.Type", address: int, way: Way, count: Optional[int] = None
) -> gdb.Value:
    """The same for a node of the expanded type-tree, at path `way` below it."""
    root = Root(rank, of, address, count)
    way, place = _folded(way, root.place(way))
    run = place.run
    if run is None or not 0 < len(place) <= CHILDREN or len(place) * _bytes_shown(run[0]) > largest_value():
        return _value(root, way, place)
    in_memory = _in_memory(rank, place)
    if in_memory is not None:
        return in_memory
    try:
        return native.values(run[0], place.gather(rank.read, 0, len(place)), len(place), True)
    except _mpipp.Unreadable:
        return _value(root, way, place)


def buffer_text(place: "_mpipp.Place", rank: Rank, settings: PrintSettings, entries: EntryNames = ()) -> str:
    """The text of a place, written by the core. Raises _mpipp.Unreadable with the text before the unreadable element."""
    options = settings._asdict()
    letter = options.pop("format")
    return _mpipp.render(
        place,
        rank.read,
        **options,
        format_run=native.formatter(letter),
        natural=letter is None,
        fortran=is_fortran(),
        names=entries,
    )


def _value(root: Root, way: Way, place: "_mpipp.Place") -> gdb.Value:
    """A place as a value."""
    way, place = _folded(way, place)
    if place.opaque:
        return synth.word(OPAQUE)
    leaf = place.leaf
    if leaf is not None:
        return _element(root.rank, place, leaf)
    if len(place) == 0:
        return synth.word(enclosed(""))
    run = place.run
    if run is not None and run[0].class_ == "marker" and len(place) == 1:
        return synth.word(enclosed(run[0].name))  # like the core: no data, so no index
    return _part(root, way, place, 0, len(place))


def _folded(way: Way, place: "_mpipp.Place") -> "Tuple[Way, _mpipp.Place]":
    """The place that is shown in the place of this one."""
    if shows_stages():
        return way, place
    folded, stages = place.fold()
    return way + (0,) * stages, folded


def _element(rank: Rank, place: "_mpipp.Place", basic: "_mpipp.Basic") -> gdb.Value:
    in_memory = native.lvalue(basic, place.address, None) if rank.is_selected() else None
    if in_memory is not None and pages.readable(rank, place.address, basic.size):
        return in_memory
    try:
        return native.values(basic, place.gather(rank.read, 0, 1), 1, False)
    except _mpipp.Unreadable as error:
        return error_value(error)


def _in_memory(rank: Rank, place: "_mpipp.Place") -> Optional[gdb.Value]:
    """A run as an array in the rank's memory; None if it is no array, or cannot be read."""
    basic, stride = place.run
    if stride != basic.size or not rank.is_selected():
        return None
    address = place.child(0).address
    found = native.lvalue(basic, address, len(place))
    return found if found is not None and pages.readable(rank, address, len(place) * stride) else None


def _part(root: Root, way: Way, place: "_mpipp.Place", first: int, last: int) -> gdb.Value:
    """Children of a place as a value that unfolds."""
    node = names.node(root.rank.number, root.type)
    count = _WHOLE if root.count is None else root.count
    named = names.Place(node, root.address, count, way, first, last)
    return names.value("mpipp_members" if place.struct else "mpipp_buffer", named)


def _bytes_shown(basic: "_mpipp.Basic") -> int:
    return synth.TEXT_BYTES if basic.class_ == "marker" else max(basic.size, 1)


class _Children:
    """The children of a place, as a listing.Source."""

    def __init__(self, root: Root, way: Way, place: "_mpipp.Place") -> None:
        self._root = root
        self._way = way
        self._place = place

    def values(self, start: int, stop: int) -> List[gdb.Value]:
        """listing.Source"""
        place, rank = self._place, self._root.rank
        if place.run is None:
            return [_value(self._root, self._way + (index,), place.child(index)) for index in range(start, stop)]
        basic, stride = place.run
        if stop - start == 1:
            return [_element(rank, place.child(start), basic)]
        in_memory = _in_memory(rank, place) if len(place) <= CHILDREN else None
        if in_memory is not None:
            return native.items(in_memory)[start:stop]
        if stride == basic.size:
            data = rank.read(place.child(start).address, (stop - start) * stride)
        else:
            data = place.gather(rank.read, start, stop)
        return native.each(basic, data, stop - start)

    def part(self, start: int, stop: int) -> gdb.Value:
        """listing.Source"""
        return _part(self._root, self._way, self._place, start, stop)

    def text(self) -> Text:
        """listing.Source"""
        return buffer_text(self._place, self._root.rank, print_settings(), self._root.names())


def buffer_printer(value: gdb.Value) -> Printer:
    """mpipp_buffer and mpipp_members: follows the path from the root."""
    return (Members if value.type.name == "mpipp_members" else Listing)(value, _open)


def _open(value: gdb.Value) -> Range:
    named = names.thing(value)
    assert isinstance(named, names.Place)
    rank, of = named.node.find()
    root = Root(rank, of, named.address, None if named.count == _WHOLE else named.count)
    way, place = _unfolding(named.way, root.place(named.way))
    children = _Children(root, way, place)
    run = place.run
    block, shape = (1, "places") if run is None else (_BLOCK, run[0].name)
    label = None
    if place.struct:
        entries = names_at(root.names(), place) or ()
        shape, label = f"entries {entries}", _labels(entries)
    source = Source(len(place), block, children.values, children.part, shape, children.text, label)
    return Range(source, named.first, named.last if way == named.way else len(place))


def _labels(entries: Sequence[Optional[str]]) -> Callable[[int], str]:
    """Names for the entries of a struct: the program's, or their indices."""
    return lambda index: (entries[index] if index < len(entries) else None) or f"[{index}]"


def _unfolding(way: Way, place: "_mpipp.Place") -> "Tuple[Way, _mpipp.Place]":
    """The place whose children a frontend gets: one child is passed over if it unfolds itself."""
    folded_way, folded = _folded(way, place)
    return (folded_way, folded) if len(folded) > 1 else (way, place)
