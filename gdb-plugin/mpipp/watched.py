# SPDX-License-Identifier: BSD-3-Clause
"""The elements that watchpoints of a job watch (watchpoints.py), and what a stop says about them."""

from typing import Callable, Dict, List, NamedTuple, Tuple

import gdb

from .host_text import decoded
from .site import base_name

VERBS = {
    gdb.BP_WATCHPOINT: "has changed",
    gdb.BP_HARDWARE_WATCHPOINT: "has changed",
    gdb.BP_ACCESS_WATCHPOINT: "has been read or written",
    gdb.BP_READ_WATCHPOINT: "has been read",
}


class Element(NamedTuple):
    """An element. rank: in MPI_COMM_WORLD; name: "grid[1][0], element column[1][0]"."""

    rank: int
    name: str


elements: Dict[int, Element] = {}
"""by the numbers of their watchpoints"""


def call_around() -> str:
    """ "in MPI_Recv, called at halo.c:7 in main": the innermost MPI call that the selected thread is in; empty
    if it is in none."""
    return _teller[0]()


_teller: "List[Callable[[], str]]" = [str]


def set_teller(call: "Callable[[], str]") -> None:
    """Sets what call_around() answers. (The modules that know it need this one.)"""
    _teller[0] = call


def changes(event: object) -> List[Tuple[int, str]]:
    """The ranks in whose memory a stop says that watched elements have changed, and "grid[1][0], element column[1][0], has
    changed at halo.c:5 in step"."""
    found = []
    for point in event.breakpoints if isinstance(event, gdb.BreakpointEvent) else ():
        one = elements.get(point.number) if point.is_valid() else None
        if one is not None and not point.temporary:  # not one that gdb deletes, because its variables are gone
            found.append((one.rank, f"{one.name}, {VERBS[point.type]}{_place()}"))
    return found


def _place() -> str:
    """ " at halo.c:5 in step": where the instruction before the next one is, as far as known; if that is in an MPI call, then
    " in MPI_Recv, called at halo.c:7 in main", too."""
    frame = gdb.newest_frame()
    line = gdb.find_pc_line(frame.pc() - 1)
    table = line.symtab
    call = call_around()
    if table is None or not line.line:
        return call and f" {call}"
    function = frame.name()
    place = f" at {base_name(decoded(lambda: table.filename) or '')}:{line.line}" + (f" in {function}" if function else "")
    return place + (call and f", {call}")

