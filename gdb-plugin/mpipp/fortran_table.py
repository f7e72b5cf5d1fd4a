# SPDX-License-Identifier: BSD-3-Clause
"""The handle for an INTEGER of Fortran under Open MPI, for all kinds of handles except datatypes.

Open MPI has a table for each kind: entry INDEX is the handle. All tables have the same layout, which depends on the version
of Open MPI and is in no header. So it is learned from the table of datatypes, of which the registry knows entries.
"""

from typing import Dict, List, NamedTuple, Optional, Tuple

import gdb

from . import root, synth
from .fault import let_quit
from .rank import Rank

_TABLES = {
    "MPI_Comm": "ompi_comm_f_to_c_table",
    "MPI_Errhandler": "ompi_errhandler_f_to_c_table",
    "MPI_File": "ompi_file_f_to_c_table",
    "MPI_Group": "ompi_group_f_to_c_table",
    "MPI_Info": "ompi_info_f_to_c_table",
    "MPI_Message": "ompi_message_f_to_c_table",
    "MPI_Op": "ompi_op_f_to_c_table",
    "MPI_Request": "ompi_request_f_to_c_table",
    "MPI_Win": "ompi_mpi_windows",
}
_WORD = 8
_MOST_BYTES = 256  # of a table's own struct
_BEFORE = 24  # bytes from the table's size, an int, to the address of its entries
_MOST_ENTRIES = 1 << 28
_COMPARED = 8
_LEAST = 3  # so many entries decide


def handle_of(rank: Rank, of: str, index: int) -> Optional[int]:
    """The handle with a Fortran index; None if it is not known. of: the type in C, "MPI_Comm"."""
    if rank.registry.handle_bytes == 4 or not rank.is_selected() or of not in _TABLES or index < 0:
        return None
    try:
        layout = _layout(rank)
        table = _table(rank, layout, root.address_of(_TABLES[of])) if layout is not None else None
        if layout is None or table is None or index >= _number(rank, table + layout.entries - _BEFORE, 4):
            return None
        return _number(rank, _number(rank, table + layout.entries, _WORD) + index * _WORD, _WORD) or None
    except gdb.MemoryError as error:
        let_quit(error)
        return None


class _Layout(NamedTuple):
    """The first word of every table, and where it has the address of its entries."""

    first: int
    entries: int


_learned: Dict[int, _Layout] = {}  # by the number of the rank


def _layout(rank: Rank) -> Optional[_Layout]:
    if rank.number not in _learned:
        layout = _learn(rank)
        if layout is None:  # before MPI_Init
            return None
        _learned[rank.number] = layout
    return _learned[rank.number]


def _learn(rank: Rank) -> Optional[_Layout]:
    """Raises gdb.MemoryError."""
    table, known = root.address_of("ompi_datatype_f_to_c_table"), _known(rank)
    if table is None or len(known) < _LEAST:
        return None
    for offset in range(_BEFORE, _MOST_BYTES, _WORD):
        entries = _number(rank, table + offset, _WORD)
        size = _number(rank, table + offset - _BEFORE, 4)
        if entries and max(known)[0] < size < _MOST_ENTRIES and _has(rank, entries, known):
            return _Layout(_number(rank, table, _WORD), offset)
    return None


def _table(rank: Rank, layout: _Layout, symbol: Optional[int]) -> Optional[int]:
    """The table that is a variable, or that a variable points to: in Open MPI 4 that of operations. Raises gdb.MemoryError."""
    if symbol is None:
        return None
    pointed = _number(rank, symbol, _WORD)
    if pointed == layout.first:
        return symbol
    return pointed if pointed and _number(rank, pointed, _WORD) == layout.first else None


def _known(rank: Rank) -> List[Tuple[int, int]]:
    """The Fortran indexes and the handles of some datatypes."""
    found = []
    for _, handle in rank.registry.predefined():
        of = rank.registry.find(handle)[1]
        if of is not None and of.fortran >= 0:
            found.append((of.fortran, handle))
        if len(found) == _COMPARED:
            break
    return found


def _has(rank: Rank, entries: int, known: List[Tuple[int, int]]) -> bool:
    try:
        return all(_number(rank, entries + index * _WORD, _WORD) == handle for index, handle in known)
    except gdb.MemoryError as error:
        let_quit(error)
        return False


def _number(rank: Rank, address: int, size: int) -> int:
    return int.from_bytes(bytes(rank.read(address, size)), "little" if synth.types().order == "<" else "big")
