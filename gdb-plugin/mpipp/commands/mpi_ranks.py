# SPDX-License-Identifier: BSD-3-Clause
"""mpi ranks"""

from typing import Dict, List, NamedTuple, Tuple

import gdb

from .. import _mpipp, job, root, whole_job
from ..fault import fault
from .base import Command


class MpiRanks(Command):
    """List the ranks that gdb has, and the MPI call that each is in.

Usage: mpi ranks

The ranks are all inferiors with a process: those of `mpipp gdb -n N', processes that
gdb is attached to, core files.  Ranks that are in the same call at the same place share
a line; several threads of a rank that are in MPI have a line each.

  MPI_Recv from 1, tag 7, MPI_COMM_WORLD     ranks are those of the communicator
  MPI_Waitall: MPI_Irecv from 0, tag 8, MPI_COMM_WORLD, and 1 more
                a request that is not complete, as far as this can be seen without
                calling MPI (`help mpi requests'), and how many more there are
  MPI_Barrier #12 of MPI_COMM_WORLD          the 12th collective call on that communicator
  outside MPI       in no call of MPI: the place is that of the first thread's innermost
                frame with a line

Ranks of a spawned MPI_COMM_WORLD: "0-1 of world 2".  Under `mpipp run' there is a column
`since': for how long a rank has made no other MPI call, while it was stopped, too.
`mpipp run' looks at the ranks once a second, and so finds that out; the ranks do not
measure it.

  41 s          since then the rank is in this call, or outside MPI
  <2 s          it has changed since `mpipp run' looked last
  >=41 s        a rank with several threads, or a core file: until the last look
  38-41 s       ranks that began one after the other
  -             not known

After `mpipp attach --job' or --ranks in a job of several nodes, the ranks that gdb does
not have are listed, too, on whatever node they are: `mpipp run' tells what they do.

A rank that runs is not read.  `mpi call' shows one call with its arguments.
In a shell `mpipp ranks' shows the same for ranks that run without a debugger.

Example:
  mpi ranks"""

    def __init__(self) -> None:
        super().__init__("mpi ranks", gdb.COMMAND_STATUS)

    def run(self, argument: str) -> None:
        if argument:
            raise fault("'mpi ranks' takes no operand")
        processes = job.processes()
        if not processes:
            raise fault(root.NO_PROCESS)
        found: List[job.Doing] = []
        unseen: List[Tuple[int, str]] = []
        for inferior in processes:
            doings, why = job.doings(inferior)
            found += doings
            if why:
                unseen.append((inferior.num, why))
        names, others = _others(found)
        if not found and not others and len(unseen) == 1:
            raise fault(unseen[0][1] if unseen[0][1] != job.RUNNING else f"the rank is {job.RUNNING}")
        _write(_rows(found + others, names))
        for number, why in unseen:
            gdb.write(f"inferior {number}: {why}\n")
        for number in job.without_process():
            gdb.write(f"inferior {number}: no process: it has ended, or was not started\n")


class _Row(NamedTuple):
    who: str
    state: str
    since: str
    place: str


def _others(found: List[job.Doing]) -> Tuple[List[int], List[job.Doing]]:
    """The worlds of the job, in their order, and what the ranks do that gdb does not have; none if gdb has no job of several
    nodes."""
    if not whole_job.is_known():
        return [], []
    try:
        rows = whole_job.ranks()
    except gdb.GdbError as error:
        whole_job.tell(error)
        return [], []
    return whole_job.worlds(rows), whole_job.absent(found, rows)


def _rows(found: List[job.Doing], names: List[int]) -> List[_Row]:
    """Equal ones together, in the order of their first ranks, and world by world. names: the worlds; [] if not known."""
    worlds = names or job.worlds((one.world, one.arrival, one.inferior) for one in found)
    same: Dict[Tuple[str, str, int], List[job.Doing]] = {}

    def order(one: job.Doing) -> Tuple[int, bool, int, int]:
        return worlds.index(one.world) if one.world in worlds else 0, one.rank is None, one.rank or 0, one.inferior

    for one in sorted(found, key=order):
        same.setdefault((one.state, one.place, one.world), []).append(one)
    watched = any(one.since is not None for one in found)
    return [
        _Row(job.of_world(_who(ones), world, worlds), state, _since(ones) if watched else "", place)
        for (state, place, world), ones in same.items()
    ]


def _since(ones: List[job.Doing]) -> str:
    """ "41 s"; "38-41 s" for ranks that came one after the other."""
    bounds = [(None, None) if one.since is None else one.since for one in ones]
    least = [one for one, _ in bounds if one is not None]
    most = [one for _, one in bounds if one is not None]
    if len(least) < len(bounds):
        return _mpipp.duration(None, None)
    return _mpipp.duration(min(least), max(most) if len(most) == len(bounds) else None)


def _who(ones: List[job.Doing]) -> str:
    """ "0, 2-7"; inferiors without a rank number yet are named as inferiors."""
    texts = ranges([one.rank for one in ones if one.rank is not None])
    unknown = ranges([one.inferior for one in ones if one.rank is None])
    if unknown:
        texts.append(("inferior " if unknown[0].isdigit() and not unknown[1:] else "inferiors ") + ", ".join(unknown))
    return ", ".join(texts)


def ranges(numbers: List[int]) -> List[str]:
    """["0", "2-7"]"""
    texts: List[str] = []
    left = sorted(set(numbers))
    while left:
        last = 0
        while last + 1 < len(left) and left[last + 1] == left[last] + 1:
            last += 1
        texts.append(f"{left[0]}" if last == 0 else f"{left[0]}-{left[last]}")
        del left[: last + 1]
    return texts


def _write(rows: List[_Row]) -> None:
    if not rows:
        return
    table = [_Row("rank", "state", "since" if rows[0].since else "", "at"), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(3)]
    for row in table:
        columns = [f"{row[column]:<{widths[column]}}" for column in range(3) if widths[column]]
        gdb.write("  ".join([*columns, row.place]).rstrip() + "\n")
