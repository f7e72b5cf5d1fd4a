"""mpi requests"""

import gdb

from ..fault import fault, sentence
from ..pending import call, operations, since, state
from ..rank import ranks
from ..settings import line_limit
from .base import Command


class MpiRequests(Command):
    """List the requests of this rank that the program has not completed or freed.

Usage: mpi requests

A line for each, oldest first: the handle, the call that made it, whether MPI may
still use its buffers, and where that call was.  A persistent request that is not
started is inactive.  `possibly pending': freed by MPI_Request_free before it was
complete; nobody can tell when it is.  As many are shown as `set print elements' says.

Two requests may have the same handle: MPI gives one to several sends that are
complete at once.  For their buffers see `help mpi buffers'.

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
        for one in requests[: line_limit()]:
            handle = f"0x{one.handle:x}" if one.handle else "-"
            gdb.write(f"  {handle}  {call(rank, one)}  {state(one)}  {since(rank, one)}\n")
        if len(requests) > line_limit():
            gdb.write(f"  <{len(requests) - line_limit()} more>\n")
        if damage is not None and rank.is_settled():
            raise fault(sentence(damage))
