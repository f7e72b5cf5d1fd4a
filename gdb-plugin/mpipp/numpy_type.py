# SPDX-License-Identifier: BSD-3-Clause
"""A datatype as a dtype of numpy: for the data that MPI sends, element by element, without gaps."""

import array
import sys
from typing import Dict, Iterator, List, NamedTuple, Tuple, Union

from . import _mpipp
from .fault import fault

# The dtype in a file's header: "<f8", or the fields of a struct, (name, dtype) or (name, dtype, shape).
Dtype = Union[str, List[Tuple[object, ...]]]

_ORDER = "<" if sys.byteorder == "little" else ">"
_LETTERS = {"signed": "i", "unsigned": "u", "logical": "i", "wchar": "u", "float": "f", "complex": "c"}
_SIZES = {"float": (2, 4, 8), "complex": (8, 16)}
# numpy's longdouble is the C compiler's; Fortran's 16 bytes may be another format.
_LONG = ("MPI_LONG_DOUBLE", "MPI_C_LONG_DOUBLE_COMPLEX", "MPI_CXX_LONG_DOUBLE_COMPLEX", "MPI_LONG_DOUBLE_INT")
_MOST_BYTES = 2**31 - 1  # of one element: numpy uses an int
_MOST_FIELDS = 100000
_MOST_NESTED = 24  # nested structs: Python reads the header with a parser that has a limit


class Elements(NamedTuple):
    """A dtype and its number of repetitions."""

    dtype: Dtype
    count: int
    size: int
    """bytes of one"""


def elements(of: "_mpipp.Type", label: str) -> Elements:
    """The elements of one `of`. A struct whose members differ is one element, with a field f0, f1, ... for each entry that
    has data; any other type is as many elements as it repeats. Raises gdb.GdbError."""
    if of.elements is None or of.size is None:
        raise fault(f"what '{label}' sends is not known, or does not lie within 64 bits")
    return _Walk(label).elements(of, 0)


class _Walk:
    """Makes the dtype of each type once."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._known: Dict[int, Elements] = {}
        self._found: Dict[int, Elements] = {}
        self._fields = 0

    def elements(self, of: "_mpipp.Type", nested: int) -> Elements:
        """The dtype of any type."""
        if of.ordinal not in self._found:
            self._found[of.ordinal] = self._make(of, nested)
        return self._found[of.ordinal]

    def _make(self, of: "_mpipp.Type", nested: int) -> Elements:
        number = of.elements or 0
        basics = _basics(of)
        if not basics:
            return Elements("|u1", 0, 1)
        if len(basics) == 1:
            basic = basics[0]
            dtype, times = _of_basic(basic)
            return Elements(dtype, number * times, (of.size or 0) // (number * times))
        while of.base is not None:
            of = of.base
        inner = self._struct(of, nested)
        return inner._replace(count=inner.count * (number // (of.elements or 1)))

    def _struct(self, of: "_mpipp.Type", nested: int) -> Elements:
        if of.ordinal not in self._known:
            if nested >= _MOST_NESTED:
                raise fault(f"'{self._label}' has more than {_MOST_NESTED} structs in one another: numpy cannot read that")
            self._known[of.ordinal] = self._make_struct(of, nested)
        return self._known[of.ordinal]

    def _make_struct(self, of: "_mpipp.Type", nested: int) -> Elements:
        fields: List[Tuple[object, ...]] = []
        for index, length in enumerate(array.array("q", of.array("lengths"))):
            below = of.entry_type(index)
            if length and below.elements:
                one = self.elements(below, nested + 1)
                count = one.count * length
                fields.append((f"f{index}", one.dtype) if count == 1 else (f"f{index}", one.dtype, (count,)))
                self._fields += 1
                if self._fields > _MOST_FIELDS:
                    raise fault(f"'{self._label}' has more than {_MOST_FIELDS} separate fields: numpy cannot read that")
        if (of.size or 0) > _MOST_BYTES:
            raise fault(f"a struct in '{self._label}' has {of.size} bytes: numpy's elements have at most {_MOST_BYTES}")
        return Elements(fields, 1, of.size or 0)


def _basics(of: "_mpipp.Type") -> List["_mpipp.Basic"]:
    """The basic types below that differ for numpy: none, one, or at most two of them."""
    found: Dict[str, _mpipp.Basic] = {}
    seen = set()
    stack: "List[Iterator[_mpipp.Type]]" = [iter((of,))]
    while stack and len(found) < 2:
        one = next(stack[-1], None)
        if one is None:
            stack.pop()
        elif one.elements and one.ordinal not in seen:
            seen.add(one.ordinal)
            if one.basic is not None:
                found[repr(_of_basic(one.basic))] = one.basic
            else:
                stack.append(iter((one.base,)) if one.base is not None else _entries(one))
    return list(found.values())


def _entries(of: "_mpipp.Type") -> "Iterator[_mpipp.Type]":
    """The types of a struct's entries, each made when it is asked for."""
    return (of.entry_type(index) for index, length in enumerate(array.array("q", of.array("lengths"))) if length)


def _of_basic(basic: "_mpipp.Basic") -> Tuple[Dtype, int]:
    """The dtype, and how many of it one element has."""
    if basic.class_ in ("byte", "packed"):
        return "|u1", basic.size
    if basic.first is not None and basic.second is not None:
        members = zip(("first", "second"), (basic.first, basic.second))
        return [(name, _scalar(basic.name, class_, size)) for name, (class_, size, _) in members], 1
    return _scalar(basic.name, basic.class_, basic.size), 1


def _scalar(name: str, class_: str, size: int) -> str:
    letter = _LETTERS.get(class_)
    if class_ == "char" and size == 1:
        return "|S1"
    if class_ == "bool" and size == 1:
        return "|b1"
    if letter is not None and (size in _SIZES.get(class_, (1, 2, 4, 8)) or name in _LONG):
        return f"{'|' if size == 1 else _ORDER}{letter}{size}"
    return f"|V{size}"  # numpy has no such number: use the bytes
