# SPDX-License-Identifier: BSD-3-Clause
"""What our values name: a type, a list of its constructor, a place in a buffer.

Such a value contains a number. The object with that number is kept here, once for all values that name it, as long as
gdb runs, because the value history may contain the value.
"""

from typing import Dict, Hashable, List, NamedTuple, Tuple

import gdb

from . import _mpipp, synth
from .call_parts import Part
from .rank import Rank, ranks

GONE = "the type is not in memory any more"


class Node(NamedTuple):
    """A recorded type, by its serial, which is never used again: MPI may return its handle again at once."""

    rank: int
    ordinal: int
    serial: int

    def find(self) -> "Tuple[Rank, _mpipp.Type]":
        """The type and its rank. Raises gdb.error if it is gone."""
        rank = ranks.number(self.rank)
        try:
            if rank is not None:
                return rank, rank.registry.node(self.ordinal, self.serial)
        except _mpipp.Error:
            pass
        raise gdb.error(GONE)


class List_(NamedTuple):
    """The elements first..last-1 of a type's entries, or of one of its arrays of numbers."""

    node: Node
    source: str
    first: int
    last: int


class Place(NamedTuple):
    """A place in a buffer: a type at an address, `count` times (-1: the type itself), the path down from there, and the
    children first..last-1."""

    node: Node
    address: int
    count: int
    way: Tuple[int, ...]
    first: int
    last: int


class Blocks(NamedTuple):
    """The blocks first..last-1 of a buffer for which a call has arrays of counts and displacements: the rank, the call's
    function and arguments, and which of its buffers (call_buffers.py)."""

    rank: int
    form: "_mpipp.Form"
    values: Tuple[int, ...]
    part: Part
    first: int
    last: int


NOTHING = Node(0, 0, 0)

_TAGS = frozenset(("mpipp_type", "mpipp_entries", "mpipp_numbers", "mpipp_buffer", "mpipp_members", "mpipp_blocks"))

_things: List[Hashable] = [NOTHING]
_numbers: Dict[Hashable, int] = {NOTHING: 0}


def node(rank: int, of: "_mpipp.Type") -> Node:
    """A type of the rank with this number (rank.py)."""
    return Node(rank, of.ordinal, of.serial)


def number(of: Hashable) -> int:
    """The number of an object."""
    found = _numbers.get(of)
    if found is None:
        found = _numbers[of] = len(_things)
        _things.append(of)
    return found


def value(tag: str, of: Hashable) -> gdb.Value:
    """A value of one of the structs in types/types.h that names an object."""
    return synth.pack(tag, "Q", number(of))


def thing(of: gdb.Value) -> Hashable:
    """The object that such a value names."""
    return _things[int(of["number"])]


def same(one: gdb.Value, other: gdb.Value) -> bool:
    """Whether both are such values, and name the same object."""
    return one.type.name == other.type.name and one.type.name in _TAGS and int(one["number"]) == int(other["number"])


def numbered(which: int) -> Hashable:
    """The object with this number."""
    return _things[which]
