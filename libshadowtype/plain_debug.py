# SPDX-License-Identifier: BSD-3-Clause
"""plain_debug.py LIBRARY: makes the library's debug information plain for a debugger of programs that use it.

What was inlined becomes a plain block. The library has no line table, so that `step' passes over it (libshadowtype.mk). But
where a function begins with one that was inlined, gdb shows the line of its declaration, of a file that is not there. As a
block it has no line.

Variables of files with functions are left out: gdb would show a static variable of the library, `count' for example, wherever the
program has no variable of that name in scope. What is left are `shadowtype_held', and names that begin with `st_'.

Static functions get names that no program has, `check.size' for check_size: a breakpoint on the program's own function of that
name would stop in the library, too.

The registry's root is no variable, only a symbol. The plugin looks it up at each start; for a variable gdb would read all
that the optimiser has seen as one, the whole library, and take 50 ms.
"""

import re
import subprocess
import sys
from typing import BinaryIO, Callable, Iterator, Set, Tuple

INLINED_SUBROUTINE, LEXICAL_BLOCK, SUBPROGRAM, VARIABLE, DWARF_PROCEDURE = 0x1D, 0x0B, 0x2E, 0x34, 0x36  # DW_TAG_...
IMPLICIT_CONST = 0x21  # DW_FORM_...


def section(library: str, name: str) -> Tuple[int, int]:
    """Where a section lies in the file, and its size."""
    output = subprocess.run(["readelf", "-SW", library], stdout=subprocess.PIPE, check=True, text=True).stdout
    for line in output.splitlines():
        words = line.partition("]")[2].split()  # name, type, address, offset, size
        if words[:1] == [name]:
            return int(words[3], 16), int(words[4], 16)
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
        """Gives each inlined subroutine and each variable the other tag; all are one byte."""
        while self._at < len(self._data):
            tags = list(self._table())
            has_functions = any(self._data[tag] == SUBPROGRAM for tag in tags)
            for tag in tags:
                if self._data[tag] == INLINED_SUBROUTINE:
                    self._data[tag] = LEXICAL_BLOCK
                elif self._data[tag] == VARIABLE and has_functions:
                    self._data[tag] = DWARF_PROCEDURE

    def _table(self) -> Iterator[int]:
        """The positions of the tags of the next table, which one or several units use."""
        while self._at < len(self._data) and self._number() != 0:
            yield self._at
            self._number()
            self._at += 1  # whether it has children
            while True:
                attribute, form = self._number(), self._number()
                if form == IMPLICIT_CONST:
                    self._number()
                if attribute == form == 0:
                    break


# Called by the program, or looked for in its stacks by name.
KEPT = re.compile(r"_|P?MPIX?_|p?mpix?_|wrap_|st_|shadowtype_|mpipp_")


def static_functions(library: str) -> Set[bytes]:
    """The names of two or more words of its own functions, without what the compiler appends."""
    output = subprocess.run(["nm", "-P", "--defined-only", library], stdout=subprocess.PIPE, check=True, text=True).stdout
    names = {line.split()[0].partition(".")[0] for line in output.splitlines() if line.split()[1] == "t"}
    return {name.encode() for name in names if "_" in name and not KEPT.match(name)}


def rename(data: bytearray, names: Set[bytes]) -> None:
    """Puts a point into each of these names, in a section of strings. One may be the end of another, and the name of a type,
    st_group, the end of list_group."""
    start = 0
    for text in bytes(data).split(b"\0"):
        name = text.partition(b".")[0]
        if not KEPT.match(name.decode("utf-8", "replace")) or name.startswith(b"st_"):
            for first in range(len(name)):
                if name[first:] in names:
                    has_type = b"st_" in name[first + 1 :]
                    at = start + (first if has_type else name.index(b"_", first))
                    data[at : at + 1] = b"."
        start += len(text) + 1


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
        names = static_functions(sys.argv[1])
        for strings in (".debug_str", ".strtab"):
            rewrite(library, sys.argv[1], strings, lambda data: rename(data, names))


main()
