# SPDX-License-Identifier: BSD-3-Clause
"""Watchpoints on $mpi_elem in a job of several ranks: in which rank an element has changed, which one it is, and where.

gdb says "Thread 2.1 hit Hardware watchpoint 3: -location $mpi_elem(column, "[1][0]", grid)", and the line that comes next.
"""

import re
from typing import Optional

import gdb

from . import _mpipp, operands
from .call import Position
from .calls import no_calls
from .fault import EXPECTED, let_quit
from .rank import ranks
from .watched import VERBS, Element, changes, elements, set_teller
from .whole_object import path_at

_CALL = re.compile(r"(?:-location )?\s*\$mpi_elem\s*\((.*)\)\s*")


def install() -> None:
    """Connects the handlers."""
    gdb.events.breakpoint_created.connect(_created)
    gdb.events.breakpoint_deleted.connect(_deleted)
    gdb.events.stop.connect(_stopped)
    set_teller(_call_around)


def _stopped(event: object) -> None:
    for rank, text in changes(event):
        gdb.write(f"rank {rank}: {text}\n")


def _call_around() -> str:
    try:
        running = Position(ranks.current(), True).running()
        return min(running, key=lambda one: one[0])[1].title() if running else ""
    except (gdb.GdbError, *EXPECTED) as error:
        let_quit(error)
        return ""


def _created(point: gdb.Breakpoint) -> None:
    try:
        if point.type in VERBS and point.expression is not None:
            found = _element(point.expression)
            if found is not None:
                elements[point.number] = found
    except (gdb.GdbError, *EXPECTED) as error:  # gdb itself says what is wrong with it
        let_quit(error)


def _deleted(point: gdb.Breakpoint) -> None:
    elements.pop(point.number, None)


def _element(expression: str) -> Optional[Element]:
    """The element that an expression names; None if it is no $mpi_elem, or if the job has one rank."""
    call = _CALL.fullmatch(expression)
    words = operands.split(call.group(1)) if call else []
    if len(words) != 3:
        return None
    rank = ranks.current()
    number = rank.registry.world_rank
    if number is None or (rank.registry.world_size or 1) < 2:
        return None
    with no_calls():
        label, text = (gdb.parse_and_eval(" ".join(one)) for one in words[:2])
        buffer = operands.evaluated(" ".join(words[2]))
    of = operands.type_in(rank, label, "TYPE")
    address = operands.address_in(buffer, "BUFFER")
    found = _mpipp.element(of, address, None, operands.text_in(text) or "", "TYPE")
    name = f"element {' '.join(words[0])}{found.short}"
    path = None if found.low is None else path_at(" ".join(words[2]), address, found.low)
    return Element(number, name if path is None else f"{path}, {name}")
