# SPDX-License-Identifier: BSD-3-Clause
"""plain_debug.py LIBRARY: makes the library's debug information plain for a debugger of programs that use it.

What was inlined becomes a plain block. The library has no line table, so that `step' passes over it (libshadowtype.mk). But
where a function begins with one that was inlined, gdb shows the line of its declaration, of a file that is not there. As a
block it has no line.

The registry's root is no variable, only a symbol. The plugin looks it up at each start; for a variable gdb would read all
that the optimiser has seen as one, the whole library, and take 50 ms.
"""

import subprocess
import sys
from typing import BinaryIO, Callable, Tuple

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


def hide_root(data: bytearray) -> None:
    """Gives the variable another name among the strings."""
    at = data.find(b"\0shadowtype_registry\0")
    if at >= 0:
        data[at + 1 : at + 2] = b"_"


def rewrite(library: BinaryIO, path: str, name: str, change: Callable[[bytearray], None]) -> None:
    """Changes a section in place."""
    offset, size = section(path, name)
    library.seek(offset)
    data = bytearray(library.read(size))
    change(data)
    library.seek(offset)
    library.write(data)


def main() -> None:
    """Writes into the library."""
    with open(sys.argv[1], "r+b") as library:
        rewrite(library, sys.argv[1], ".debug_abbrev", lambda data: Abbreviations(data).change())
        rewrite(library, sys.argv[1], ".debug_str", hide_root)


main()
