# SPDX-License-Identifier: BSD-3-Clause
"""Which values are MPI_Datatype handles, and what they mean."""

from itertools import islice
from typing import Callable, Dict, Iterator, List, Optional, Tuple

import gdb

from . import predefined
from .rank import Rank
from .settings import is_fortran

# Where the search through typedefs ends: at MPI's own name, or at the types of $mpi_type() and $MPI_INT.
_VARIABLES = "mpipp_handle"
TYPEDEFS = frozenset(("MPI_Datatype", _VARIABLES, "mpipp_int_handle"))

OPENMPI_STRUCT = "ompi_datatype_t"
FORTRAN_STRUCT = "mpi_datatype"  # type(MPI_Datatype) of mpi_f08, whose only member is MPI_VAL
FORTRAN_MEMBER = "mpi_val"

_REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
_GROUPS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
_INTEGERS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL)

_ELEMENTS_MOST = 64  # of an array
_DEPTH_MOST = 6  # members of members
_FIELDS_MOST = 512  # of all structs within a value, base classes included


def is_handle(of: gdb.Type) -> bool:
    """Whether gdb should show a value of this type as a datatype; looks through typedefs, const, volatile and references."""
    while True:
        code = of.code
        if code == gdb.TYPE_CODE_TYPEDEF:
            if of.name in TYPEDEFS:
                return True
            of = of.target()
        elif code in _REFERENCES:
            of = of.target()
        elif code == gdb.TYPE_CODE_PTR:
            target = of.target().strip_typedefs()
            return target.code == gdb.TYPE_CODE_STRUCT and target.name == OPENMPI_STRUCT
        else:
            return is_fortran_handle(of)


def is_fortran_handle(of: gdb.Type) -> bool:
    """Whether this is mpi_f08's type(MPI_Datatype)."""
    return of.code == gdb.TYPE_CODE_STRUCT and (of.name or "").lower() == FORTRAN_STRUCT


def handle_in(rank: Rank, value: gdb.Value) -> Optional[int]:
    """The handle in an integer, a pointer, a Fortran handle, or a struct or class that holds a single one, in the registry's
    form; None for another type.

    Open MPI: an INTEGER that is no known address is taken as a Fortran index. $MPI_INT is that of this rank, whichever
    rank it was set for. Raises gdb.error if the value cannot be read."""
    if value.type.code in _REFERENCES:
        value = value.referenced_value()
    of = value.type.strip_typedefs()
    code = of.code
    if code == gdb.TYPE_CODE_PTR:
        handle = rank.mask(int(value))
        if value.type.name == _VARIABLES and rank.registry.find(handle)[0] == "unknown":
            return predefined.in_rank(rank, handle) or handle
        return handle
    if code in _INTEGERS:
        handle = rank.mask(int(value))
        if rank.registry.handle_bytes > 4 and rank.registry.find(handle)[0] == "unknown":
            return rank.from_fortran(int(value)) or handle
        return handle
    if is_fortran_handle(of):
        index = int(value[of.fields()[0]])
        return rank.from_fortran(index) or rank.mask(index)
    held = members(value, 2)
    return handle_in(rank, held[0][1]) if len(held) == 1 else None


def members(value: gdb.Value, most: int) -> List[Tuple[str, gdb.Value]]:
    """The first handles that a struct, a class or a union of the program holds, and their paths, ".column.handle". A base
    class, or an anonymous union, is not in a path: no name needs it."""
    if value.type.code in _REFERENCES:
        value = value.referenced_value()
    if value.type.strip_typedefs().code not in _GROUPS:
        return []
    return list(islice(all_handles(value), most))


def all_handles(value: gdb.Value) -> Iterator[Tuple[str, gdb.Value]]:
    """The datatypes in a value of any type, and the paths to them: empty, "[2]", ".column.handle"."""
    return Walk(is_handle).handles(value)


def all_of(value: gdb.Value, wanted: Callable[[gdb.Type], bool]) -> Iterator[Tuple[str, gdb.Value]]:
    """The values of the wanted types in a value of any type, and the paths to them."""
    return Walk(wanted).handles(value)


class Walk:
    """Walks through the arrays and the structs within values. It remembers which structs can hold nothing that is wanted."""

    def __init__(self, wanted: Callable[[gdb.Type], bool]) -> None:
        self._wanted = wanted
        self._fields = 0
        self._known: Dict[Tuple[str, int, int], bool] = {}

    def handles(self, value: gdb.Value) -> Iterator[Tuple[str, gdb.Value]]:
        """See all_of()."""
        self._fields = 0
        return self._handles(value, 0)

    def may_hold(self, of: gdb.Type) -> bool:
        """Whether handles() can find some in values of this type."""
        return self._may_hold(of, 0)

    def _handles(self, value: gdb.Value, depth: int) -> Iterator[Tuple[str, gdb.Value]]:
        if self._wanted(value.type):
            yield "", value
            return
        of = value.type.strip_typedefs()
        if of.code == gdb.TYPE_CODE_ARRAY:
            yield from self._elements(value, of, depth)
        elif self._may_hold(of, depth):
            yield from self._fields_of(value, of, depth)

    def _elements(self, value: gdb.Value, of: gdb.Type, depth: int) -> Iterator[Tuple[str, gdb.Value]]:
        if not self._may_hold(of.target(), depth):
            return
        first, last = of.range()
        for index in range(first, min(last, first + _ELEMENTS_MOST - 1) + 1):
            for path, held in self._handles(value[index], depth):
                yield (f"({index})" if is_fortran() else f"[{index}]") + path, held

    def _may_hold(self, of: gdb.Type, depth: int) -> bool:
        """Whether values of a type can hold some, as deep as a walk goes."""
        if self._wanted(of):
            return True
        of = of.strip_typedefs()
        if of.code == gdb.TYPE_CODE_ARRAY:
            return self._may_hold(of.target(), depth)
        if of.code not in _GROUPS or depth >= _DEPTH_MOST:
            return False
        key = (of.name or "", of.sizeof, depth)
        if key in self._known:
            return self._known[key]
        found = any(hasattr(field, "bitpos") and self._may_hold(field.type, depth + 1) for field in of.fields())
        if of.name:
            self._known[key] = found
        return found

    def _fields_of(self, value: gdb.Value, of: gdb.Type, depth: int) -> Iterator[Tuple[str, gdb.Value]]:
        for field in of.fields():
            self._fields += 1
            if self._fields > _FIELDS_MOST:
                return
            if not hasattr(field, "bitpos"):  # a static member
                continue
            is_named = field.name and not field.is_base_class
            for path, held in self._handles(value[field], depth + 1):
                yield ("%" if is_fortran() else ".") * bool(is_named) + (field.name if is_named else "") + path, held


def other_handle(rank: Rank, value: gdb.Value) -> Optional[int]:
    """The handle for an integer as a Fortran index, if the integer is the handle of another type as well. (Open MPI: possible
    in a program with fixed addresses.)"""
    if value.type.code in _REFERENCES:
        value = value.referenced_value()
    of = value.type
    if of.code != gdb.TYPE_CODE_INT or rank.registry.handle_bytes == 4 or is_handle(of):
        return None
    handle = rank.mask(int(value))
    other = rank.from_fortran(int(value))
    known = rank.registry.find(handle)[0] != "unknown"
    return other if known and other is not None and other != handle else None
