# SPDX-License-Identifier: BSD-3-Clause
"""The shape that a Fortran user gives an array or a type(c_ptr): (real(8)(0:9,8,7)) p. As gdb's cast, with the bounds of a
declaration after the type."""

import re
from typing import Optional, Tuple

import gdb

from .fault import fault, let_quit, sentence

_SHAPED = re.compile(r"\(\s*([A-Za-z](?:[^()]|\([^()]*\))*?)\s*\(([^()]*)\)\s*\)\s*([A-Za-z_0-9$&(].*)", re.DOTALL)
_INTRINSIC = re.compile(r"(real|integer|logical|complex|character)", re.IGNORECASE)
_KIND = re.compile(r"([a-z]+)\s*\(\s*(\d+)\s*\)", re.IGNORECASE)
_DERIVED = re.compile(r"type\s*\((.*)\)", re.IGNORECASE | re.DOTALL)


def split(text: str) -> Optional[Tuple[str, str]]:
    """For (real(8)(10,8,7)) p: "real(8)(10,8,7)" and "p"; None: the text is something else, as a cast to real(8) is."""
    parts = _SHAPED.fullmatch(text.strip())
    if parts is None:
        return None
    element, bounds, operand = parts.groups()
    if _INTRINSIC.fullmatch(element) and "," not in bounds and ":" not in bounds:
        return None  # a kind
    if _element_type(element) is None:
        return None  # (a(1)) is an element, not a shape
    return f"{element}({bounds})", operand.strip()


def pointer_type(shape: str) -> gdb.Type:
    """The type of a pointer to an array of this shape. Raises gdb.GdbError."""
    element, _, bounds = shape[:-1].rpartition("(")
    of = _element_type(element)
    if of is None:
        raise fault(f"there is no type '{element}'")
    for dimension in bounds.split(","):
        first, colon, last = dimension.partition(":")
        numbers = [_number(first), _number(last)] if colon else [1, _number(first)]
        if numbers[1] < numbers[0]:
            raise fault(f"the dimension '{dimension.strip()}' has no element")
        of = of.array(numbers[0], numbers[1])
    return of.pointer()


def _number(text: str) -> int:
    try:
        return int(gdb.parse_and_eval(text))
    except gdb.error as error:
        raise fault(f"'{text.strip()}' is not a bound: {sentence(error)}") from None


def _element_type(name: str) -> Optional[gdb.Type]:
    """The type of this name: real(8), cell, type(cell)."""
    derived = _DERIVED.fullmatch(name)
    if derived is not None:
        return _derived_type(derived.group(1).strip())
    kind = _KIND.fullmatch(name)
    try:
        return gdb.parse_and_eval(f"({kind.group(1)}(kind={kind.group(2)})) 0" if kind else f"({name}) 0").type
    except gdb.error as error:
        let_quit(error)
        return _derived_type(name)


def _derived_type(name: str) -> Optional[gdb.Type]:
    try:
        return gdb.parse_and_eval(f"({name} *) 0").type.target()
    except gdb.error as error:
        let_quit(error)
        return None
