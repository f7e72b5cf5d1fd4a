# SPDX-License-Identifier: BSD-3-Clause
"""An MPI_Comm, MPI_Win, MPI_Request and so on, wherever gdb shows one."""

from typing import Optional

import gdb

from .. import fortran_table, objects
from ..call_requests import Requests
from ..rank import Rank
from .base import Leaf, Printer, Text
from .handle import RawPrinter

_ADDRESS = (1 << 64) - 1

class ObjectPrinter(Leaf):
    """A handle about which something is known."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._known = text

    def _text(self) -> Text:
        return self._known


def object_printer(rank: Rank, of: str, value: gdb.Value) -> Optional[Printer]:
    """The printer of a handle; of: handle_type(). None: gdb shows it better."""
    stripped = value.type.strip_typedefs()
    is_f08 = stripped.code == gdb.TYPE_CODE_STRUCT
    number = int(value[stripped.fields()[0]] if is_f08 else value)
    if is_f08 and rank.registry.handle_bytes > 4:
        found = fortran_table.handle_of(rank, of, number)
        if found is None:
            return None
        number = found
    is_address = stripped.code == gdb.TYPE_CODE_PTR
    handle = number & _ADDRESS if is_address else rank.mask(number)  # MPICH: that of a file
    text = _text_of(rank, of, handle, value)
    if text is None:
        return None if is_f08 else RawPrinter(value)
    return ObjectPrinter(text)


def _text_of(rank: Rank, of: str, handle: int, value: gdb.Value) -> Optional[str]:
    name = objects.constant(rank, of, handle)
    if name is not None:
        return name
    if of != "MPI_Request":
        return objects.described(rank, of, handle)
    address = value.address
    operation = Requests(rank).text(int(address) & _ADDRESS if address is not None else 0, handle)
    return f"0x{handle:x}  {operation}" if operation is not None else None
