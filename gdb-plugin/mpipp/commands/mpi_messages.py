# SPDX-License-Identifier: BSD-3-Clause
"""mpi messages"""

from typing import List, NamedTuple, Optional

import gdb

from .. import _mpipp, collectives, job, messages, operands
from ..fault import fault, let_quit
from ..handle_kinds import number_in
from ..rank import ranks
from ..settings import line_limit
from . import summary
from .base import Command
from .layout_text import plural

_COMM = ("MPI_Comm",)
_USAGE = "usage: mpi messages [-rank R] [-comm C] [-tag T]"


class MpiMessages(Command):
    """List messages that are being sent and not received, and receives without one.

Usage: mpi messages [-rank R] [-comm C] [-tag T]

Looks at all ranks that gdb has (`help mpi ranks'), live or core files: their requests
that are not complete, and blocking calls.  A message has a number, its two ranks in
MPI_COMM_WORLD, tag and communicator; below it the call that sends it and the call
that receives it, with count and type, state, and the place in the program:
  sends     MPI_Isend 4 x MPI_INT  not complete  halo.c:58 in exchange
  receives  MPI_Irecv 8 x MPI_INT  not told complete yet  halo.c:60 in exchange
The states are those of `mpi requests'.  A message without a receive: none is posted.
A receive without a send: none is pending.  The receive below a send is the first one
posted that matches it.

A send may return before its message was received (small ones, by MPI_Send or MPI_Bsend).
Under `mpipp run --check=p2p' these are listed, too, as "sent"; else they are recorded
nowhere.

-rank R    messages that rank R of MPI_COMM_WORLD sends or receives
-comm C    on the communicator C: a variable of the selected rank, or a name
-tag T     with tag T, and receives with any tag
The numbers stay those of the whole list.  `mpi message N' shows one of them.

Examples:
  mpi messages
  mpi messages -rank 0 -tag 7"""

    def __init__(self) -> None:
        super().__init__("mpi messages", gdb.COMMAND_STATUS)

    def run(self, argument: str) -> None:
        wanted = _wanted(argument)
        found = messages.find()
        if wanted.rank is not None and wanted.rank >= found.size:
            raise fault(f"there is no rank {wanted.rank}: MPI_COMM_WORLD has {plural(found.size, 'rank')}")
        shown = [one for one in found.messages if _suits(one, wanted)]
        if not shown and wanted.comm is not None:
            _refuse_unknown(wanted.comm)
        gdb.write(_head(shown) + "\n")
        for message in shown[: line_limit()]:
            gdb.write(f"{message.number:<3} {message.title()}\n")
            for side in (message.sent, message.received):
                if side is not None:
                    gdb.write(f"    {line(side)}\n")
        if len(shown) > line_limit():
            gdb.write(f"<{plural(len(shown) - line_limit(), 'more message')}>\n")
        write_unseen(found)


class _Wanted(NamedTuple):
    """The filter of the options; None: no condition."""

    rank: Optional[int] = None
    comm: Optional[str] = None
    tag: Optional[int] = None


def _wanted(argument: str) -> _Wanted:
    words = [word for operand in operands.split(argument) for word in operand]
    wanted = _Wanted()
    while words:
        option = words.pop(0)
        if option not in ("-rank", "-comm", "-tag"):
            raise fault(f"'{option}' is no option: {_USAGE}")
        if not words:
            raise fault(f"nothing after '{option}': {_USAGE}")
        word = words.pop(0)
        if option == "-comm":
            wanted = wanted._replace(comm=word)
            continue
        number = operands.count(word)
        wanted = wanted._replace(rank=number) if option == "-rank" else wanted._replace(tag=number)
    return wanted


def _suits(message: messages.Message, wanted: _Wanted) -> bool:
    return (
        (wanted.rank is None or wanted.rank in message.ends)
        and (wanted.tag is None or message.tag in (wanted.tag, messages.ANY))
        and (wanted.comm is None or _is_on(message, wanted.comm))
    )


def _is_on(message: messages.Message, comm: str) -> bool:
    """Whether its communicator has this name, or is the value of this expression in that rank."""
    if message.comm == comm.strip('"'):
        return True
    try:
        handle = number_in(ranks.find()[0], gdb.parse_and_eval(comm), _COMM)
    except gdb.error as error:
        let_quit(error)
        return False
    if handle is None:
        return False
    handle &= (1 << 64) - 1
    side = next((one for one in (message.sent, message.received) if one is not None and one.seen.rank.is_selected()), None)
    return side is not None and side.of.comm_handle in (handle, side.seen.rank.mask(handle))


def _refuse_unknown(comm: str) -> None:
    """Refuses what is neither the name of a communicator nor an expression: a slip must not look like an answer."""
    name = comm.strip('"')
    if any(one.type == "MPI_Comm" and one.name == name for one in ranks.current().registry.names()):
        return
    try:
        if number_in(ranks.find()[0], gdb.parse_and_eval(comm), _COMM) is not None:
            return
    except gdb.error as error:
        let_quit(error)
    if all(one.name != name for one in collectives.find(job.look_at_world(True)[0]).comms):
        raise fault(f"'{comm}' is no communicator that these ranks have")


def _head(shown: List[messages.Message]) -> str:
    sent = sum(one.sent is not None for one in shown)
    alone = sum(one.sent is None for one in shown)
    if not shown:
        return "no message is being sent, no receive is posted"
    return f"{sent} sent and not received, {alone} posted and not matched"


def line(side: messages.Side) -> str:
    """ "receives  MPI_Irecv 8 x MPI_INT  not complete  halo.c:60 in exchange" """
    verb = "sends" if side.of.sends else "receives"
    return f"{verb:<8}  {side.of.function} {what(side)}  {side.state}  {side.place}"


def what(side: messages.Side) -> str:
    """ "8 x MPI_INT" """
    if side.text:
        return side.text
    if side.data is None:
        return f"({side.why})"
    return f"{side.data.count} x {side.data.type.name or summary.built(side.data.type)}"


def write_unseen(found: messages.Found) -> None:
    """A remark on what may be missing from the list."""
    here = set(found.ranks)
    absent = [number for number in range(found.size) if number not in here]
    if absent:
        gdb.write(f"{_mpipp.named_ranks(absent)} {'is' if len(absent) == 1 else 'are'} not here\n")
    for number, why in found.unseen:
        gdb.write(f"inferior {number}: {why}\n")
    if found.silent:
        whose = "" if found.silent == found.ranks else f" of {_mpipp.named_ranks(found.silent)}"
        gdb.write(f"sends{whose} that have returned are not known\n")
