# SPDX-License-Identifier: BSD-3-Clause
"""mpi export"""

import os
from typing import Optional, Tuple

import gdb

from .. import _mpipp, files, numpy_type, operands
from ..fault import fault, sentence
from ..rank import Rank, ranks
from .base import Command
from .layout_text import plural

_USAGE = "usage: mpi export TYPE ADDRESS [COUNT], FILE.npy"
_READ_BY_DEFAULT = 10000  # bytes of a header, by numpy.load()


class MpiExport(Command):
    """Write the data of a buffer to a file that numpy opens.

Usage: mpi export TYPE ADDRESS [COUNT], FILE.npy

Writes the data that MPI would send of COUNT of TYPE at ADDRESS as an array.  The
operands are those of `mpipp'.  With COUNT, the first dimension is COUNT.  If all
elements of TYPE are alike, they are the second dimension, unless there is just one.
A struct of unlike members is one element of a structured dtype; its fields f0, f1,
... have the numbers of element addresses: a["f2"][5] is T[2][5].

Characters are 'S1', MPI_BYTE is 'u1', a Fortran LOGICAL is an integer of its size, a
pair type has the fields first and second; types that numpy does not have (REAL*16)
are bytes, 'V16'.

FILE is overwritten, but not if it is another kind of file.  If some of the memory cannot
be read, no file is written.

Examples:
  mpi export face &grid, face.npy
  mpi export particleT particles 1000, "after step 7.npy"
In Python:
  a = numpy.load("face.npy")"""

    def __init__(self) -> None:
        super().__init__("mpi export", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        rank = ranks.current()
        given = operands.split(argument)
        if len(given) != 2 or not 2 <= len(given[0]) <= 3:
            raise fault(f"it takes a type, an address and perhaps a count, a comma, and a file: {_USAGE}")
        path = files.name_in(given[1], _USAGE)
        _write(rank, operands.buffer(rank, given[0]), path)


def _write(rank: Rank, buffer: operands.Buffer, path: str) -> None:
    elements = numpy_type.elements(buffer.type, buffer.label)
    shape = _shape(elements.count, buffer.count)
    header = _header(elements.dtype, shape)
    written = 0
    try:
        with files.replaced(path, ".npy", header[:6]) as file:
            file.write(header)
            for portion in _mpipp.Pack(buffer.type, buffer.address, buffer.count, rank.read):
                file.write(portion)
                written += len(portion)
    except _mpipp.Unreadable as error:
        raise fault(f"{sentence(error)} (element {buffer.label}{error.path})") from None
    dtype = f"dtype {elements.dtype}" if isinstance(elements.dtype, str) else "a structured dtype"
    gdb.write(f"{_mpipp.visible(os.path.basename(path))}: {plural(written, 'byte')}, shape {shape}, {dtype}\n")
    if len(header) > _READ_BY_DEFAULT:
        gdb.write(f"its dtype is long: numpy.load() needs max_header_size={len(header)}\n")


def _shape(each: int, count: Optional[int]) -> Tuple[int, ...]:
    if count is None:
        return (each,)
    return (count,) if each == 1 else (count, each)


def _header(dtype: numpy_type.Dtype, shape: Tuple[int, ...]) -> bytes:
    """The beginning of a .npy file (numpy.lib.format)."""
    text = repr({"descr": dtype, "fortran_order": False, "shape": shape}).encode("ascii")
    length_bytes = 2 if len(text) < 65536 - 128 else 4
    version = b"\x01\x00" if length_bytes == 2 else b"\x02\x00"
    fixed = 8 + length_bytes
    padding = -(fixed + len(text) + 1) % 64
    length = len(text) + padding + 1
    return b"\x93NUMPY" + version + length.to_bytes(length_bytes, "little") + text + b" " * padding + b"\n"
