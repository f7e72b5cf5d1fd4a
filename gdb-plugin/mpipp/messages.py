# SPDX-License-Identifier: BSD-3-Clause
"""The messages between the ranks that gdb has: sent and not received, posted and not matched."""

from typing import Dict, List, NamedTuple, Optional, Tuple

import gdb

from . import _mpipp, inferiors, job, pending, site
from .call_buffers import Buffers, described
from .call_values import Values
from .fault import sentence

ANY = -2  # value of peer, world and tag
_BITS = 24  # bits of a gpid that are the rank in MPI_COMM_WORLD


class Data(NamedTuple):
    """The buffer of a side."""

    type: "_mpipp.Type"
    address: int
    count: int


class Side(NamedTuple):
    """A send or a receive that a rank has begun."""

    seen: job.Seen
    own: int
    """its gpid"""
    of: "_mpipp.MessageSide"
    state: str
    """ "in the call", "not complete", ..."""
    place: str
    """ "halo.c:58 in exchange" """
    data: Optional[Data]
    why: str
    """why there is no data"""
    text: str = ""
    """what was sent, "8 x MPI_INT", by a call that has returned"""

    @property
    def rank(self) -> int:
        """The rank in MPI_COMM_WORLD."""
        return self.own & (1 << _BITS) - 1


class Message(NamedTuple):
    """A send and a receive that may receive it: two sides, or one."""

    number: int
    """number in the whole list"""
    sent: Optional[Side]
    received: Optional[Side]

    @property
    def one(self) -> Side:
        """The side that names source or destination."""
        side = self.sent or self.received
        assert side is not None
        return side

    @property
    def ends(self) -> Tuple[int, int]:
        """The ranks in MPI_COMM_WORLD that it goes from and to; -1: not known, ANY."""
        if self.sent is not None:
            return self.sent.rank, self.sent.of.world
        assert self.received is not None
        return self.received.of.world, self.received.rank

    @property
    def tag(self) -> int:
        """That of the message; for a receive alone, the one that it asks for."""
        return self.one.of.tag

    @property
    def comm(self) -> str:
        """The user's name of the communicator."""
        of = self.one.of
        return of.comm_name or (f"communicator 0x{of.comm_handle:x}" if of.comm_handle else "an unknown communicator")

    def title(self) -> str:
        """ "rank 1 to rank 0, tag 7, MPI_COMM_WORLD" """
        source, target = map(_rank, self.ends)
        tag = "any tag" if self.tag == ANY else "an unknown tag" if self.tag < 0 else f"tag {self.tag}"
        return f"{source} to {target}, {tag}, {self.comm}"


class Found(NamedTuple):
    """All of them."""

    messages: List[Message]
    ranks: List[int]
    """the ranks that were looked at, by their rank in MPI_COMM_WORLD"""
    size: int
    """size of MPI_COMM_WORLD"""
    unseen: List[Tuple[int, str]]
    """inferior, and why it was not looked at"""
    silent: List[int]
    """ranks whose sends that have returned are not known"""


def find() -> Found:
    """Looks at all stopped ranks. Raises gdb.GdbError like job.look_at_world()."""
    seen, unseen = job.look_at_world()
    sides: List[Side] = []
    for one in seen:
        try:
            with inferiors.selected(one.inferior):
                sides += _sides(one)
        except (gdb.MemoryError, _mpipp.Error) as error:
            unseen.append((one.inferior.num, sentence(error)))
    returned, silent = _returned(seen, sides)
    numbers = sorted(number for number in (one.rank.registry.world_rank for one in seen) if number is not None)
    return Found(_paired(returned + sides), numbers, seen[0].rank.registry.world_size or 0, unseen, silent)


def short_place(seen: job.Seen, frames: site.Frames, function: str) -> str:
    """ "halo.c:49": a call site of a rank; "": it is not known."""
    with inferiors.selected(seen.inferior):
        found = site.of_function(frames, function)
    return "" if found is None else found.where + found.detour


def _rank(number: int) -> str:
    return "any rank" if number == ANY else "an unknown rank" if number < 0 else f"rank {number}"


# --- the sides of a rank ------------------------------------------------------------------------


def _sides(seen: job.Seen) -> List[Side]:
    """Requests come first: a blocking call is the last action of its thread."""
    own, found = seen.rank.registry.messages()
    operations = list(seen.rank.registry.operations()[0] or ())
    sides = []
    for of in sorted(found, key=lambda of: of.thread != 0):
        side = _of_call(seen, own, of) if of.thread else _of_request(seen, own, of, operations)
        if side is not None:
            sides.append(side)
    return sides


def _of_request(
    seen: job.Seen, own: int, of: "_mpipp.MessageSide", operations: "List[_mpipp.Operation]"
) -> Optional[Side]:
    """None: MPI has completed it, or it is no message."""
    key = (of.function, of.handle, of.site)
    number = next((i for i, one in enumerate(operations) if (one.function, one.handle, one.site) == key), None)
    if number is None:
        return None
    one = operations[number]
    if "sendrecv" not in one.function.lower():  # MPI_Isendrecv has two sides
        del operations[number]  # the next one with the same handle is a different request
    if one.complete:
        return None
    buffer = next((b for b in one.buffers if (b.sent if of.sends else b.received)), None)
    data, why = None, "its buffer is not known"
    if buffer is not None and buffer.node is not None:
        data = Data(seen.rank.registry.node(buffer.node, 0), buffer.address, buffer.count)
    return Side(seen, own, of, pending.completion(one), pending.since(seen.rank, one), data, why)


def _of_call(seen: job.Seen, own: int, of: "_mpipp.MessageSide") -> Side:
    thread = next(one for one in seen.rank.registry.threads() if one.id == of.thread)
    call = next((one for one in reversed(thread.calls) if one.state == "running"), None)
    data, why = (None, "its buffer is not known") if call is None else _data(seen, call, of.sends)
    place = seen.place(of.thread, False) or "an unknown place"
    return Side(seen, own, of, "in the call", place, data, why)


def _data(seen: job.Seen, call: "_mpipp.Call", sends: bool) -> Tuple[Optional[Data], str]:
    buffers = Buffers(seen.rank, Values(seen.rank, seen.rank.registry.form(call.form), call.values))
    roles = ("read", "swap") if sends else ("write", "swap")
    part = next((one for one in buffers.parts if one.role in roles), None)
    block = buffers.whole(part) if part is not None else None
    if block is None:
        return None, "its buffer is not known"
    of, why = described(seen.rank, block)
    return (None, why) if of is None else (Data(of, block.address, block.count), "")


# --- sends that have returned


def _returned(seen: List[job.Seen], sides: List[Side]) -> Tuple[List[Side], List[int]]:
    """Returns the messages that were sent and not received and that belong to no send in `sides`, and the ranks of which
    they are not known."""
    try:
        sent, sure = _mpipp.sent_messages([one.rank.registry for one in seen])
    except (gdb.MemoryError, _mpipp.Error):
        sent, sure = [], [False] * len(seen)
    pending_sends = [one for one in sides if one.of.sends]
    found: List[Side] = []
    for message in sent:
        sender = seen[message.sender]
        with inferiors.selected(sender.inferior):
            place = str(site.of_function(message.frames, message.side.function) or "an unknown place")
        running = _running(pending_sends, sender, message.side, place)
        if running is not None:
            pending_sends.remove(running)
            continue
        own = sender.rank.registry.messages()[0]
        found.append(Side(sender, own, message.side, "sent", place, None, "", message.data or "a message"))
    silent = [one.rank.registry.world_rank for one, is_sure in zip(seen, sure) if not is_sure]
    return found, sorted(number for number in silent if number is not None)


def _running(sides: List[Side], sender: job.Seen, of: "_mpipp.MessageSide", place: str) -> Optional[Side]:
    """Returns the send in `sides` that is this message."""
    return next(
        (
            one
            for one in sides
            if one.seen is sender
            and (one.of.process, one.of.tag, one.of.comm, one.of.function) == (of.process, of.tag, of.comm, of.function)
            and one.place == place
        ),
        None,
    )


# --- matching


def _paired(sides: List[Side]) -> List[Message]:
    """Each receive, in the order in which they were posted, with the first send that it matches; sends come first."""
    receives = [side for side in sides if not side.of.sends]
    takers: Dict[int, Side] = {}
    sends = [side for side in sides if side.of.sends]
    for taker in receives:
        fitting = next((i for i, one in enumerate(sends) if i not in takers and _fits(one, taker)), None)
        if fitting is not None:
            takers[fitting] = taker
    pairs: List[Tuple[Optional[Side], Optional[Side]]] = [(one, takers.get(i)) for i, one in enumerate(sends)]
    taken = {id(one) for one in takers.values()}
    pairs += [(None, one) for one in receives if id(one) not in taken]
    return [Message(number, *pair) for number, pair in enumerate(pairs, 1)]


def _fits(sent: Side, taker: Side) -> bool:
    one, other = sent.of, taker.of
    return (
        one.comm != 0
        and one.comm == other.comm
        and one.process == taker.own
        and (other.peer == ANY or other.process == sent.own)
        and other.tag in (ANY, one.tag)
        and one.tag >= 0
    )
