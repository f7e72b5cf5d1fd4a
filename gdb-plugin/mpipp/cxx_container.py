# SPDX-License-Identifier: BSD-3-Clause
"""Containers of libstdc++ whose elements are elsewhere: users never mean the pointers of the container itself."""

import re
from typing import NamedTuple, Optional

import gdb

from .fault import let_quit

_REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
_NAME = re.compile(r"std::(?:__\w+::)?(vector|span|unique_ptr|array)<")
_ACCESS = re.compile(r"\s*(\.|->)\s*(data|get)\s*\(\s*\)")
_MEMBER = re.compile(r"\s*(\.|->)\s*$")
_ACCESSORS = {"vector": "data", "span": "data", "array": "data", "unique_ptr": "get"}
_POINTERS = {"vector": "._M_impl._M_start", "span": "._M_ptr", "array": "._M_elems"}


class Elements(NamedTuple):
    """The elements of a container."""

    first: gdb.Value
    """the pointer to the first"""
    count: Optional[int]
    """None: not known, of a std::unique_ptr"""


def elements(value: gdb.Value) -> Optional[Elements]:
    """The elements of a std::vector, std::span or std::unique_ptr of libstdc++. None for other values, and for
    std::vector<bool>."""
    if value.type.strip_typedefs().code in _REFERENCES:
        value = value.referenced_value()
    kind = _kind(value.type)
    try:
        if kind == "vector":
            return _of_vector(value)
        if kind == "span":
            return Elements(value["_M_ptr"], _span_length(value))
        if kind == "unique_ptr":
            return _of_unique_pointer(value)
    except gdb.error as error:
        let_quit(error)
    return None


def without_access(text: str) -> str:
    """For x.data() and p.get() of these and of std::array the expression x or p, else the text itself. (gdb cannot call
    them: the compiler has put them into their callers.)"""
    access = _first_access(text.strip(), 0)
    return access.name if access is not None and access.start == 0 and access.end == len(text.strip()) else text


def around(text: str) -> str:
    """For x.data() + 8 the expression x, in which that address is, if x is a container; else the text itself."""
    whole = without_access(text)
    return whole if whole != text else _before_sum(text) or text


def _before_sum(text: str) -> Optional[str]:
    text = text.strip()
    if text.startswith("("):
        closing = next((end for end in range(len(text)) if text[end] == ")" and _opening(text, end) == 0), len(text))
        rest = text[closing + 1 :].lstrip()
        return _before_sum(text[1:closing]) if not rest or rest[0] in "+-" else None
    access = _first_access(text, 0)
    is_sum = access is not None and access.start == 0 and text[access.end :].lstrip()[:1] in ("", "+", "-")
    return access.name if access is not None and is_sum else None


def without_calls(text: str) -> str:
    """without_access(); in an expression such as x.data() + 8 the member that has the pointer."""
    name = without_access(text)
    access = _first_access(name, 0)
    while access is not None:
        instead = access.pointer()
        if instead is not None:
            name = name[: access.start] + instead + name[access.end :]
        access = _first_access(name, access.start + len(instead) if instead is not None else access.end)
    return name


class _Access(NamedTuple):
    """A call of a member function of a container, from start to end in a text."""

    start: int
    end: int
    name: str
    """the container's"""
    kind: str

    def pointer(self) -> Optional[str]:
        """An expression with the same value, or None if it cannot be written as one."""
        if self.kind in _POINTERS:
            return f"({self.name}){_POINTERS[self.kind]}"
        inside = elements(gdb.parse_and_eval(self.name))
        return None if inside is None else f"(({inside.first.type}) {int(inside.first)})"


def _first_access(text: str, place: int) -> Optional[_Access]:
    """The first one after a place."""
    for call in _ACCESS.finditer(text, place):
        start = _start_of_postfix(text, call.start())
        name = text[start : call.start()] if call.group(1) == "." else f"*{text[start : call.start()]}"
        try:
            kind = _kind(gdb.parse_and_eval(name).type)
        except gdb.error as error:
            let_quit(error)
            continue
        if _ACCESSORS.get(kind) == call.group(2):
            return _Access(start, call.end(), name, kind)
    return None


def _start_of_postfix(text: str, end: int) -> int:
    """Where the expression before a member begins: that of grid.rows[2] in 1 + grid.rows[2].data()."""
    start = end
    while True:
        while start and text[start - 1].isspace():
            start -= 1
        while start and text[start - 1] in ")]":
            opening = _opening(text, start - 1)
            if opening is None:
                return start
            start = opening
        while start and (text[start - 1].isalnum() or text[start - 1] in "_$:"):
            start -= 1
        member = _MEMBER.search(text, 0, start)
        if member is None:
            return start
        start = member.start()


def _opening(text: str, closing: int) -> Optional[int]:
    """The position of what a parenthesis or a bracket closes."""
    depth = 0
    for index in range(closing, -1, -1):
        depth += (text[index] in ")]") - (text[index] in "([")
        if depth == 0:
            return index
    return None


def _kind(of: gdb.Type) -> str:
    of = of.strip_typedefs()
    of = of.target().strip_typedefs() if of.code in _REFERENCES else of
    match = _NAME.match(of.name or "") if of.code == gdb.TYPE_CODE_STRUCT else None
    return match.group(1) if match else ""


def _of_vector(value: gdb.Value) -> Elements:
    first = value["_M_impl"]["_M_start"]
    size = first.type.strip_typedefs().target().sizeof
    return Elements(first, (int(value["_M_impl"]["_M_finish"]) - int(first)) // max(size, 1))


def _span_length(value: gdb.Value) -> int:
    """Part of the type, or a member."""
    try:
        return int(value["_M_extent"]["_M_extent_value"])
    except gdb.error:
        return int(value.type.strip_typedefs().template_argument(1))


def _of_unique_pointer(value: gdb.Value) -> Optional[Elements]:
    """The pointer is the first member of a tuple: a base class of a base class. The deleter's has the same name."""
    layer = value["_M_t"]
    while "tuple<" not in (layer.type.strip_typedefs().name or ""):
        layer = layer["_M_t"]
    for _ in range(2):  # std::tuple, its _Tuple_impl<0, ...>
        for field in layer.type.strip_typedefs().fields():
            if not field.is_base_class:
                continue
            name = field.type.strip_typedefs().name or ""
            if "_Head_base<0" in name:
                return Elements(layer.cast(field.type)["_M_head_impl"], None)
            if "_Tuple_impl<0" in name:
                layer = layer.cast(field.type)
                break
    return None
