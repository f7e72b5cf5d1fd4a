# SPDX-License-Identifier: BSD-3-Clause
"""An MPI_Datatype, wherever gdb shows one."""

from typing import Optional

import gdb

from .. import _mpipp, record
from ..fault import sentence
from ..handle import handle_in
from ..rank import Rank
from .base import Leaf, Printer, Text
from .type import TypePrinter, printer_of


class RawPrinter(Leaf):
    """A handle of unknown meaning that must keep a printer (base.py)."""

    def __init__(self, value: gdb.Value) -> None:
        super().__init__()
        self._value = value

    def _text(self) -> Text:
        code = self._value.type.strip_typedefs().code
        if code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_PTR) and not self._value.is_optimized_out:
            return str(int(self._value)) if code == gdb.TYPE_CODE_INT else hex(int(self._value))
        return self._value.format_string(raw=True)


class DamagedPrinter(RawPrinter):
    """A handle whose type is recorded, but cannot be read: the error is shown beside it."""

    def __init__(self, value: gdb.Value, why: str) -> None:
        super().__init__(value)
        self._why = why

    def _text(self) -> Text:
        return f"{super()._text()} <{self._why}>"


def handle_printer(rank: Rank, value: gdb.Value) -> Optional[Printer]:
    """The printer for a handle: its type now, the freed type that it had, or nothing known."""
    handle = handle_in(rank, value)
    if handle is None:
        return None
    try:
        state, of = rank.registry.find(handle)
    except _mpipp.Error as error:
        return DamagedPrinter(value, sentence(error))
    if of is None:
        return TypePrinter(lambda: record.plain(record.unknown(handle)))
    if state == "freed":
        return TypePrinter(lambda: record.plain(record.freed(rank, of)))
    return printer_of(rank.number, of, handle)
