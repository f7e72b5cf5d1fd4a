# SPDX-License-Identifier: BSD-3-Clause
"""mpi collectives"""

from typing import Dict, List, Optional, Tuple

import gdb

from .. import _mpipp, collectives, job
from ..fault import fault
from .base import Command

_DEFAULT = 5
_USAGE = "usage: mpi collectives [-n N] [COMM]"


class MpiCollectives(Command):
    """List the last collective calls of the ranks that gdb has, by communicator.

Usage: mpi collectives [-n N] [COMM]

COMM is a communicator, window or file: its name, or an expression that is its handle in
the selected rank.  Without it all are shown that have had collective calls.
The last N calls of each are shown, 5 by default, with their numbers in its order.
Ranks that made the same call at the same place share a line; a rank that made another
call has its own.

  data=8 x MPI_DOUBLE   what the call sends or receives, as basic types
  in it now             the rank is in the call, or waits for its request
  not begun             the rank has not come to this call yet

Ranks are those of MPI_COMM_WORLD.  A rank keeps its last 512 calls, on all communicators
together; it records them under `mpipp run' and `mpipp gdb -n N', unless --check leaves
out `collective'.  For other ranks only the numbers are known, and the call that they are
in.  `mpi ranks' shows what each rank is in.

Example:
  mpi collectives
  mpi collectives -n 1 MPI_COMM_WORLD"""

    def __init__(self) -> None:
        super().__init__("mpi collectives", gdb.COMMAND_STATUS)

    def run(self, argument: str) -> None:
        most, operand = _split(argument)
        seen, unseen = job.look_at_world(True)
        found = collectives.find(seen)
        comms = [comm for comm in found.comms if comm.made or any(comm.begun.values())]
        if operand:
            one = collectives.of_operand(found, operand)
            if one is None:
                raise fault(f"'{operand}' is no communicator, window or file that these ranks have")
            comms = [one]
        elif len(comms) > 1:
            comms = [comm for comm in comms if comm.size != 1] or comms
        if not comms:
            gdb.write("no collective call has begun\n")
        for comm in comms:
            _write(comm, most)
        if found.unlogged:
            who = _mpipp.named_ranks(found.unlogged)
            gdb.write(f"{who}: the calls are not recorded, only counted: 'help mpi collectives'\n")
        for number, why in unseen:
            gdb.write(f"inferior {number}: {why}\n")


def _split(argument: str) -> Tuple[int, str]:
    """N, and the operand."""
    words = argument.split(None, 2)
    if not words or words[0] != "-n":
        if argument.startswith("-"):
            raise fault(_USAGE)
        return _DEFAULT, argument
    if len(words) < 2 or not words[1].isdecimal() or int(words[1]) == 0:
        raise fault(f"-n takes a number of calls, 1 or more; {_USAGE}")
    return int(words[1]), words[2] if len(words) > 2 else ""


def _write(comm: collectives.Communicator, most: int) -> None:
    gdb.write(f"{_mpipp.visible(comm.name)}: {_counts(comm)}\n")
    last = max(comm.begun.values(), default=0)
    numbers = sorted(number for number in {number for _, number in comm.made} | {last} if last - most < number)
    rows = [(number, _rows(comm, number)) for number in numbers if last]
    width = max((len(who) for _, ones in rows for who, _ in ones), default=0)
    for number, ones in rows:
        label = str(number)
        for who, text in ones:
            gdb.write(f"  {label:>{len(str(last))}}  {who:<{width}}  {text}\n")
            label = ""


def _counts(comm: collectives.Communicator) -> str:
    """ "ranks 0-2 have begun 118 collective calls, rank 3 117"."""
    by_count: Dict[int, List[int]] = {}
    for rank, begun in comm.begun.items():
        by_count.setdefault(begun, []).append(rank)
    texts: List[str] = []
    for begun, ranks in sorted(by_count.items(), reverse=True):
        who = _mpipp.named_ranks(ranks)
        if texts:
            texts.append(f"{who} {begun}")
        else:
            calls = "collective call" if begun == 1 else "collective calls"
            texts.append(f"{who} {'have' if len(ranks) > 1 else 'has'} begun {begun} {calls}")
    return ", ".join(texts)


def _rows(comm: collectives.Communicator, number: int) -> List[Tuple[str, str]]:
    """Ranks, and what they did; equal ones together, in the order of their first ranks."""
    same: Dict[Tuple[str, Optional[int]], List[int]] = {}
    for rank in sorted(comm.begun):
        made = comm.made.get((rank, number))
        if made is not None:
            place = f"   {made.place}" if made.place else ""
            text, digest = made.text + place + ("   in it now" if made.waits else ""), made.digest
        else:
            text, digest = "not begun" if comm.begun[rank] < number else "begun; what it was is not recorded", None
        same.setdefault((text, digest), []).append(rank)
    return [(_mpipp.named_ranks(ranks), text) for (text, _), ranks in same.items()]
