# SPDX-License-Identifier: BSD-3-Clause
"""A recorded type: the members of its struct (record.py, types/types.h)."""

from typing import Callable, Optional, Sequence

import gdb

from .. import _mpipp, record, synth
from ..fault import let_quit
from ..settings import braces
from .base import Child, Printer, Text, Unfolding
from .text import QuotedPrinter, text_printer


class StructPrinter(Unfolding):
    """A struct of types.h: gdb writes it, and this printer unfolds it."""

    _made: Optional[gdb.Value] = None

    def __init__(self, make: Callable[[], gdb.Value]) -> None:
        """make: makes the struct, when it is needed."""
        super().__init__()
        self._make = make

    def _count(self) -> int:
        return len(self._names())

    def _child(self, index: int) -> Child:
        name = self._names()[index]
        return name, self._struct()[name]

    def _text(self) -> Text:
        return self._struct()

    def _names(self) -> Sequence[str]:
        return synth.types().layout(self._struct().type.name).names

    def _struct(self) -> gdb.Value:
        if self._made is None:
            self._made = self._make()
        return self._made


class TypePrinter(StructPrinter):
    """A type, or a value that is none. Its arrays unfold as lists of any length."""

    def _child(self, index: int) -> Child:
        name, value = super()._child(index)
        if value.type.code == gdb.TYPE_CODE_ARRAY:
            return name, record.list_value(self._struct(), name)
        return name, value

    def _text(self) -> Text:
        return self._struct() if braces() else None


class KnownPrinter(TypePrinter):
    """A type whose struct is made for its text, or for its second child: gdb asks for the first of each row of a frontend.
    There may be 100,000: each is few objects."""

    def __init__(self, rank: int, of: "_mpipp.Type", handle: int) -> None:
        Unfolding.__init__(self)
        self._rank = rank
        self._type = of
        self._handle = handle

    def _child(self, index: int) -> Child:
        return super()._child(index) if index > 0 else ("kind", record.kind_of(self._type))

    def _names(self) -> Sequence[str]:
        return synth.types().layout(record.tag_of(self._type)).names

    def _struct(self) -> gdb.Value:
        if self._made is None:
            self._made = record.plain(record.of_type(self._rank, self._type, self._handle))
        return self._made


def struct_printer(value: gdb.Value) -> Printer:
    """The typedef of an entry's struct."""
    return StructPrinter(lambda: record.plain(value))


def record_printer(value: gdb.Value) -> Printer:
    """The typedef of a kind's struct."""
    if value.type.name == record.PREDEFINED:
        return text_printer(value["name"])
    return TypePrinter(lambda: record.plain(value))


def printer_of(rank: int, of: "_mpipp.Type", handle: int) -> Printer:
    """The printer for a known type; a predefined one is shown by its name."""
    if of.kind == "NAMED":
        return QuotedPrinter(of.name or f"0x{handle:x}")
    return KnownPrinter(rank, of, handle)


def type_printer(value: gdb.Value) -> Printer:
    """mpipp_type: the base of a type, or a member of a struct."""
    try:
        rank, of = record.owner(value)
    except gdb.error as error:
        let_quit(error)
        return TypePrinter(lambda: record.plain(record.gone()))
    return printer_of(rank.number, of, of.handle)
