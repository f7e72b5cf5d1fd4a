# SPDX-License-Identifier: BSD-3-Clause
"""plain_blocks.py LIBRARY: makes what was inlined a plain block, in the library's debug information.

The library has no line table, so that `step' passes over it (libshadowtype.mk). But where a function begins with one that was
inlined, gdb shows the line of its declaration, of a file that is not there. As a block it has no line.
"""

import subprocess
import sys
from typing import Tuple

INLINED_SUBROUTINE, LEXICAL_BLOCK = 0x1D, 0x0B  # DW_TAG_...
IMPLICIT_CONST = 0x21  # DW_FORM_...


def section(library: str, name: str) -> Tuple[int, int]:
    """Where a section lies in the file, and its size."""
    output = subprocess.run(["objdump", "-h", library], stdout=subprocess.PIPE, check=True, text=True).stdout
    for line in output.splitlines():
        words = line.split()
        if words[1:2] == [name]:
            return int(words[5], 16), int(words[2], 16)
    return 0, 0


class Abbreviations:
    """The bytes of .debug_abbrev, read one number after the other (DWARF 5, 7.5.3)."""

    def __init__(self, data: bytearray) -> None:
        self._data = data
        self._at = 0

    def _number(self) -> int:
        """The next LEB128; of a signed one nothing but its end counts here."""
        value = shift = 0
        while True:
            byte = self._data[self._at]
            self._at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def change(self) -> None:
        """Gives each inlined subroutine the other tag; both are one byte."""
        while self._at < len(self._data):
            if self._number() == 0:  # the end of a table
                continue
            tag = self._at
            if self._number() == INLINED_SUBROUTINE:
                self._data[tag] = LEXICAL_BLOCK
            self._at += 1  # whether it has children
            while True:
                attribute, form = self._number(), self._number()
                if form == IMPLICIT_CONST:
                    self._number()
                if attribute == form == 0:
                    break


def main() -> None:
    """Writes into the library."""
    offset, size = section(sys.argv[1], ".debug_abbrev")
    with open(sys.argv[1], "r+b") as library:
        library.seek(offset)
        data = bytearray(library.read(size))
        Abbreviations(data).change()
        library.seek(offset)
        library.write(data)


main()
