# SPDX-License-Identifier: BSD-3-Clause
"""Containers of libstdc++ whose elements are elsewhere: users never mean the pointers of the container itself."""

import re
from typing import NamedTuple, Optional

import gdb

from .fault import let_quit

_REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
_NAME = re.compile(r"std::(?:__\w+::)?(vector|span|unique_ptr|array)<")
_ACCESS = re.compile(r"(.+?)\s*(\.|->)\s*(data|get)\s*\(\s*\)", re.DOTALL)
_ACCESSORS = {"vector": "data", "span": "data", "array": "data", "unique_ptr": "get"}


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
    parts = _ACCESS.fullmatch(text.strip())
    if parts is None:
        return text
    name = parts.group(1) if parts.group(2) == "." else f"*{parts.group(1)}"
    try:
        of = gdb.parse_and_eval(name).type
    except gdb.error as error:
        let_quit(error)
        return text
    return name if _ACCESSORS.get(_kind(of)) == parts.group(3) else text


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
