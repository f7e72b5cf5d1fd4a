# SPDX-License-Identifier: BSD-3-Clause
"""What `print`, `info locals`, `bt`, `finish`, `display` and a frontend's variable view show."""

from typing import Optional

import gdb
import gdb.printing

from .. import _mpipp, record
from ..fault import EXPECTED, let_quit
from ..handle import is_handle
from ..handle_kinds import handle_type
from ..rank import ranks
from ..statuses import is_status
from .base import Printer, frontend_has_children, installed
from .blocks import blocks_printer
from .buffer import buffer_printer
from .entries import list_printer
from .handle import RawPrinter, handle_printer
from .object import object_printer
from .rows import Make, Rows
from .status import status_printer
from .text import ArgumentPrinter, BytePrinter, HexPrinter, LogicalPrinter, OpenPrinter, TooDeepPrinter, WordPrinter, text_printer
from .type import record_printer, struct_printer, type_printer

# By the name of the type in types/types.h: a class, or a function that chooses one. Pairs have no printer.
_OURS = {
    "mpipp_argument": ArgumentPrinter,
    "mpipp_blocks": blocks_printer,
    "mpipp_buffer": buffer_printer,
    "mpipp_byte": BytePrinter,
    "mpipp_entries": list_printer,
    "mpipp_hex": HexPrinter,
    "mpipp_logical1": LogicalPrinter,
    "mpipp_logical2": LogicalPrinter,
    "mpipp_logical4": LogicalPrinter,
    "mpipp_logical8": LogicalPrinter,
    "mpipp_members": buffer_printer,
    "mpipp_numbers": list_printer,
    "mpipp_open": OpenPrinter,
    "mpipp_text": text_printer,
    "mpipp_type": type_printer,
    "mpipp_word": WordPrinter,
}

# Types whose values contain values of the same kind, to any depth.
_NESTED = frozenset(("mpipp_blocks", "mpipp_buffer", "mpipp_entries", "mpipp_members", "mpipp_type"))

_TYPEDEF = gdb.TYPE_CODE_TYPEDEF
_CODES = frozenset(
    (
        gdb.TYPE_CODE_TYPEDEF,
        gdb.TYPE_CODE_STRUCT,
        gdb.TYPE_CODE_PTR,
        gdb.TYPE_CODE_REF,
        gdb.TYPE_CODE_RVALUE_REF,
    )
)


class Lookup(gdb.printing.PrettyPrinter):
    """Handles of MPI, and the values that their printers make."""

    def __init__(self) -> None:
        super().__init__("mpipp")
        self._rows = Rows()

    def __call__(self, value: gdb.Value) -> Optional[object]:
        # gdb calls this for every value that it prints, and an exception here breaks a frontend's variable. So look
        # at the type's code first, and return None for all that cannot be read.
        of = value.type
        code = of.code
        if code not in _CODES:
            return None
        try:
            if code == _TYPEDEF and of.name == "MPI_Datatype":  # first, because a frontend has many, and asks for each at each step
                return installed(self._rows.printer(value, _printer_of_handle), value)
            printer: Optional[object] = _printer_of_ours(of, value)
            make = _maker(of) if printer is None else None
            if make is not None:
                printer = self._rows.printer(value, make)
            return installed(printer, value)
        except EXPECTED as error:
            let_quit(error)
        return None


def _maker(of: gdb.Type) -> Optional[Make]:
    """What makes the printer of MPI's handles and statuses; None for a value of another type."""
    if is_handle(of):
        return _printer_of_handle
    if handle_type(of) is not None:
        return _printer_of_object
    return _printer_of_status if is_status(of) else None


def _printer_of_ours(of: gdb.Type, value: gdb.Value) -> Optional[Printer]:
    if of.name is None or not of.name.startswith("mpipp_"):
        return None
    if of.code == gdb.TYPE_CODE_TYPEDEF:
        if of.name.endswith("_entry"):
            return struct_printer(value)
        if record.is_record(of):
            return record_printer(value)
    if of.name in _NESTED and _mpipp.stack_is_low():
        return TooDeepPrinter()
    printer = _OURS.get(of.name)
    return printer(value) if printer is not None else None


def _printer_of_handle(value: gdb.Value) -> Optional[Printer]:
    rank = ranks.find()[0]
    try:
        printer = handle_printer(rank, value) if rank is not None else None
    except EXPECTED as error:
        let_quit(error)
        printer = None
    return RawPrinter(value) if printer is None and frontend_has_children() else printer


def _printer_of_object(value: gdb.Value) -> Optional[Printer]:
    rank, of = ranks.find()[0], handle_type(value.type)
    return object_printer(rank, of, value) if rank is not None and of is not None else None


def _printer_of_status(value: gdb.Value) -> Optional[Printer]:
    rank = ranks.find()[0]
    return status_printer(rank, value) if rank is not None else None


def install() -> None:
    """Registers the printers; `info pretty-printer` shows them as "mpipp"."""
    gdb.printing.register_pretty_printer(None, Lookup(), replace=True)
