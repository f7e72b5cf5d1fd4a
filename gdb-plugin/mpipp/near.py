# SPDX-License-Identifier: BSD-3-Clause
"""Which memory is a buffer of the MPI call near the current position (the paper's X.D).

"Near" is the call that `mpi call` would show in one of three frames: the newest, where the thread is; the selected one;
and the frame of the stack in which the value lies. The last is needed because gdb does not say to which frame a printed
value belongs: a frontend lists the variables of frames that are not selected.

The stack is walked once between two events that change it, and not before there is a value to look at.
"""

from typing import Dict, List, NamedTuple, Optional, Tuple

import gdb

from . import _mpipp
from .call import Found, Position, current
from .call_buffers import Block, Buffers, described
from .call_parts import Part
from .call_values import Values
from .fault import EXPECTED, let_quit
from .rank import Rank, ranks

NONE = "no buffer shows"  # begins the text of told() if this is so
_MOST_BLOCKS = 1000  # the most blocks of an array whose bounds are computed


class Argument(NamedTuple):
    """A buffer argument of a call. values: all of the call's, in the form of call_values.Values."""

    rank: Rank
    form: "_mpipp.Form"
    values: Tuple[int, ...]
    part: Part

    @property
    def name(self) -> str:
        """ "MPI_Bcast.buffer" """
        return f"{self.form.function}.{self.form.parameters[self.part.buffer].name}"

    @property
    def start(self) -> int:
        """The address of the buffer."""
        return self.values[self.part.buffer]

    def buffers(self) -> Buffers:
        """The buffers of its call."""
        return Buffers(self.rank, Values(self.rank, self.form, self.values))

    def fits(self, size: int) -> bool:
        """Whether so many bytes from its address contain all of its data."""
        buffers = self.buffers()
        if buffers.has_blocks(self.part):
            number = buffers.length(self.part)
            blocks = buffers.blocks(self.part, 0, number) if number <= _MOST_BLOCKS else []
        else:
            whole = buffers.whole(self.part)
            blocks = [] if whole is None else [whole]
        bounds = [bound for block in blocks for bound in _bounds(self.rank, block)]
        return not bounds or (self.start <= min(bounds) and max(bounds) <= self.start + size)


def _bounds(rank: Rank, block: Block) -> Tuple[int, ...]:
    """The first byte of a block and the one after its last; empty if there is no block, or if they are not known."""
    of = described(rank, block)[0]
    if of is None or block.count == 0 or not of.size or of.true_lb is None or of.true_ub is None or of.extent is None:
        return ()
    more = (block.count - 1) * of.extent
    return block.address + of.true_lb + min(more, 0), block.address + of.true_ub + max(more, 0)


class _Here:
    """What is known of a stopped thread."""

    def __init__(self, rank: Rank) -> None:
        self._rank = rank
        self._position = Position(rank, True)
        self._by_frame: Dict[int, Optional[Found]] = {}
        self._by_call: Dict[Tuple["_mpipp.Form", Tuple[int, ...]], List[Argument]] = {}

    def arguments(self, lies_at: Optional[int]) -> List[Argument]:
        """The buffer arguments near a value at this address; None: it is not in memory."""
        own = self._position.frame_at(lies_at) if lies_at is not None else None
        frames = (own, gdb.selected_frame().level(), 0)
        found = (self._call(frame) for frame in frames if frame is not None)
        calls = dict.fromkeys((call.form, call.values) for call in found if call is not None)
        return [argument for form, values in calls for argument in self._of(form, values)]

    def told(self) -> str:
        """The calls near the newest and the selected frame: a sentence without prefix."""
        calls = [self._call(frame) for frame in (gdb.selected_frame().level(), 0)]
        found = [call for call in calls if call is not None]
        for call in found:
            if self._of(call.form, call.values):
                return f"near is a call: {call.title()}"
        if found:
            return f"{NONE}: the call that is near has none, {found[0].title()}"
        return f"{NONE}: {current(self._rank)[1]}"

    def _call(self, frame: int) -> Optional[Found]:
        if frame not in self._by_frame:
            self._by_frame[frame] = self._position.call(frame)
        return self._by_frame[frame]

    def _of(self, form: "_mpipp.Form", values: Tuple[int, ...]) -> List[Argument]:
        if (form, values) not in self._by_call:
            buffers = Buffers(self._rank, Values(self._rank, form, values))
            self._by_call[form, values] = [
                Argument(self._rank, form, values, part)
                for part in buffers.parts
                if values[part.buffer] and not buffers.constant(part) and _has_data(self._rank, buffers, part)
            ]
        return self._by_call[form, values]


def _has_data(rank: Rank, buffers: Buffers, part: Part) -> bool:
    """Whether there is data to show for a buffer in this rank."""
    try:
        if not buffers.is_significant(part) or buffers.length(part) == 0:
            return False
        whole = None if buffers.has_blocks(part) else buffers.whole(part)
        return whole is None or described(rank, whole)[0] is not None
    except EXPECTED as error:
        let_quit(error)
        return False


_Key = Tuple[object, ...]

_here: Optional[Tuple[_Key, _Here]] = None


def arguments(lies_at: Optional[int]) -> List[Argument]:
    """The buffer arguments of the calls near a value of the selected thread; lies_at: the address of the value itself,
    None if it has none. Raises the exceptions in EXPECTED."""
    here = _look()
    return here.arguments(lies_at) if here is not None else []


def told() -> str:
    """Whether a call is near the selected frame, and which: a sentence without prefix; empty if no process has stopped."""
    try:
        rank, why = ranks.find()
        if rank is None:
            return f"{NONE}: {why}" if gdb.selected_inferior().pid else ""
        here = _look()
        return here.told() if here is not None else ""
    except EXPECTED as error:
        let_quit(error)
        return ""


def _look() -> Optional[_Here]:
    """What is known of the selected thread; None: it has not stopped, or does not belong to a rank."""
    global _here
    rank, _ = ranks.find()
    thread = gdb.selected_thread()
    if rank is None or thread is None or not thread.is_valid() or thread.is_running():
        return None
    key: _Key = (rank.number, thread.global_num)
    if gdb.current_recording() is not None:  # moves to another time without an event
        newest = gdb.newest_frame()
        key += (newest.pc(), int(newest.read_register("sp")))
    if _here is None or _here[0] != key:
        _here = key, _Here(rank)
    return _here[1]


def forget(_event: object = None) -> None:
    """The stack, or the recorded calls, may have changed."""
    global _here
    _here = None


_EVENTS = (
    "cont stop exited inferior_call memory_changed register_changed new_objfile clear_objfiles new_inferior"
    " inferior_deleted"
).split()


def follow(begin: bool) -> None:
    """Connects the events that make it stale, or (False) disconnects them."""
    forget()
    for name in _EVENTS:
        registry = getattr(gdb.events, name)
        if begin:
            registry.connect(forget)
        else:
            registry.disconnect(forget)
