# SPDX-License-Identifier: BSD-3-Clause
"""The lists of a constructor: the entries of an (h)indexed type or a struct, offsets, sizes."""

from typing import Dict, Iterator, List, NamedTuple, Tuple

import gdb

from .. import _mpipp, names, record
from ..settings import UNLIMITED, braces, largest_value, print_settings, values_of
from .base import Printer, Text
from .listing import Listing, Range, Source, folded

_BLOCK = 250

# From so many entries on they are written here, because gdb takes 50 us for each.
_MANY = 1000
_PLAIN = {"elements": UNLIMITED, "pretty": False, "array": False, "array_indexes": False, "format": None}


def list_printer(value: gdb.Value) -> Printer:
    """mpipp_entries and mpipp_numbers: {{blocklength = 1, offset = -4, type = "MPI_LB"}, ...}, {1, 2, ...}"""
    return Listing(value, _open)


def _open(value: gdb.Value) -> Range:
    named = names.thing(value)
    assert isinstance(named, names.List_)
    rank, of = named.node.find()
    if of.elided:
        raise gdb.error(record.ELIDED)
    shape = record.ENTRY[of.kind] if named.source == "entries" else named.source
    listed = _List(rank.number, of, named)
    source = Source(of.entries, _BLOCK, listed.values, listed.part, shape, listed.text)
    return Range(source, named.first, named.last)


class _List(NamedTuple):
    """One list of a type's constructor."""

    rank: int
    of: "_mpipp.Type"
    named: names.List_

    def values(self, start: int, stop: int) -> List[gdb.Value]:
        """listing.Source"""
        elements = self._array(start, stop)
        return [elements[index] for index in range(start, stop)]

    def part(self, start: int, stop: int) -> gdb.Value:
        """listing.Source"""
        return record.part(self.named._replace(first=start, last=stop))

    def text(self) -> Text:
        """listing.Source: an array, which gdb writes with all its settings."""
        settings = print_settings()
        count = self.of.entries
        if settings.elements != UNLIMITED:
            count = min(count, settings.elements + 1)  # so that gdb writes "..."
        is_plain = settings == settings._replace(**_PLAIN) and braces()
        if self.named.source == "entries" and count >= _MANY and is_plain:
            return "{" + ", ".join(folded(self._texts(count), settings)[0]) + "}"
        value = self._array(0, count)
        size = value.type.sizeof
        if size <= largest_value():
            return value
        with values_of(size):
            return value.format_string(**settings.options())

    def _array(self, start: int, stop: int) -> gdb.Value:
        return record.elements(self.rank, self.of, self.named.source, start, stop)

    def _texts(self, count: int) -> Iterator[str]:
        of = self.of
        pairs = record.pairs(of, 0, count)
        if of.kind != "STRUCT":
            offset_name = "offset" if of.kind == "INDEXED" else "offset_bytes"
            yield from (f"{{blocklength = {length}, {offset_name} = {offset}}}" for _, length, offset in pairs)
            return
        below: Dict[Tuple[int, int], str] = {}
        for index, length, offset in pairs:
            base = of.entry_type(index)
            key = (base.ordinal, base.serial)
            if key not in below:
                below[key] = names.value("mpipp_type", names.node(self.rank, base)).format_string()
            yield f"{{blocklength = {length}, offset = {offset}, type = {below[key]}}}"
