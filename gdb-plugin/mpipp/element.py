# SPDX-License-Identifier: BSD-3-Clause
"""Element addresses: the type and the node that a text names, where the node is, and its value."""

import re
from typing import List, NamedTuple, Optional, Tuple

import gdb

from . import _mpipp, native, operands, record, synth, unplaced
from .calls import no_calls
from .entry_names import EntryNames
from .fault import fault, sentence
from .handle import handle_in, is_handle
from .printers.buffer import buffer_text, node_value
from .rank import Rank
from .settings import is_fortran, print_settings

_BYTES = frozenset(("byte", "packed", "raw"))
_C = {
    "MPI_SHORT": "short",
    "MPI_INT": "int",
    "MPI_LONG": "long",
    "MPI_LONG_LONG": "long long",
    "MPI_LONG_LONG_INT": "long long",
    "MPI_UNSIGNED_SHORT": "unsigned short",
    "MPI_UNSIGNED": "unsigned int",
    "MPI_UNSIGNED_LONG": "unsigned long",
    "MPI_UNSIGNED_LONG_LONG": "unsigned long long",
}
_FORTRAN = {"logical": ".TRUE.", "char": "'a'"}
_NUMBER = re.compile(r"^-?\d+ (?=')")  # gdb shows a char as 116 't'


class Named(NamedTuple):
    """A type, and the rest of an element address after it."""

    type: "_mpipp.Type"
    label: str
    """the user's name of the type"""
    rest: str


def split(rank: Rank, text: str) -> Named:
    """The type that an element address begins with. T may have brackets itself: the longest beginning of the text that is a
    datatype is taken."""
    refusals: List[Tuple[bool, int, Exception]] = []  # those that are no datatype at all, and longer ones, come last
    for label, rest in _mpipp.splits(text):
        try:
            return Named(_datatype(rank, label), label, rest)
        except gdb.GdbError as error:
            refusals.append((False, len(label), error))
        except gdb.error as error:
            refusals.append((True, len(label), error))
    if not refusals:
        raise fault(f"no datatype given in '{text}'")
    raise min(refusals, key=lambda refusal: refusal[:2])[2]


def _datatype(rank: Rank, text: str) -> "_mpipp.Type":
    """Like operands.datatype(), but raises gdb.error if the text is no datatype."""
    try:
        value = _evaluate(text)
        with unplaced.explained("datatype", f"'{text}'"):
            may_be = _may_be_type(rank, value)
    except gdb.error:
        of = operands.named(rank, text)
        if of is None:
            raise
        return of
    if not may_be:
        raise gdb.error(f"'{text}' is not a datatype: it is of type '{value.type}'")
    return operands.type_in(rank, value, f"'{text}'")


def _evaluate(text: str) -> gdb.Value:
    if ")" not in text:
        return gdb.parse_and_eval(text)
    with no_calls():  # gdb takes T(STRUCT) for a call, even if T is no function
        return gdb.parse_and_eval(text)


def _may_be_type(rank: Rank, value: gdb.Value) -> bool:
    """A letter of a name is a number, too, but not a handle."""
    if operands.text_in(value) is not None or is_handle(value.type) or record.names_type(value.type):
        return True
    return handle_in(rank, value) is not None and value.type.strip_typedefs().sizeof >= 4


# --- where it is --------------------------------------------------------------------------------


def position(element: "_mpipp.Element", known_count: bool = True) -> str:
    """ "byte 52, element 10 of 14 as sent"; known_count False: the total number is not known."""
    if element.low == element.high and element.low is not None:
        return f"byte {_number(element.displacement)}, no data"
    total = element.total if known_count else None
    return f"{_bytes(element)}, {_elements(element, total)}"


def _number(number: Optional[int]) -> str:
    return "past 64 bits" if number is None else str(number)


def _bytes(element: "_mpipp.Element") -> str:
    if element.basic is not None:
        return f"byte {_number(element.displacement)}"
    low, high = element.low, element.high
    if low is None or high is None:
        return f"from byte {_number(element.displacement)} on"
    return f"bytes {low} to {high - 1}" + ("" if element.exact else " by its lb and ub")


def _elements(element: "_mpipp.Element", total: Optional[int]) -> str:
    first, count = element.number, element.elements
    if first is None:
        return "its number as sent is " + ("not known" if element.unknown == "inside" else "past 64 bits")
    of = "" if total is None else f" of {total}"
    if count is None:
        return f"from element {first}{of} on as sent"
    if count == 1:
        return f"element {first}{of} as sent"
    return f"elements {first} to {first + count - 1}{of} as sent"


# --- what is there ------------------------------------------------------------------------------


def value(rank: Rank, element: "_mpipp.Element", label: str) -> gdb.Value:
    """The node in the rank's memory: a basic element can be assigned to and watched, an inner node unfolds."""
    basic = element.basic
    if basic is None:
        return node_value(rank, element.type_place.type, element.type_place.address, tuple(element.way))
    if basic.class_ == "marker":
        return synth.word(basic.name)
    of = _lvalue_type(basic)
    try:
        rank.read(element.address, basic.size)  # read now, not when gdb shows it
    except gdb.MemoryError:
        raise _unreadable(basic.size, element.address, label + element.short) from None
    return gdb.Value(element.address).cast(of.pointer()).dereference()


def _unreadable(size: int, address: int, name: str) -> gdb.GdbError:
    return fault(f"cannot read {size} byte{'' if size == 1 else 's'} at 0x{address:x} (element {name})")


def _lvalue_type(basic: "_mpipp.Basic") -> gdb.Type:
    """A type that gdb can assign to, for a buffer that is shown by a struct with a printer; and the language's own type."""
    like = _FORTRAN.get(basic.class_) if is_fortran() else None
    of = gdb.parse_and_eval(like).type if like is not None else _c_type(basic.name)
    if of is not None and of.sizeof == basic.size:
        return of
    if basic.class_ in _BYTES or basic.class_ == "logical":
        return native.integer(basic.size, basic.class_ == "logical") or native.element_type(basic)
    return native.element_type(basic)


def _c_type(name: str) -> Optional[gdb.Type]:
    try:
        return gdb.lookup_type(_C[name]) if name in _C else None
    except gdb.error:
        return None


def text(rank: Rank, element: "_mpipp.Element", label: str, entries: EntryNames = ()) -> str:
    """The node as `mpipp' shows it; a character without its number. entries: the program's names for the entries of structs."""
    basic = element.basic
    if element.member is not None:
        return value(rank, element, label).format_string()
    try:
        shown = buffer_text(element.place, rank, print_settings(), entries)
    except _mpipp.Unreadable as error:
        raise fault(f"{sentence(error)} (element {label}{element.short}{error.path})") from None
    return _NUMBER.sub("", shown) if basic is not None and basic.class_ == "char" else shown
