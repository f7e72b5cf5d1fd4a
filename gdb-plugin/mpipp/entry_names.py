# SPDX-License-Identifier: BSD-3-Clause
"""The program's names for the entries of a struct datatype: {pos = {1, 2, 3}, tag = "abc"}.

An entry has the name of a member if it begins where the member begins, and ends within it. This must hold for all entries of
the datatype that have data, and what they send must be what the program has there (as `mpi compare' sees it); else they are
shown with their indices.
"""

import re
from typing import Dict, List, NamedTuple, Optional, Tuple

import gdb

from . import _mpipp, cxx_container, names
from .calls import no_calls, place_of
from .fault import EXPECTED, let_quit
from .program import OPEN, Program
from .rank import Rank
from .settings import is_fortran
from .variables import variables
from .whole_object import find_objects

_PLACES_MOST = 200  # places of the datatype that are looked at
_ENTRIES_MOST = 64
_KEPT_MOST = 256
_MASK = (1 << 64) - 1
_MANY = (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
_ALIKE = ("match", "bytes", "unknown", "not sent", "elsewhere")  # ComparedRow.finding

EntryNames = Tuple["_mpipp.EntryNames", ...]
_Span = Tuple[int, int]


class Buffer(NamedTuple):
    """What a value of a buffer shows: `count` (None: the type itself) of a type at an address."""

    node: names.Node
    address: int
    count: Optional[int]


_kept: Dict[Buffer, EntryNames] = {}


def buffer_of(rank: Rank, of: "_mpipp.Type", address: int, count: Optional[int]) -> Buffer:
    """The key of a buffer."""
    return Buffer(names.node(rank.number, of), address, count)


def of_buffer(buffer: Buffer) -> EntryNames:
    """The names that were found when the buffer was last named by an expression."""
    return _kept.get(buffer, ())


def find_by_text(buffer: Buffer, place: "_mpipp.Place", text: str) -> EntryNames:
    """Looks in the objects that the buffer's expression refers to, the largest first."""
    objects = find_objects(text, buffer.address) if _has_struct(place) else []
    found = (_all_names(place, one.program) for one in reversed(objects))
    return _keep(buffer, next((one for one in found if one), ()))


def find_by_value(buffer: Buffer, place: "_mpipp.Place", value: gdb.Value) -> EntryNames:
    """Looks in what the buffer's value is, or points to. In Fortran a struct may be the first of several: an array is passed by
    its element."""
    found: EntryNames = ()
    if is_fortran() and value.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT and value.address is not None:
        value = value.address
    try:
        if _has_struct(place):
            found = _all_names(place, Program("", value))
    except EXPECTED as error:  # a pointer to void, a number
        let_quit(error)
    return _keep(buffer, found)


def find_by_address(buffer: Buffer, place: "_mpipp.Place") -> EntryNames:
    """Looks in the variables of the selected thread's stack, and in the global ones of their files."""
    return _keep(buffer, _in_variables(buffer.address, place) if _has_struct(place) else ())


def _in_variables(address: int, place: "_mpipp.Place") -> EntryNames:
    with no_calls():
        for one in variables():
            try:
                if _may_be_struct(one.symbol.type) and _refers_to(one.value(), address):
                    found = _all_names(place, Program("", one.value()))
                    if found:
                        return found
            except EXPECTED as error:  # optimised away, or without a length
                let_quit(error)
    return ()


def _may_be_struct(of: gdb.Type) -> bool:
    """Whether it is a struct, or an array of some or a pointer to some."""
    of = of.strip_typedefs()
    while of.code in _MANY:
        of = of.target().strip_typedefs()
    return of.code == gdb.TYPE_CODE_STRUCT


def _refers_to(value: gdb.Value, address: int) -> bool:
    """Whether an address is in a variable, or in what a reference names, or what a pointer points to begins there."""
    of = value.type.strip_typedefs()
    if of.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        value = value.referenced_value()
        of = value.type.strip_typedefs()
    if of.code == gdb.TYPE_CODE_PTR:
        return int(value) & _MASK == address
    elements = cxx_container.elements(value)
    if elements is not None:
        return int(elements.first) & _MASK == address
    start = place_of(value)
    return start is not None and start <= address < start + of.sizeof


def names_at(found: EntryNames, place: "_mpipp.Place") -> Optional[Tuple[Optional[str], ...]]:
    """The names for the entries of the struct at this place; None if it has none."""
    for of, origin, levels, entries in found:
        if of.ordinal == place.type.ordinal and _is_at(origin, levels, place.address):
            return entries
    return None


def _is_at(origin: int, levels: Tuple[Tuple[int, int], ...], address: int) -> bool:
    """Like is_at() of render/names.c."""
    rest = address - origin
    for count, stride in levels:
        index = rest // stride if stride > 0 else 0
        if index < 0 or 0 <= count <= index:
            return False
        rest -= index * stride
    return rest == 0


def _keep(buffer: Buffer, found: EntryNames) -> EntryNames:
    _kept.pop(buffer, None)
    if found:
        if len(_kept) >= _KEPT_MOST:
            del _kept[next(iter(_kept))]
        _kept[buffer] = found
    return found


def _has_struct(place: "_mpipp.Place") -> bool:
    return any(True for _ in _structs(place))


def _structs(place: "_mpipp.Place") -> "List[_mpipp.Place]":
    """The first place of each struct in the datatype's tree."""
    found: "Dict[int, _mpipp.Place]" = {}
    todo = [place]
    for _ in range(_PLACES_MOST):
        if not todo:
            break
        at = todo.pop()
        if at.leaf is not None or at.opaque or len(at) == 0 or at.run is not None:
            continue
        if not at.struct:
            todo.append(at.child(0))
        elif at.type.ordinal not in found and len(at) <= _ENTRIES_MOST:
            found[at.type.ordinal] = at
            todo += [at.child(index) for index in range(len(at))]
    return list(found.values())


def _all_names(place: "_mpipp.Place", program: Program) -> EntryNames:
    found = [_names_of(at, program) for at in _structs(place)]
    return tuple(one for one in found if one is not None)


def _names_of(place: "_mpipp.Place", program: Program) -> "Optional[_mpipp.EntryNames]":
    """The names for the entries of this struct, and of the same struct in other elements of the program's arrays."""
    if program.address is None or not program.packed:
        return None
    spans = [_span(place.child(index), program.address) for index in range(len(place))]
    known = [span for span in spans if span is not None]
    if not known:
        return None
    first, last = min(low for low, _ in known), max(high for _, high in known)
    field, start, levels, shift = 0, 0, [], 0
    while True:
        kind, below, _, size, dims = program.fields[field]
        for length, stride in dims:
            index = (first - start) // stride if stride > 0 else 0
            if index < 0 or length not in (OPEN, 0) and index >= length:
                return None
            levels.append((-1 if length == OPEN else length, stride))
            start += index * stride
            shift += index * stride
        if kind != "group" or not start <= first <= last <= start + size:
            return None
        inside = list(program.children(field, below))
        entries = _fit(program, inside, spans, start)
        if entries is not None:
            if not _has_these_types(place, program):
                return None
            return place.type, (place.address - shift) & _MASK, tuple(levels), entries
        inner = [child for child in inside if program.holds(child, first - start)]
        if not inner:
            return None
        field = inner[0]
        start += program.fields[field][2]


def _has_these_types(place: "_mpipp.Place", program: Program) -> bool:
    """Whether the elements of a struct are like the program's at the same bytes; signed and unsigned integers are alike."""
    start = (place.address - (program.address or 0)) & _MASK
    start -= _MASK + 1 if start > _MASK >> 1 else 0
    try:
        rows = _mpipp.compare(place.type, program.fields, 1, program.address or 0, start).rows
    except _mpipp.Error:  # more than it can compare
        return False
    return all(row.finding in _ALIKE or row.why == "sign" for row in rows)


def _span(place: "_mpipp.Place", base: int) -> Optional[_Span]:
    """The bytes of an entry, counted from the object; None: it has no data."""
    if place.opaque or len(place) == 0 and place.leaf is None:
        return None
    ends = (place, place) if place.leaf is not None else (place.child(0), place.child(len(place) - 1))
    low, high = (_bounds(end) for end in ends)
    if low is None or high is None:
        return None
    return ends[0].address - base + low[0], ends[1].address - base + high[1]


def _bounds(place: "_mpipp.Place") -> Optional[_Span]:
    """The first byte of a place and the one after its last, counted from its address; None: it has no data."""
    leaf = place.leaf
    if leaf is not None:
        return None if leaf.class_ == "marker" else (0, leaf.size)
    low, high = place.type.true_lb, place.type.true_ub
    return None if low is None or high is None or low == high else (low, high)


def _fit(
    program: Program, inside: List[int], spans: List[Optional[_Span]], start: int
) -> Optional[Tuple[Optional[str], ...]]:
    """The name of a member for each entry (None: without data); None: they are not members of this struct."""
    entries = [None if span is None else _member(program, inside, span, start) for span in spans]
    given = [name for name, span in zip(entries, spans) if span is not None]
    return tuple(entries) if None not in given and len(set(given)) == len(given) else None


def _member(program: Program, inside: List[int], span: _Span, start: int) -> Optional[str]:
    """ "pos"; "pos.x" for an entry that is only a part of pos."""
    for child in inside:
        kind, below, offset, size, dims = program.fields[child]
        low = start + offset
        is_open = bool(dims) and dims[0][0] == OPEN
        if not low <= span[0] <= span[1] <= low + (dims[0][0] * dims[0][1] if dims else size) and not (is_open and low <= span[0]):
            continue
        label = program.labels[child].name
        if kind == "group" and not dims and span != (low, low + size):
            member = _member(program, list(program.children(child, below)), span, low)
            if member is None or not label or label.endswith("::"):
                return member
            return f"{label.lstrip('.%')}{'%' if program.fortran else '.'}{member}"
        name = label.lstrip(".%")
        return name if low == span[0] and re.fullmatch(r"\w+", name) else None
    return None
