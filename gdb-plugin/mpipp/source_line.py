# SPDX-License-Identifier: BSD-3-Clause
"""The line of a call in optimised code.

gdb takes the row of the line table where a statement begins. For `MPI_Send(v.data(), ...)` with -O2 that is the line of data()
in the header, if that function was inlined there. The row of the call itself is the last one of that address, as libdw and
addr2line take it; if it is in another file, gdb does not keep it.
"""

import struct
from typing import Dict, Optional, Tuple

import gdb

from . import _mpipp, mappings
from .host_text import decoded

_LOADED, _EXECUTABLE = 1, 1  # PT_LOAD, PF_X

_biases: Dict[Tuple[int, str], Optional[int]] = {}


def forget() -> None:
    """Symbols were loaded or unloaded."""
    _biases.clear()
    _mpipp.forget_source_lines()


def of_call(symtab: gdb.Symtab, pc: int) -> Optional[Tuple[str, int]]:
    """The file and the line of the instruction at pc; symtab: where gdb has found it. None: only gdb knows."""
    debug = symtab.objfile
    loaded = debug.owner or debug
    path = decoded(lambda: loaded.filename)
    file = decoded(lambda: debug.filename)
    if path is None or file is None:
        return None
    key = (gdb.selected_inferior().num, path)
    if key not in _biases:
        _biases[key] = _bias(path, pc)
    bias = _biases[key]
    return None if bias is None else _mpipp.source_line(file, pc - bias)


def _bias(path: str, pc: int) -> Optional[int]:
    """The difference between the addresses in memory and those in the file; pc: an address in it."""
    for mapping in mappings.files():
        if mapping.start <= pc < mapping.end:
            address = _address_of(path, pc - mapping.start + mapping.offset)
            return None if address is None else pc - address
    return None


def _address_of(path: str, offset: int) -> Optional[int]:
    """The address of an instruction at this offset of an ELF file; None: it cannot be read, or has no such instruction."""
    try:
        with open(path, "rb") as file:
            start = file.read(64)
            if start[:5] != b"\x7fELF\x02" or len(start) < 64:
                return None
            (at,) = struct.unpack_from("<Q", start, 32)
            size, count = struct.unpack_from("<HH", start, 54)
            file.seek(at)
            table = file.read(size * count)
        for index in range(count):
            kind, flags, first, address, _, length = struct.unpack_from("<IIQQQQ", table, index * size)
            if kind == _LOADED and flags & _EXECUTABLE and first <= offset < first + length:
                return address + offset - first
    except (OSError, struct.error):
        pass
    return None
