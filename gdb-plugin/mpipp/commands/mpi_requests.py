# SPDX-License-Identifier: BSD-3-Clause
"""mpi requests"""

from typing import Dict, List

import gdb

from .. import _mpipp
from ..fault import fault, sentence
from ..pending import call, completion, operations, sharers, since, state
from ..rank import Rank, ranks
from ..settings import line_limit
from .base import Command


class MpiRequests(Command):
    """List the requests of this rank that the program has not completed or freed.

Usage: mpi requests

A line for each, oldest first: the handle, the call that made it, its state, and the
place of that call.  `set print elements' limits the list.
  not told complete yet     pending: MPI may use its buffers, or may have completed it;
                        which of the two cannot be seen without calling MPI
  not complete              by MPI's own memory, which can be read in Open MPI
  complete, not told yet    complete in MPI: MPI_Wait or MPI_Test would return at once
  inactive                  a persistent request that is not started
  possibly pending          freed by MPI_Request_free before it was complete; its end
                        cannot be seen

Two requests may have the same handle, and the line says so: MPI may use one handle for
several sends that are complete at once.  For their buffers see `help mpi buffers'.

Example:
  mpi requests"""

    def __init__(self) -> None:
        super().__init__("mpi requests", gdb.COMMAND_DATA)

    def run(self, argument: str) -> None:
        if argument:
            raise fault("'mpi requests' takes no operand")
        rank = ranks.current()
        found, damage = operations(rank)
        requests = [one for one in found if one.request]
        pending = sum(state(one) == "pending" for one in requests)
        noun = "request" if len(requests) == 1 else "requests"
        gdb.write(f"{len(requests)} {noun}" + (f", {pending} pending" if requests else "") + "\n")
        named: "Dict[int, List[_mpipp.Operation]]" = {}
        for one in requests:
            named.setdefault(one.handle, []).append(one)
        for one in requests[: line_limit()]:
            handle = f"0x{one.handle:x}" if one.handle else "-"
            shared = _shared(rank, one, named[one.handle])
            gdb.write(f"  {handle}  {call(rank, one)}  {completion(one)}  {since(rank, one)}{shared}\n")
        if len(requests) > line_limit():
            gdb.write(f"  <{len(requests) - line_limit()} more>\n")
        if damage is not None and rank.is_settled():
            raise fault(sentence(damage))


def _shared(rank: Rank, of: "_mpipp.Operation", same: "List[_mpipp.Operation]") -> str:
    """Says that others have the same handle: a clause, or nothing."""
    if not of.handle or len(same) < 2:
        return ""
    others = [f"that of {since(rank, one)}" for one in same[:4] if one is not of]
    return f", {sharers(others, len(same) - 1)}"
