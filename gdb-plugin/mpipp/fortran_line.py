# SPDX-License-Identifier: BSD-3-Clause
"""The line of a call in Fortran, when gfortran's line table is wrong.

gfortran 12 gives a call of a procedure with an explicit interface (use mpi, use mpi_f08) whose arguments are all
variables the line of another statement: the first or the last of the program unit. A backtrace shows that line, too. The
statements around the call have their right lines. If the source between them has just one such call, that is its line;
else the only such call of the procedure.
"""

import bisect
import re
from typing import Dict, List, Optional, Tuple

import gdb

from .host_text import decoded

_FORTRAN = re.compile(r"\.(?:f|for|ftn|fpp|f\d\d)$", re.IGNORECASE)

_sources: Dict[Tuple[str, Optional[str]], List[str]] = {}


def is_fortran(file: str) -> bool:
    """Decides by its name."""
    return bool(_FORTRAN.search(file))


def of_call(symtab: gdb.Symtab, line: int, pc: int, call: str) -> int:
    """The line of a call of MPI_<call>, a regular expression; `line` is that of the line table."""
    if not is_fortran(decoded(lambda: symtab.filename) or ""):
        return line
    source = _source(symtab)
    if not source or _calls(source, line, call):
        return line
    for first, last in (_around(symtab, line, pc), _function(symtab, pc)):
        found = [number for number in range(first, last + 1) if _calls(source, number, call)]
        if len(found) == 1:
            return found[0]
    return line


def _source(symtab: gdb.Symtab) -> List[str]:
    path = decoded(symtab.fullname) or ""
    key = (path, decoded(lambda: symtab.objfile.filename))
    if key not in _sources:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                _sources[key] = file.read().split("\n")
        except OSError:
            _sources[key] = []
    return _sources[key]


def _calls(source: List[str], line: int, call: str) -> bool:
    if not 0 < line <= len(source):
        return False
    statement = source[line - 1].split("!", 1)[0]
    return bool(re.search(rf"\bp?mpi_(?:{call})(?:_c|_f08)?\b", statement, re.IGNORECASE))


def _around(symtab: gdb.Symtab, line: int, pc: int) -> Tuple[int, int]:
    """The lines of the nearest statements before and after an address that have another line; else (1, 0)."""
    entries = sorted((entry.pc, entry.line) for entry in symtab.linetable() if entry.line)
    at = bisect.bisect_right(entries, (pc, 2**31))
    before = next((number for _, number in reversed(entries[:at]) if number != line), None)
    after = next((number for _, number in entries[at:] if number != line), None)
    return (1, 0) if before is None or after is None else (before, after)


def _function(symtab: gdb.Symtab, pc: int) -> Tuple[int, int]:
    """The lines of the function that holds an address: from its declaration to its last statement. gfortran 14 gives a
    call at the end of a procedure the line of the declaration."""
    block = gdb.block_for_pc(pc)
    while block is not None and block.function is None:
        block = block.superblock
    if block is None:
        return 1, 0
    lines = [entry.line for entry in symtab.linetable() if block.start <= entry.pc < block.end]
    return block.function.line, max(lines, default=0)
