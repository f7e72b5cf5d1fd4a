# SPDX-License-Identifier: BSD-3-Clause
"""mpi windows"""

from typing import Dict, Iterable, Iterator, List, Tuple

from .. import _mpipp, site
from ..pending import since, state
from ..rank import Rank
from .handle_list import HandleList

_PENDING = ("pending", "possibly pending", "in the call")


class MpiWindows(HandleList):
    """List the live windows of the program, grouped by the line that made them.

Usage: mpi windows [-at FILE:LINE]

Live means: not freed. Each line has the handle, the name of MPI_Win_set_name, this
rank's number in the window's group, its own memory in the window and its displacement
unit. Below it are the epochs that this rank is in, with the call that began each: a
lock of one rank or of all, an access epoch (MPI_Win_start), an exposure epoch
(MPI_Win_post), or an epoch after a fence. Then come the one-sided calls that are
pending: they are not complete at their targets before a flush, or the end of the epoch.
  -at   only those made at this line, or in this file

`set print elements' limits the number of rows. Nothing is called in the program.

Example:
  mpi windows -at halo.c:77"""

    TYPE = "MPI_Win"
    NAME = "windows"
    NOUNS = ("window", "windows")

    def _details(self, rank: Rank) -> Dict[int, Iterable[str]]:
        pending = _pending(rank)
        return {handle: [*_lines(rank, epochs), *pending.get(handle, ())] for handle, epochs in rank.registry.epochs()}


def _pending(rank: Rank) -> Dict[int, List[str]]:
    """The pending calls of each window, in the order of their targets: "pending to rank 1: MPI_Put at halo.c:77 in main".

    A line is for all calls of a place to a target: equal ones share a record, so that their number is not known.
    """
    found, _ = rank.registry.operations()
    lines: Dict[int, Dict[Tuple[int, str], None]] = {}
    for one in found or ():
        if one.comm and one.peer >= 0 and state(one) in _PENDING:
            call = f"{one.function or 'a call'} at {since(rank, one)}"
            lines.setdefault(one.comm, {})[one.peer, f"{state(one)} to rank {one.peer}: {call}"] = None
    return {handle: [line for _, line in sorted(known, key=lambda key: key[0])] for handle, known in lines.items()}


def _lines(rank: Rank, epochs: "List[_mpipp.Epoch]") -> Iterator[str]:
    used = next((one for one in epochs if one.kind == "used"), None)
    for one in epochs:
        if one.kind == "fence" and used is None:
            yield f"no one-sided call since {_call(rank, one)}"
        elif one.kind == "fence" and used is not None:
            yield f"epoch of {_call(rank, one)}; its first call is {_call(rank, used)}"
        elif one.kind == "access":
            yield f"access epoch{_targets(one)}: {_call(rank, one)}"
        elif one.kind == "exposure":
            yield f"exposure epoch: {_call(rank, one)}"
        elif one.kind == "lock":
            yield f"{'exclusive' if one.exclusive else 'shared'} lock{_targets(one)}: {_call(rank, one)}"
        elif one.kind == "lock all":
            yield f"shared lock of all ranks: {_call(rank, one)}"


def _targets(one: "_mpipp.Epoch") -> str:
    if not one.targets:
        return ""
    ranks = ", ".join(map(str, one.targets))
    return f" {'of' if one.kind == 'lock' else 'to'} rank{'s' if len(one.targets) > 1 else ''} {ranks}"


def _call(rank: Rank, one: "_mpipp.Epoch") -> str:
    """ "MPI_Win_lock at halo.c:77 in main" """
    place = site.of_function(rank.registry.site(one.site) if one.site >= 0 else (), one.function)
    return (one.function or "an unknown call") + (f" at {place}" if place is not None else "")
