# SPDX-License-Identifier: BSD-3-Clause
"""Whether a core file is of another build of the program than the file that gdb reads: then its lines and variables are wrong.

gdb compares only the names, and the times of the two files. The linker gives each build an id, which is in the program's first
page, and so in most core files.
"""

import re
import struct
from typing import Optional

import gdb

from . import core_file, host_text, synth
from .fault import let_quit

_PT_NOTE, _PT_PHDR = 4, 6
_NT_GNU_BUILD_ID = 3
_MOST_HEADERS = 64
_MOST_BYTES = 1 << 12  # of notes


def other_build(inferior: gdb.Inferior) -> Optional[str]:
    """The program's file, if the core file of the selected inferior is of another build of it; None if not, or not known."""
    path = inferior.progspace.filename
    objfile = next((one for one in inferior.progspace.objfiles() if one.filename == path), None) if path else None
    if objfile is None or not objfile.build_id:
        return None
    try:
        recorded = _recorded(inferior)
    except (gdb.error, struct.error) as error:
        let_quit(error)
        return None
    return path if recorded is not None and recorded != objfile.build_id else None


def _recorded(inferior: gdb.Inferior) -> Optional[str]:
    """The id of the program that the core file is of. Raises gdb.error, struct.error."""
    auxiliary = host_text.shown("info auxv")
    numbers = [re.search(rf"\b{name}\b.*?(0x[0-9a-f]+|\d+)$", auxiliary, re.M) for name in ("AT_PHDR", "AT_PHNUM", "AT_PHENT")]
    if not all(numbers):
        return None
    at, count, size = (int(one.group(1), 0) for one in numbers if one is not None)
    if size not in (32, 56) or count > _MOST_HEADERS:
        return None
    layout = synth.types().order + ("IIQQQQQQ" if size == 56 else "IIIIIIII")
    headers = list(struct.iter_unpack(layout, _kept(inferior, at, count * size)))
    # (type, flags, offset, address, ...) of 64 bits; (type, offset, address, ...) of 32
    address, length = (3, 5) if size == 56 else (2, 4)
    base = next((at - one[address] for one in headers if one[0] == _PT_PHDR), 0)
    for one in headers:
        if one[0] == _PT_NOTE and one[length] <= _MOST_BYTES:
            found = _id_in(_kept(inferior, base + one[address], one[length]))
            if found is not None:
                return found
    return None


def _kept(inferior: gdb.Inferior, address: int, length: int) -> bytes:
    """Memory that the core file has: gdb would read the rest from the program's file."""
    core = core_file.of(inferior)
    if core is None or core.lacking(address, length) is not None:
        raise gdb.error("not in the core file")
    return bytes(inferior.read_memory(address, length))


def _id_in(notes: bytes) -> Optional[str]:
    at = 0
    while at + 12 <= len(notes):
        name, content, kind = struct.unpack_from(synth.types().order + "III", notes, at)
        start = at + 12 + (name + 3 & ~3)
        if kind == _NT_GNU_BUILD_ID and notes[at + 12 : at + 12 + name] == b"GNU\0":
            return notes[start : start + content].hex()
        at = start + (content + 3 & ~3)
    return None
