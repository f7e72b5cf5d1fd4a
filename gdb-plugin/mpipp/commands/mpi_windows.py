# SPDX-License-Identifier: BSD-3-Clause
"""mpi windows"""

from typing import Dict, Iterable, Iterator, List

from .. import _mpipp, site
from ..rank import Rank
from .handle_list import HandleList


class MpiWindows(HandleList):
    """List the live windows of the program, grouped by the line that made them.

Usage: mpi windows [-at FILE:LINE]

Live means: not freed. Each line has the handle, the name of MPI_Win_set_name, and this
rank's number in the window's group. Below it are the epochs that this rank is in, with
the call that began each: a lock of one rank or of all, an access epoch (MPI_Win_start),
an exposure epoch (MPI_Win_post), or an epoch after a fence.
  -at   only those made at this line, or in this file

`set print elements' limits the number of rows. Nothing is called in the program.

Example:
  mpi windows -at halo.c:77"""

    TYPE = "MPI_Win"
    NAME = "windows"
    NOUNS = ("window", "windows")

    def _details(self, rank: Rank) -> Dict[int, Iterable[str]]:
        return {handle: _lines(rank, epochs) for handle, epochs in rank.registry.epochs()}


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
