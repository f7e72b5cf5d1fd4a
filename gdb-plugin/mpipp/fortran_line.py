"""The line of a call in Fortran, where gfortran's line table is wrong.

gfortran 12 gives a call of a procedure with an explicit interface (use mpi, use mpi_f08) whose arguments are all
variables the line of some other statement: the first or the last of the program unit. A backtrace, too, shows that line.
The statements around the call have their right lines; if the source between them has just one such call, that is it.
"""

import bisect
import re
from typing import Dict, List, Optional, Tuple

import gdb

_FORTRAN = re.compile(r"\.(?:f|for|ftn|fpp|f\d\d)$", re.IGNORECASE)

_sources: Dict[Tuple[str, Optional[str]], List[str]] = {}


def is_fortran(file: str) -> bool:
    """By its name."""
    return bool(_FORTRAN.search(file))


def of_call(symtab: gdb.Symtab, line: int, pc: int, call: str) -> int:
    """The line of a call of MPI_<call>, a regular expression; `line` is what the line table says."""
    if not is_fortran(symtab.filename):
        return line
    source = _source(symtab)
    if not source or _calls(source, line, call):
        return line
    before, after = _around(symtab, line, pc)
    if before is None or after is None:
        return line
    found = [number for number in range(before, after + 1) if _calls(source, number, call)]
    return found[0] if len(found) == 1 else line


def _source(symtab: gdb.Symtab) -> List[str]:
    key = (symtab.fullname(), symtab.objfile.filename)
    if key not in _sources:
        try:
            with open(symtab.fullname(), encoding="utf-8", errors="replace") as file:
                _sources[key] = file.read().split("\n")
        except OSError:
            _sources[key] = []
    return _sources[key]


def _calls(source: List[str], line: int, call: str) -> bool:
    if not 0 < line <= len(source):
        return False
    statement = source[line - 1].split("!", 1)[0]
    return bool(re.search(rf"\bp?mpi_(?:{call})(?:_c|_f08)?\b", statement, re.IGNORECASE))


def _around(symtab: gdb.Symtab, line: int, pc: int) -> Tuple[Optional[int], Optional[int]]:
    """The lines of the nearest statements before and after an address that have another line."""
    entries = sorted((entry.pc, entry.line) for entry in symtab.linetable() if entry.line)
    at = bisect.bisect_right(entries, (pc, 2**31))
    before = next((number for _, number in reversed(entries[:at]) if number != line), None)
    after = next((number for _, number in entries[at:] if number != line), None)
    return before, after
