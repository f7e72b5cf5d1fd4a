# SPDX-License-Identifier: BSD-3-Clause
"""The files that a process has mapped: of a live process, a remote one, and a core file (its note NT_FILE)."""

import re
from typing import List, NamedTuple

import gdb

from . import host_text

_ROW = re.compile(r"\s*0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+0x[0-9a-f]+\s+0x([0-9a-f]+)\s.*?(/\S.*?) *$")  # since gdb 16 the last column is padded with blanks


class Mapping(NamedTuple):
    """Bytes start..end of memory are those of the file from `offset` on."""

    start: int
    end: int
    offset: int
    path: str


def files() -> List[Mapping]:
    """The mapped files of the selected process; empty if gdb does not know."""
    try:
        shown = host_text.shown("info proc mappings")
    except gdb.error:
        return []
    rows = []
    for line in shown.splitlines():
        match = _ROW.match(line)
        if match:
            start, end, offset = (int(match.group(group), 16) for group in (1, 2, 3))
            rows.append(Mapping(start, end, offset, match.group(4)))
    return rows
