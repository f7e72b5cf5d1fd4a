# SPDX-License-Identifier: BSD-3-Clause
"""MPI's basic types as gdb types, so that gdb itself formats them, and a frontend can unfold them."""

from typing import Callable, Dict, List, Optional

import gdb

from . import _mpipp, synth
from .settings import core_language, enclosed, is_fortran, values_of

# Classes that are shown as bytes: no C type describes them.
_BYTES = frozenset(("byte", "packed", "raw"))

_SCALARS = {
    ("char", 1): "char1",
    ("wchar", 4): "wchar4",
    ("bool", 1): "bool1",
    ("float", 2): "float2",
    ("float", 4): "float4",
    ("float", 8): "float8",
    ("float", 16): "float16",
    ("complex", 8): "complex8",
    ("complex", 16): "complex16",
    ("complex", 32): "complex32",
}

# Fortran's quadruple precision is IEEE's; C's long double on x86 is not.
_QUADS = {"MPI_REAL16": "quad16", "MPI_COMPLEX32": "quad32"}

_PAIRS = (
    "mpipp_float_int",
    "mpipp_double_int",
    "mpipp_long_double_int",
    "mpipp_short_int",
    "mpipp_int_int",
    "mpipp_long_int",
    "mpipp_long_long",
    "mpipp_float_float",
    "mpipp_double_double",
    "mpipp_complex_complex",
    "mpipp_double_complex_double_complex",
)

FormatRun = Callable[["_mpipp.Basic", bytes, int, bool], str]


def integer(size: int, signed: bool) -> Optional[gdb.Type]:
    """An integer type that is shown as a number, even with one byte."""
    try:
        return gdb.selected_inferior().architecture().integer_type(8 * size, signed)
    except (ValueError, gdb.error):
        return None


def element_type(basic: "_mpipp.Basic") -> gdb.Type:
    """The gdb type of one element; an array of bytes if there is none."""
    known = synth.types().elements
    key = (basic, is_fortran())
    if key not in known:
        known[key] = _element_type(basic)
    return known[key]


def _element_type(basic: "_mpipp.Basic") -> gdb.Type:
    found: Optional[gdb.Type] = None
    if basic.class_ in ("signed", "unsigned"):
        found = integer(basic.size, basic.class_ == "signed")
    elif basic.class_ == "char" and basic.size == 1 and is_fortran():
        found = gdb.Value("a").type.target()  # a char of C is a number there
    elif basic.class_ == "logical":
        found = synth.types().find(f"mpipp_logical{basic.size}")
    elif basic.class_ == "pair":
        found = _pair(basic)
    elif basic.class_ == "marker":
        found = synth.types()["mpipp_word"]
    elif basic.class_ not in _BYTES:
        member = _QUADS.get(basic.name) or _SCALARS.get((basic.class_, basic.size))
        members = {field.name: field.type for field in synth.types()["mpipp_scalars"].fields()}
        found = members.get(member) if member else None
        if found is None and basic.class_ == "bool":
            found = integer(basic.size, False)
    if found is not None:
        return found
    byte = synth.types()["mpipp_byte"]
    return byte if basic.size == 1 else byte.array(basic.size - 1)


def _pair(basic: "_mpipp.Basic") -> Optional[gdb.Type]:
    if basic.first is None or basic.second is None:
        return None
    for tag in _PAIRS:
        found = synth.types()[tag]
        first, second = found.fields()
        same_places = first.bitpos == 8 * basic.first[2] and second.bitpos == 8 * basic.second[2]
        same_sizes = first.type.sizeof == basic.first[1] and second.type.sizeof == basic.second[1]
        same_classes = _class(first.type) == basic.first[0] and _class(second.type) == basic.second[0]
        if same_places and same_sizes and same_classes:
            return found
    return None


def _class(of: gdb.Type) -> str:
    return {gdb.TYPE_CODE_FLT: "float", gdb.TYPE_CODE_COMPLEX: "complex"}.get(of.code, "signed")


def _array(of: gdb.Type, count: int) -> gdb.Type:
    """An array as the language has it: in Fortran its indices begin at 1."""
    return of.array(1, count) if is_fortran() else of.array(count - 1)


def values(basic: "_mpipp.Basic", data: bytes, count: int, is_array: bool) -> gdb.Value:
    """Packed elements as a gdb array of the native type, or one of them as a scalar. A marker needs no data."""
    if count == 0:
        return synth.word(enclosed(""))
    if basic.class_ == "marker":
        data = synth.fitting(basic.name).ljust(synth.TEXT_BYTES, b"\0") * count
        stride = synth.TEXT_BYTES
    else:
        stride = basic.size
    of = element_type(basic)
    if of.sizeof > stride:  # a pair without the padding at its end
        padding = bytes(of.sizeof - stride)
        data = b"".join(data[at : at + stride] + padding for at in range(0, count * stride, stride))
    with values_of(len(data)):
        return gdb.Value(data, _array(of, count) if is_array else of)


def formatter(letter: Optional[str]) -> FormatRun:
    """The core's callback for values that gdb must format: all with a format letter; all but natural numbers without."""
    options: Dict[str, str] = {} if letter is None else {"format": letter}

    def format_run(basic: "_mpipp.Basic", data: bytes, count: int, is_array: bool) -> str:
        if count and basic.class_ in _BYTES:
            return _format(_integers(data, 1, False, basic.size, is_array), len(data), {"format": letter or "z"})
        if count and letter is not None and basic.class_ == "logical":
            return _format(_integers(data, basic.size, True, 1, is_array), len(data), options)
        return _format(values(basic, data, count, is_array), len(data), {} if basic.class_ == "marker" else options)

    return format_run


def _integers(data: bytes, size: int, signed: bool, each: int, is_array: bool) -> gdb.Value:
    """Data as integers, `each` of them an element, which gdb formats without a printer."""
    of = integer(size, signed)
    if of is None:
        raise gdb.error(f"gdb has no integer of {size} bytes")
    if each > 1:
        of = of.array(each - 1)
    with values_of(len(data)):
        return gdb.Value(data, _array(of, len(data) // of.sizeof) if is_array else of)


def _format(value: gdb.Value, size: int, options: Dict[str, str]) -> str:
    with values_of(size), core_language():
        return value.format_string(**options)


def each(basic: "_mpipp.Basic", data: bytes, count: int) -> List[gdb.Value]:
    """Packed elements, one by one."""
    if basic.class_ == "marker":
        return [synth.word(basic.name)] * count
    return items(values(basic, data, count, True))


def items(array: gdb.Value) -> List[gdb.Value]:
    """The elements of an array, whatever its indices begin at."""
    first, last = array.type.range()
    return [array[index] for index in range(first, last + 1)]


def lvalue(basic: "_mpipp.Basic", address: int, count: Optional[int]) -> Optional[gdb.Value]:
    """Contiguous elements in the rank's memory as an array that can be assigned to, or (count None) the element there;
    None if gdb has no such value."""
    of = element_type(basic)
    if basic.class_ == "marker" or of.sizeof != basic.size or count == 0:
        return None
    if count is not None:
        of = _array(of, count)
    return gdb.Value(address).cast(of.pointer()).dereference()
