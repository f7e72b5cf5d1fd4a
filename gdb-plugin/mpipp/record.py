# SPDX-License-Identifier: BSD-3-Clause
"""A recorded type as a value: the struct of its kind in types/types.h, filled in by the names of its members."""

import array
import re
import struct
from typing import Callable, Iterator, List, Tuple

import gdb

from . import _mpipp, names, site, synth
from .fault import let_quit
from .rank import Rank
from .settings import values_of

# For each kind the names of its numbers and of its arrays. (An OPAQUE one is shown as UNKNOWN.)
_KINDS = {kind: row for kind, row in _mpipp.COMBINERS.items() if kind not in ("NAMED", "OPAQUE")}

# Lists up to these lengths are members of array types (types/types.h: MPIPP_SHORT, MPIPP_GRID).
_SHORT = {kind: 8 if "ndims" in numbers else 64 for kind, (numbers, arrays) in _KINDS.items() if arrays}

# The struct of one entry.
ENTRY = {kind: f"mpipp_{kind.lower()}_entry" for kind, (_, arrays) in _KINDS.items() if "lengths" in arrays}

_NO_KINDS = ("PREDEFINED", "OPAQUE", "FREED", "UNKNOWN", "GONE")
_RECORD = re.compile(f"mpipp_(named_)?({'|'.join(name.lower() for name in (*_KINDS, *_NO_KINDS))})(_[0-9]+)?")
_CODES = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_TYPEDEF)

PREDEFINED = "mpipp_predefined"
UNKNOWN = "mpipp_unknown"

_ARRAYS = frozenset(name.replace("_bytes", "") for _, arrays in _KINDS.values() for name in arrays)

ELIDED = "not kept: the type was too large when it was freed"
OPEN = -(1 << 63)  # left open by the program (types/types.h: mpipp_open)
_CHUNK = 4096  # elements of a list that are decoded at once


def of_type(rank: int, of: "_mpipp.Type", handle: int) -> gdb.Value:
    """The type as the constructor that built it. rank: its number in rank.py."""
    return _pack(tag_of(of), names.node(rank, of), lambda name: _member(rank, of, handle, name))


def tag_of(of: "_mpipp.Type") -> str:
    """The name of the struct that of_type() makes."""
    if of.kind == "NAMED":
        return PREDEFINED
    tag = "mpipp_named_" if of.name else "mpipp_"
    tag += of.kind.lower() if of.kind in _KINDS else "opaque"
    return f"{tag}_{of.entries}" if _is_short(of) else tag


def kind_of(of: "_mpipp.Type") -> gdb.Value:
    """The member `kind' of that struct."""
    return synth.types().constant("mpipp_kind", _kind_name(of))


def unknown(handle: int) -> gdb.Value:
    """{kind = UNKNOWN, handle = 0x12345}"""
    members = {"kind": _kind("UNKNOWN"), "handle": _number(handle, "Q")}
    return _pack(UNKNOWN, names.NOTHING, members.__getitem__)


def freed(rank: Rank, of: "_mpipp.Type") -> gdb.Value:
    """{kind = FREED, freed_at = "halo.c:77", was = {...}}"""
    was = names.node(rank.number, of)
    members = {
        "kind": _kind("FREED"),
        "freed_at": synth.fitting(site.text(of.freed_at, site.FREE)),
        "was": _number(names.number(was)),
    }
    return _pack("mpipp_freed", was, members.__getitem__)


def gone() -> gdb.Value:
    """The value for a type, or a process, that does not exist any more."""
    members = {"kind": _kind("UNKNOWN"), "error": f"<{names.GONE}>".encode()}
    return _pack("mpipp_gone", names.NOTHING, members.__getitem__)


def plain(value: gdb.Value) -> gdb.Value:
    """The struct itself, which gdb writes."""
    return value.cast(value.type.strip_typedefs())


def is_record(of: gdb.Type) -> bool:
    """Whether this is the struct of a kind, or its typedef."""
    return of.code in _CODES and _RECORD.fullmatch(of.name or "") is not None


def names_type(of: gdb.Type) -> bool:
    """Whether values of this type name a recorded type, for owner()."""
    return is_record(of) or (of.code == gdb.TYPE_CODE_STRUCT and of.name == "mpipp_type")


def owner(value: gdb.Value) -> "Tuple[Rank, _mpipp.Type]":
    """The type that such a value names, and its rank. Raises gdb.error if it is gone."""
    if value.type.name == "mpipp_type":
        found = names.thing(value)
    else:
        found = names.numbered(int(value.cast(synth.types().words(value.type.sizeof))[0]))
    assert isinstance(found, names.Node)
    return found.find()


def pairs(of: "_mpipp.Type", start: int, stop: int) -> Iterator[Tuple[int, int, int]]:
    """(index, length, offset) of the entries start..stop-1, read only as far as they are used."""
    for first in range(start, stop, _CHUNK):
        last = min(first + _CHUNK, stop)
        lengths = array.array("q", of.array("lengths", first, last))
        offsets = array.array("q", of.array("offsets", first, last))
        yield from zip(range(first, last), lengths, offsets)


def list_value(value: gdb.Value, member: str) -> gdb.Value:
    """An array of a kind's struct as a list that a printer unfolds; unchanged if the type is gone."""
    try:
        rank, of = owner(value)
    except gdb.error as error:
        let_quit(error)
        return value[member]
    return part(names.List_(names.node(rank.number, of), _source(member), 0, of.entries))


def part(of: names.List_) -> gdb.Value:
    """A list that a printer unfolds."""
    return names.value("mpipp_entries" if of.source == "entries" else "mpipp_numbers", of)


def elements(rank: int, of: "_mpipp.Type", source: str, start: int, stop: int) -> gdb.Value:
    """The elements start..stop-1 of a type's entries, or of one of its arrays, as a gdb array."""
    if start == stop:
        return synth.word("{}")
    known = synth.types()
    if source == "entries":
        element = known.layout(ENTRY[of.kind]).typedef
    else:
        enum = {"distribs": "mpipp_distribution", "dargs": "mpipp_darg"}.get(source)
        element = known[enum] if enum is not None else known["mpipp_scalars"]["number"].type
    data = _elements(rank, of, source, start, stop)
    with values_of(len(data)):
        return gdb.Value(data, element.array(start, stop - 1))


def _elements(rank: int, of: "_mpipp.Type", source: str, start: int, stop: int) -> bytes:
    if source == "entries":
        return _entries(rank, of, start, stop)
    numbers = array.array("q", of.array(source, start, stop))
    if source == "distribs":
        numbers = array.array("i", numbers)
    if synth.types().swapped:
        numbers.byteswap()
    return numbers.tobytes()


def _entries(rank: int, of: "_mpipp.Type", start: int, stop: int) -> bytes:
    order = synth.types().order
    if of.kind != "STRUCT":
        pair = struct.Struct(order + "qq")
        return b"".join(pair.pack(length, offset) for _, length, offset in pairs(of, start, stop))
    entry = struct.Struct(order + "qqQ")
    packed: List[bytes] = []
    for index, length, offset in pairs(of, start, stop):
        below = names.node(rank, of.entry_type(index))
        packed.append(entry.pack(length, offset, names.number(below)))
    return b"".join(packed)


def _kind_name(of: "_mpipp.Type") -> str:
    return of.kind if of.kind in _KINDS or of.kind == "NAMED" else "UNKNOWN"


def _is_short(of: "_mpipp.Type") -> bool:
    return 0 < of.entries <= _SHORT.get(of.kind, 0) and not of.elided


def _pack(tag: str, identity: names.Node, member: Callable[[str], bytes]) -> gdb.Value:
    layout = synth.types().layout(tag)
    data = bytearray(layout.type.sizeof)
    data[:8] = _number(names.number(identity))
    for name, at in zip(layout.names, layout.offsets):
        filling = member(name)
        data[at : at + len(filling)] = filling
    with values_of(len(data)):
        return gdb.Value(bytes(data), layout.typedef)


def _member(rank: int, of: "_mpipp.Type", handle: int, name: str) -> bytes:
    """A member of a type's struct, by its name there."""
    if name == "kind":
        return _kind(_kind_name(of))
    if name == "name":
        return synth.fitting(of.name or f"0x{handle:x}")
    if name == "handle":
        return _number(handle, "Q")
    if name == "type":
        return _number(names.number(names.node(rank, of.base) if of.base is not None else names.NOTHING))
    if name == "order":
        return _number(of.member("order"), "i")
    source = _source(name)
    if source == "entries" or source in _ARRAYS:
        if _is_short(of):
            return _elements(rank, of, source, 0, of.entries)
        return _number(names.number(names.List_(names.node(rank, of), source, 0, of.entries)))
    value = of.member(source) if of.kind in _KINDS else getattr(of, source)
    return _number(OPEN if value is None else value)


def _source(member: str) -> str:
    """The core's name of a member."""
    return member[: -len("_bytes")] if member.endswith("_bytes") else member


def _number(value: int, letter: str = "q") -> bytes:
    return struct.pack(synth.types().order + letter, value)


def _kind(name: str) -> bytes:
    return _number(synth.types().enumerator("mpipp_kind", name), "i")
