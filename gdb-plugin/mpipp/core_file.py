# SPDX-License-Identifier: BSD-3-Clause
"""A core file: which part of the process's memory it lacks, and why.

The kernel and gcore leave out memory according to /proc/PID/coredump_filter; a limit or a full disk truncates the file.
gdb reports neither: it shows such memory as zeros, or as the mapped file has it. The program headers show what is missing.
"""

import bisect
import re
import struct
from typing import BinaryIO, Dict, Iterator, NamedTuple, Optional, Tuple

import gdb

from . import host_text

_PT_LOAD = 1
_PF_W = 2


class Segment(NamedTuple):
    """Memory start..end; its first `kept` bytes should be in the file from `offset` on."""

    start: int
    end: int
    offset: int
    kept: int
    writable: bool


class CoreFile:
    """The core file of an inferior."""

    def __init__(self, path: str) -> None:
        """Raises OSError, struct.error."""
        with open(path, "rb") as file:
            self._segments = sorted(_segments(file))
            self._size = file.seek(0, 2)
        self._starts = [segment.start for segment in self._segments]

    def missing(self, address: int, length: int) -> Optional[int]:
        """The first of these bytes that the process may have written and that the file lacks; None if it has all, or if gdb
        itself knows that it lacks them."""
        end = address + length
        for segment in self._segments[max(bisect.bisect(self._starts, address) - 1, 0) :]:
            if segment.start >= end:
                break
            gap = segment.start + max(min(segment.kept, self._size - segment.offset), 0)
            if segment.writable and gap < segment.end and address < segment.end and end > gap:
                return max(address, gap)
        return None

    def lacking(self, address: int, length: int) -> Optional[int]:
        """The first of these bytes that the file lacks, whether written or not; None if it has all."""
        end = address + length
        while address < end:
            segment = next((one for one in self._segments if one.start <= address < one.end), None)
            kept = 0 if segment is None else max(min(segment.kept, self._size - segment.offset), 0)
            if segment is None or address >= segment.start + kept:
                return address
            address = segment.start + kept
        return None

    def why(self, address: int) -> str:
        """Why this byte is missing: half a sentence."""
        for segment in self._segments:
            if segment.start <= address < segment.end:
                if address - segment.start < segment.kept:
                    whole = max(segment.offset + segment.kept for segment in self._segments)
                    return f"the core file is cut short: it has {self._size} of {whole} bytes"
                left_out = "private memory (bit 0" if segment.writable else "mapped files (bit 2"
                return f"the core file was written without {left_out} of /proc/PID/coredump_filter)"
        return "the core file does not have that memory"


_files: Dict[Tuple[int, Optional[int]], Optional[CoreFile]] = {}


def of(inferior: gdb.Inferior) -> Optional[CoreFile]:
    """The core file of the selected inferior; None if it is no core file, or cannot be read."""
    if inferior.connection is None or inferior.connection.type != "core":
        return None
    key = (inferior.num, inferior.connection_num)
    if key not in _files:
        _files[key] = _open()
    return _files[key]


def why_missing(address: int) -> Optional[str]:
    """Why this byte cannot be read: half a sentence; None if the selected inferior is no core file."""
    core = of(gdb.selected_inferior())
    return core.why(address) if core is not None else None


def _open() -> Optional[CoreFile]:
    name = re.search(r"core dump file:\s*`(.*)', file type", host_text.shown("info files"))
    try:
        return CoreFile(name.group(1)) if name else None
    except (OSError, struct.error):
        return None


def _segments(file: BinaryIO) -> Iterator[Segment]:
    """The memory of an ELF core file, by its program headers."""
    identity = file.read(16)
    if identity[:4] != b"\x7fELF":
        return
    order = ">" if identity[5] == 2 else "<"
    wide = identity[4] == 2
    header = struct.unpack(order + ("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH"), file.read(48 if wide else 36))
    at, bytes_each, count = header[4], header[8], header[9]
    if count == 0xFFFF:  # more than fit: the number is in the first section header
        file.seek(header[5])
        section = file.read(64 if wide else 40)
        count = struct.unpack_from(order + "I", section, 44 if wide else 28)[0]
    for number in range(count):
        file.seek(at + number * bytes_each)
        if wide:
            kind, flags, offset, start, _, kept, size = struct.unpack(order + "IIQQQQQ", file.read(48))
        else:
            kind, offset, start, _, kept, size, flags = struct.unpack(order + "IIIIIII", file.read(28))
        if kind == _PT_LOAD:
            yield Segment(start, start + size, offset, kept, bool(flags & _PF_W))
