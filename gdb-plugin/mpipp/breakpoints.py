# SPDX-License-Identifier: BSD-3-Clause
"""`break MPI_X' stops once per call.

gdb finds the name in MPI, and in libshadowtype, through which the same call passes first: there both MPI_X and PMPI_X have it
(libshadowtype/runtime/wrap/entry_names.py). In Fortran, which ignores case, gdb finds it in MPI's bindings, too.
MPI's own locations are disabled as long as both locations of the library exist. One that the user enables again stays
enabled."""

import os
import re
from typing import Dict, List, Optional, Set, Tuple

import gdb

from .host_text import decoded
from .root import is_library

# MPI_Bcast, PMPI_Bcast, mpi_bcast_, pmpi_bcast__: the names of Fortran compilers, too.
_ENTRY = re.compile(r"p?(mpix?_\w+?)_*", re.IGNORECASE)
_MPI = re.compile(r"lib(p?mpi|mpich)[\w-]*\.so")

# The number of the breakpoint, the inferior and the address of a location that was disabled here.
_Key = Tuple[int, int, int]

_disabled: Set[_Key] = set()


def install() -> None:
    """Connects the handlers."""
    gdb.events.breakpoint_created.connect(_changed)
    gdb.events.breakpoint_modified.connect(_changed)
    gdb.events.breakpoint_deleted.connect(lambda breakpoint: _forget(0, breakpoint.number))
    gdb.events.exited.connect(lambda event: _forget(1, event.inferior.num))


def _forget(part: int, number: int) -> None:
    _disabled.difference_update([key for key in _disabled if key[part] == number])


def _changed(breakpoint: gdb.Breakpoint) -> None:
    """gdb has made a breakpoint, or has changed it, which it also does when a library is loaded or unloaded."""
    if breakpoint.type not in (gdb.BP_BREAKPOINT, gdb.BP_HARDWARE_BREAKPOINT) or breakpoint.pending:
        return
    locations = [one for one in breakpoint.locations if _routine(one)]
    if len(locations) < 2 and not _disabled:
        return
    for inferior in gdb.inferiors():
        here = [one for one in locations if inferior.num in (one.thread_groups or ())]
        _forget_absent(breakpoint.number, inferior.num, {one.address for one in here})
        _settle(breakpoint.number, inferior, here)


def _forget_absent(number: int, inferior: int, addresses: Set[int]) -> None:
    """A library that is loaded again, as in the next run, gets new locations."""
    gone = {key for key in _disabled if key[:2] == (number, inferior) and key[2] not in addresses}
    _disabled.difference_update(gone)


def _settle(number: int, inferior: gdb.Inferior, locations: "List[gdb.BreakpointLocation]") -> None:
    """Of one inferior."""
    ours: Dict[str, Set[Optional[str]]] = {}
    theirs = []
    for location in locations:
        library = os.path.basename(decoded(lambda: inferior.progspace.solib_name(location.address)) or "")
        if is_library(library):
            ours.setdefault(_routine(location), set()).add(location.function)
        elif _MPI.match(library):
            theirs.append(location)
    for location in theirs:
        is_covered = len(ours.get(_routine(location), ())) == 2
        key = (number, inferior.num, location.address)
        if is_covered and key not in _disabled:
            _disabled.add(key)  # before gdb reports the change
            location.enabled = False
        elif not is_covered and key in _disabled:
            _disabled.discard(key)
            location.enabled = True


def _routine(location: "gdb.BreakpointLocation") -> str:
    """The name of the called function in lower case: "mpi_bcast"; an empty text if it is not MPI's."""
    match = _ENTRY.fullmatch(location.function or "")
    return match.group(1).lower() if match else ""
