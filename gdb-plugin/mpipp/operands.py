# SPDX-License-Identifier: BSD-3-Clause
"""Operands of commands: how they are split, and what they mean."""

import re
from typing import List, NamedTuple, Optional, Tuple

import gdb

from . import _mpipp, cxx_container, fortran_shape, record, site, synth, unplaced
from .calls import place_of
from .fault import fault, let_quit, sentence
from .handle import handle_in, is_handle, members, other_handle
from .rank import Rank
from .settings import is_fortran

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_ADDRESS_MASK = (1 << 64) - 1
_HELD_MOST = 3  # datatypes of a class that a message names
_BOTTOM = ("MPI_BOTTOM",)  # in Fortran a variable, whose own address has no meaning
_REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
_INTEGERS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL)
_AGGREGATES = (
    gdb.TYPE_CODE_ARRAY,
    gdb.TYPE_CODE_STRING,
    gdb.TYPE_CODE_STRUCT,
    gdb.TYPE_CODE_UNION,
    gdb.TYPE_CODE_FUNC,
)


def split(text: str) -> List[List[str]]:
    """Operands between commas, each into its words; parentheses, brackets, braces and quotes group, and so does a pointer
    with a shape, (double[10][8][7]) *p, in Fortran (real(8)(7,8,10)) p."""
    operands: List[List[str]] = [[]]
    word = ""
    open_: List[str] = []
    quote = ""
    escaped = False
    for letter in text:
        if quote:
            if not escaped and letter == quote:
                quote = ""
            escaped = letter == "\\" and not escaped
        elif letter in "\"'":
            quote = letter
        elif letter in _CLOSING:
            open_.append(letter)
        elif open_ and letter == _CLOSING[open_[-1]]:
            open_.pop()
        elif not open_ and (letter == "," or letter.isspace()):
            if word:
                operands[-1].append(word)
            word = ""
            if letter == ",":
                operands.append([])
            continue
        word += letter
    if quote or open_:
        raise fault(f"'{quote or open_[-1]}' is not closed in '{text}'")
    if word:
        operands[-1].append(word)
    return [_with_shapes(operand) for operand in operands if operand]


def _with_shapes(words: List[str]) -> List[str]:
    """The first word is a datatype: (types[0]) *p is two."""
    joined = words[:1]
    for word in words[1:]:
        if len(joined) > 1 and _is_shape_of(joined[-1], word):
            joined[-1] += " " + word
        else:
            joined.append(word)
    return joined


def _is_shape_of(shape: str, pointer: str) -> bool:
    if is_fortran():
        return fortran_shape.split(f"{shape} {pointer}") is not None
    return pointer.startswith("*") and _SHAPE.fullmatch(shape) is not None and _is_type(shape[1:].partition("[")[0])


def _is_type(name: str) -> bool:
    try:
        gdb.parse_and_eval(f"(({name} *) 0)")
    except gdb.error as error:
        let_quit(error)
        return False
    return True


def text_in(value: gdb.Value) -> Optional[str]:
    """The text of a string value; None if it is no string."""
    of = value.type.strip_typedefs()
    if of.code == gdb.TYPE_CODE_STRING:  # Fortran's; gdb itself reads only C's
        char = synth.types()["mpipp_scalars"]["char1"].type
        return value.cast(char.array(of.sizeof - 1)).string(errors="replace").rstrip() if of.sizeof else ""
    if of.code == gdb.TYPE_CODE_ARRAY:
        if of.target().strip_typedefs().sizeof == 1:
            return value.string(errors="replace")
    elif of.code == gdb.TYPE_CODE_PTR:
        if of.target().strip_typedefs().code in (gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_INT) and of.target().sizeof == 1:
            return value.string(errors="replace", length=128)
    return None


def named(rank: Rank, name: str) -> Optional["_mpipp.Type"]:
    """The live type with this name; None if there is none."""
    found = rank.registry.named(name)
    if len(found) > 1:
        handles = ", ".join(f"0x{of.handle:x}" for of in found[:4]) + (", ..." if len(found) > 4 else "")
        raise fault(f"{len(found)} types have the name '{name}': {handles}")
    return found[0] if found else None


_SHAPE = re.compile(r"\([^()\[\]]+(?:\s*\[[^\[\]]+\])+\s*\)")
_SHAPED = re.compile(r"\(([^()]*?)((?:\s*\[[^\[\]]+\])+)\s*\)\s*\*\s*(.+)", re.DOTALL)


def shaped(text: str) -> Optional[Tuple[str, str]]:
    """For a pointer with a shape, (double[10][8][7]) *p: the type of a pointer to that shape, and p. (For gdb it is a cast of
    a number to an array.) In Fortran for (real(8)(7,8,10)) p. None for other texts."""
    if is_fortran():
        return fortran_shape.split(text)
    parts = _SHAPED.fullmatch(text.strip())
    return None if parts is None else (f"{parts.group(1)}(*){parts.group(2)}", parts.group(3).strip())


def evaluated(text: str) -> gdb.Value:
    """The value of an expression; for a pointer with a shape, a pointer to an array of that shape; for x.data(), x."""
    text = cxx_container.without_calls(text)
    pointer = shaped(text)
    if pointer is not None:
        try:
            return _shaped_value(*pointer)
        except gdb.error as error:
            let_quit(error)  # (a[1]) * n
    return gdb.parse_and_eval(text)


def _shaped_value(of: str, text: str) -> gdb.Value:
    """text: a pointer, or a container of C++, whose first bytes gdb would take for a pointer; in Fortran also an array."""
    pointer = fortran_shape.pointer_type(of) if is_fortran() else gdb.parse_and_eval(f"({of}) 0").type
    value = gdb.parse_and_eval(cxx_container.without_calls(text))
    code = value.type.strip_typedefs().code
    if code in _REFERENCES:
        value = value.referenced_value()
        code = value.type.strip_typedefs().code
    if code == gdb.TYPE_CODE_STRUCT or (is_fortran() and code != gdb.TYPE_CODE_PTR):
        value = gdb.Value(address_in(value, text))
    return value.cast(pointer)


def datatype_handle(rank: Rank, value: gdb.Value, label: str) -> int:
    """The handle that a value holds, or that of the type with this name."""
    if value.type.code == gdb.TYPE_CODE_VOID:
        raise fault(f"{label} has no value: there is no such type")
    with unplaced.explained("datatype", label):
        return _known_handle(rank, value, label)


def _known_handle(rank: Rank, value: gdb.Value, label: str) -> int:
    name = text_in(value)
    if name is not None:
        of = named(rank, name)
        if of is None:
            raise fault(f"no type has the name '{name}'")
        return of.handle
    if record.names_type(value.type):
        return _owner(value, label).handle
    handle = handle_in(rank, value)
    if handle is None:
        raise fault(f"{label} is not a datatype: it is of type '{value.type}'{_held(value)}")
    other = other_handle(rank, value)
    if other is not None:
        raise fault(
            f"{label} is two datatypes: the handle 0x{handle:x}, and the Fortran index of 0x{other:x}:"
            f" cast it to (MPI_Datatype), or say $mpi_type with the other's name"
        )
    return handle


def _held(value: gdb.Value) -> str:
    """ ", which holds column_, row_ and others": the datatypes of a struct or class that holds several; empty: it holds none."""
    paths = [path.lstrip(".%") for path, _ in members(value, _HELD_MOST + 1)]
    if len(paths) > _HELD_MOST:
        paths[_HELD_MOST:] = ["others"]
    return f", which holds {', '.join(paths[:-1])} and {paths[-1]}" if paths else ""


def _owner(value: gdb.Value, label: str) -> "_mpipp.Type":
    if value.type.name == "mpipp_unknown":
        raise fault(f"{label} is not a datatype: no type has the handle 0x{int(value['handle']):x}")
    return record.owner(value)[1]


def handle_or_type(rank: Rank, value: gdb.Value, label: str) -> Tuple[int, str, Optional["_mpipp.Type"]]:
    """The meaning of a value, whatever it is: a handle, and the state and the type of Registry.find()."""
    if record.names_type(value.type) and value.type.name != "mpipp_unknown":
        of = _owner(value, label)
        return of.handle, "freed" if of.freed else "live", of
    handle = int(value["handle"]) if value.type.name == "mpipp_unknown" else datatype_handle(rank, value, label)
    return (handle, *rank.registry.find(handle))


def is_datatype(rank: Rank, value: gdb.Value) -> bool:
    """Whether a value has a handle's type, whatever it holds, or holds a known handle or name."""
    if is_handle(value.type) or record.names_type(value.type):
        return True
    name = text_in(value)
    if name is not None:
        return bool(rank.registry.named(name))
    handle = handle_in(rank, value)
    return handle is not None and rank.registry.find(handle)[0] != "unknown"


def type_in(rank: Rank, value: gdb.Value, label: str, freed: bool = False) -> "_mpipp.Type":
    """The type of a value: a handle or a name, or a value of $mpi_type(), which keeps its type."""
    rank.require_initialised()
    if not record.names_type(value.type):
        return known(rank, datatype_handle(rank, value, label), label, freed)
    of = _owner(value, label)
    if of.freed and not freed:
        raise fault(f"{label} is a freed datatype: 0x{of.handle:x} was freed at {site.text(of.freed_at, site.FREE)}")
    return of


def refuse_null(of: "_mpipp.Type", label: str) -> None:
    """MPI_DATATYPE_NULL has a type, and no data."""
    if of.name == "MPI_DATATYPE_NULL" and of.predefined:
        raise fault(f"{label} is MPI_DATATYPE_NULL: it describes no data")


def known(rank: Rank, handle: int, label: str, freed: bool = False) -> "_mpipp.Type":
    """The type of a handle, MPI_DATATYPE_NULL included; freed: a freed type is accepted."""
    state, of = rank.registry.find(handle)
    if of is None:
        raise fault(f"{label} is not a datatype: no type has the handle 0x{handle:x}")
    if state == "freed" and not freed:
        raise fault(f"{label} is a freed datatype: 0x{handle:x} was freed at {site.text(of.freed_at, site.FREE)}")
    return of


def refuse_option(text: str) -> None:
    """A datatype is never a negated name: such a text is an option that the command does not have."""
    if re.fullmatch(r"--?[A-Za-z][\w-]*", text):
        raise fault(f"there is no option '{text}': 'help mpi' lists the commands, and their help the options")


def datatype(rank: Rank, text: str, freed: bool = False) -> "_mpipp.Type":
    """The type of an operand: an expression, or a set name if there is no such symbol."""
    refuse_option(text)
    try:
        value = gdb.parse_and_eval(text)
    except gdb.error as error:
        of = named(rank, text)
        if of is None and is_fortran():
            of = named(rank, text.upper())  # mpi_integer
        if of is None:
            raise fault(sentence(error)) from None
        rank.require_initialised()
        return of
    return type_in(rank, value, f"'{text}'", freed)


def address(text: str) -> int:
    """The address of an operand: the value of a pointer or an integer, the address of an array or a struct. In Fortran the
    address of any variable."""
    if _is_bottom(text):
        return 0
    with unplaced.explained("buffer", f"'{text}'"):
        value = evaluated(text)
    return address_in(value, text)


def _is_bottom(text: str) -> bool:
    return text in _BOTTOM or (is_fortran() and text.upper() in _BOTTOM)


def address_in(value: gdb.Value, text: str) -> int:
    """The address of a value; text: how the user wrote it."""
    with unplaced.explained("buffer", f"'{text}'"):
        return _address_in(value, text)


def _address_in(value: gdb.Value, text: str) -> int:
    if value.type.code in _REFERENCES:
        value = value.referenced_value()
    of = value.type.strip_typedefs()
    elements = cxx_container.elements(value)
    if elements is not None:
        return int(elements.first) & _ADDRESS_MASK
    if of.code in _AGGREGATES:
        place = place_of(value)
        if place is None:
            raise unplaced.no_address(f"'{text}'", value)
        return place
    if is_fortran() and value.address is not None:
        return int(value.address) & _ADDRESS_MASK  # as in a call: Fortran passes a variable by its address
    if is_fortran() and of.code != gdb.TYPE_CODE_PTR and unplaced.names_variable(text):
        raise unplaced.no_address(f"'{text}'", value)
    if of.code == gdb.TYPE_CODE_PTR or of.code in _INTEGERS:
        return int(value) & _ADDRESS_MASK
    hint = f": '&{text}' is its address" if value.address is not None else ""
    raise fault(f"'{text}' is not an address but of type '{value.type}'{hint}")


def whole_number(text: str) -> Optional[int]:
    """A number that is written in digits; None if the text is no number. 2^64 means any larger number: Python refuses to
    read one of thousands of digits."""
    if not text.isascii() or not text.isdecimal():
        return None
    digits = text.lstrip("0") or "0"
    return min(int(digits), 1 << 64) if len(digits) <= 20 else 1 << 64


def count(text: str) -> int:
    """The count of an operand."""
    return count_in(gdb.parse_and_eval(text), text)


def count_in(value: gdb.Value, text: str) -> int:
    """The count that a value is; text: how the user wrote it."""
    with unplaced.explained("count", f"'{text}'"):
        return _count_in(value, text)


def _count_in(value: gdb.Value, text: str) -> int:
    if value.type.code in _REFERENCES:
        value = value.referenced_value()
    if value.type.strip_typedefs().code not in _INTEGERS:
        raise fault(f"the count '{text}' is not an integer: it is of type '{value.type}'")
    number = int(value)
    if number < 0:
        raise fault(f"the count is negative ({number})")
    if number >= 1 << 63:
        raise fault(f"the count is too large ({number})")
    return number


def buffer_or_count(text: str) -> Tuple[Optional[int], Optional[int]]:
    """The address of a buffer and None, or None and a count if the expression is an integer. It is evaluated once."""
    if _is_bottom(text):
        return 0, None
    with unplaced.explained("buffer", f"'{text}'"):
        value = evaluated(text)
    of = value.type.strip_typedefs()
    if of.code in _REFERENCES:
        of = of.target().strip_typedefs()
    return (None, count_in(value, text)) if of.code in _INTEGERS else (address_in(value, text), None)


def repeated_at(
    rank: Rank, words: List[str], usage: str
) -> Tuple["_mpipp.Type", str, Optional[int], Optional[int]]:
    """An operand TYPE [COUNT], or TYPE BUFFER [COUNT]: the type, the user's name of it, the buffer's address and the count."""
    of, label, _ = repeated(rank, words[:1])
    address, number = buffer_or_count(words[1]) if len(words) > 1 else (None, None)
    if len(words) > 2:
        if address is None:
            raise fault(f"'{words[1]}' is a number, not a buffer: {usage}")
        number = count(words[2])
    return of, label, address, number


class Buffer(NamedTuple):
    """An operand TYPE ADDRESS [COUNT]."""

    type: "_mpipp.Type"
    label: str
    """the user's name of the type"""
    text: str
    """and the address"""
    address: int
    count: Optional[int]


def buffer(rank: Rank, words: List[str]) -> Buffer:
    """The buffer of two or three words."""
    label = words[0]
    of = datatype(rank, label)
    refuse_null(of, f"'{label}'")
    return Buffer(of, label, words[1], address(words[1]), count(words[2]) if len(words) > 2 else None)


def repeated(rank: Rank, words: List[str]) -> Tuple["_mpipp.Type", str, Optional[int]]:
    """TYPE [COUNT]: the type, the user's name of it, and the count, from one or two words."""
    of = datatype(rank, words[0])
    refuse_null(of, f"'{words[0]}'")
    return of, words[0], count(words[1]) if len(words) > 1 else None
