# SPDX-License-Identifier: BSD-3-Clause
"""The collective calls of all ranks that gdb has, by communicator, as the ranks have recorded them."""

from typing import Dict, List, NamedTuple, Optional, Tuple

import gdb

from . import _mpipp, inferiors, job, objects, site
from .handle_kinds import number_in
from .rank import ranks

_KINDS = ("MPI_Comm", "MPI_Win", "MPI_File")

Key = Tuple[str, int]  # a communicator in all its ranks: its kind and id


class Made(NamedTuple):
    """A collective call that a rank has begun. text: "MPI_Bcast(data=8 x MPI_DOUBLE, root=0)"; place: "halo.c:58 in
    exchange", "" if not known; digest: equal in ranks that agree, None if not known; waits: the rank is still in the call,
    or waits for its request."""

    text: str
    place: str
    digest: Optional[int]
    waits: bool


class Communicator:
    """A communicator, window or file in all its ranks. begun: number of calls by rank in MPI_COMM_WORLD; made: by rank and
    number; handles: by inferior."""

    def __init__(self, kind: str, name: str, size: Optional[int]) -> None:
        self.kind = kind
        self.name = name
        self.size = size
        self.begun: Dict[int, int] = {}
        self.made: Dict[Tuple[int, int], Made] = {}
        self.handles: Dict[int, int] = {}


class Found(NamedTuple):
    """All of them, in the order in which the first rank made them. unlogged: ranks whose calls are not recorded."""

    comms: List[Communicator]
    unlogged: List[int]


def find(seen: List[job.Seen]) -> Found:
    """The calls of these ranks; each must have its number in MPI_COMM_WORLD. Raises _mpipp.Error."""
    read = [one.rank.registry.collectives() for one in seen]
    comms: Dict[Key, Communicator] = {}
    by_log: Dict[int, Communicator] = {}
    for one, of in zip(seen, read):
        for counted in of.comms:
            if counted.id:
                comm = _join(comms, one, counted)
                if counted.key:
                    by_log[counted.key] = comm
    for one, of in zip(seen, read):
        _add_calls(one, of, comms, by_log)
    return Found(list(comms.values()), sorted(_number(one) for one, of in zip(seen, read) if of.calls is None))


def _number(one: job.Seen) -> int:
    number = one.rank.registry.world_rank
    assert number is not None
    return number


def _join(comms: Dict[Key, Communicator], one: job.Seen, counted: "_mpipp.Counted") -> Communicator:
    key = (counted.kind, counted.id)
    if key not in comms:
        comms[key] = Communicator(counted.kind, "", counted.size)
    comm = comms[key]
    comm.name = comm.name or counted.name or _maker(one, counted)
    comm.begun[_number(one)] = counted.begun
    comm.handles[one.inferior.num] = counted.handle
    return comm


def _maker(one: job.Seen, counted: "_mpipp.Counted") -> str:
    """The description of a communicator without a name."""
    with inferiors.selected(one.inferior):
        return objects.unnamed(one.rank, counted.kind, counted.handle)


def _add_calls(
    one: job.Seen, of: "_mpipp.Collectives", comms: Dict[Key, Communicator], by_log: Dict[int, Communicator]
) -> None:
    number = _number(one)
    waits = {}
    for waiting in of.waiting:
        counted = of.comms[waiting.comm]
        comm = comms.get((counted.kind, counted.id))
        if comm is not None and waiting.number:
            waits[id(comm), waiting.number] = waiting
            place = one.place(waiting.thread, False)
            comm.made[number, waiting.number] = Made(waiting.function, place, None, True)
    with inferiors.selected(one.inferior):
        for call in of.calls or ():
            comm = by_log.get(call.comm)
            if comm is not None:
                place = _place(call)
                comm.made[number, call.number] = Made(call.text, place, call.digest, (id(comm), call.number) in waits)
                comm.begun[number] = max(comm.begun.get(number, 0), call.number)


def _place(call: "_mpipp.LoggedCall") -> str:
    found = site.of_function(call.frames, call.function)
    return "" if found is None else str(found)


def of_operand(found: Found, operand: str) -> Optional[Communicator]:
    """The communicator with this name, or else the one whose handle is the value of this expression in the selected inferior.
    Returns None if no rank has it. Raises gdb.error if it is no expression."""
    for comm in found.comms:
        if comm.name == operand:
            return comm
    handle = number_in(ranks.find()[0], gdb.parse_and_eval(operand), _KINDS)
    number = gdb.selected_inferior().num
    return next((comm for comm in reversed(found.comms) if handle is not None and comm.handles.get(number) == handle), None)
