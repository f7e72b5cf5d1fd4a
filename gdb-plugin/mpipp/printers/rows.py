# SPDX-License-Identifier: BSD-3-Clause
"""The rows of an array of handles that a frontend unfolds.

gdb 13 makes a variable of each row at once, even if the frontend asks for 20 of 100,000. For each it looks up a printer twice: for a
text that it discards, and for the variable, which keeps the printer. So two lookups in a row at the same address, whose
second printer is still in use, come from a frontend; if the next lookup is for the next element, then its text will be
discarded, too, and has not to be made. A struct, such as an MPI_Status or a handle of mpi_f08, has no text there, and is looked
up once.
"""

import sys
import weakref
from typing import Callable, Optional

import gdb

from ..posted import post
from .base import Printer

Make = Callable[[gdb.Value], Optional[Printer]]


class _Discarded:
    """The printer of a text that nobody sees."""

    def to_string(self) -> str:
        """Called by gdb."""
        return "{...}"


_DISCARDED = _Discarded()


class Rows:
    """The last lookups of the command that gdb carries out."""

    def __init__(self) -> None:
        self._last: Optional[int] = None  # the address of the last lookup
        self._kept: "Callable[[], Optional[Printer]]" = lambda: None  # the second printer of that address
        self._in_command = False

    def printer(self, value: gdb.Value, make: Make) -> Optional[object]:
        """The printer of a handle; make: makes it."""
        is_asked = sys._getframe(1).f_back is None and _has_text(value)  # gdb itself asks, no script
        address = _address(value) if is_asked else None
        last, self._last = self._last, address
        if address is None:
            return make(value)
        if last is not None and address == last + value.type.sizeof and self._kept() is not None:
            self._kept = _nothing
            return _DISCARDED
        printer = make(value)
        self._kept = _nothing
        if address == last and printer is not None:
            self._kept = weakref.ref(printer)
            if not self._in_command:
                self._in_command = True
                post(self._end)
        return printer

    def _end(self) -> None:
        """gdb has carried out the command, and looks for the next one."""
        self._in_command = False
        self._kept = _nothing


def _nothing() -> None:
    return None


def _has_text(value: gdb.Value) -> bool:
    return value.type.strip_typedefs().code != gdb.TYPE_CODE_STRUCT


def _address(value: gdb.Value) -> Optional[int]:
    at = value.address
    return int(at) if at is not None else None
