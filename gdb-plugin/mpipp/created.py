# SPDX-License-Identifier: BSD-3-Clause
"""Goes back to where a datatype was made, in a recording or a replay."""

from contextlib import contextmanager
from typing import Iterator, List

import gdb

from . import _mpipp, site
from .fault import fault, let_quit, sentence
from .rank import Rank, ranks

_MOST_STOPS = 100000  # calls at the same place that made later types
_HINT = "('record', or a replay of rr, goes back; docs/backwards.md)"


def go_back(rank: Rank, of: "_mpipp.Type", label: str) -> None:
    """Lets the process run backwards to the position directly after the call that made the type. label: the user's name of
    it. Raises gdb.GdbError where that cannot be, with the place as far as it is known."""
    if of.predefined:
        raise fault(f"{label} is predefined: no call of the program made it")
    made = site.made_by(of.kind)
    place = site.chain(of.created_at, made) or "an unknown place"
    after = next((frame for frame in of.created_at if isinstance(frame, int)), None)
    if after is None or gdb.selected_thread() is None:
        raise fault(f"{label} was created at {place}: that is no address to go back to")
    with _only_breakpoint(after):
        _run_back(rank.number, (of.ordinal, of.serial), after, f"{label} was created at {place}")
    gdb.write(f"{label} was created at {place}; the position is directly after that call\n")
    gdb.execute("frame 0")


def _run_back(number: int, node: "tuple[int, int]", after: int, made: str) -> None:
    """Backwards until the type is not there, then forwards to the end of the call that makes it. A signal on the way does not
    end it, but for the user's."""
    for _ in range(_MOST_STOPS):
        has_signal = _run("reverse-continue", made)
        if not _is_there(number, node):
            break
        if not has_signal and not _is_at(after):
            raise fault(f"the recording begins later: {made}")
    else:
        raise fault(f"more than {_MOST_STOPS} later calls are at the same place: {made}")
    for _ in range(_MOST_STOPS):
        has_signal = _run("continue", made)
        if _is_at(after):
            return
        if not has_signal:
            break
    raise fault(f"the process stopped elsewhere on the way: {made}")


def _is_at(address: int) -> bool:
    return gdb.selected_thread() is not None and gdb.newest_frame().pc() == address


def _run(command: str, made: str) -> bool:
    """Returns whether a signal has stopped it."""
    signals: List[str] = []

    def note(event: gdb.StopEvent) -> None:
        if isinstance(event, gdb.SignalEvent):
            signals.append(event.stop_signal)

    gdb.events.stop.connect(note)
    try:
        gdb.execute(command, to_string=True)
    except gdb.error as error:
        let_quit(error)
        if "does not support" in str(error) or "cannot" in str(error).lower():
            raise fault(f"this process cannot run backwards: {made} {_HINT}") from None
        raise fault(f"{sentence(error)}: {made}") from None
    finally:
        gdb.events.stop.disconnect(note)
    if "SIGINT" in signals:
        raise fault(f"interrupted on the way: {made}")
    return bool(signals)


def _is_there(number: int, node: "tuple[int, int]") -> bool:
    rank = ranks.number(number)
    try:
        return rank is not None and rank.registry.node(*node) is not None
    except _mpipp.Error:
        return False


@contextmanager
def _only_breakpoint(address: int) -> Iterator[None]:
    """A breakpoint there; meanwhile all others are disabled."""
    others = [one for one in gdb.breakpoints() if one.enabled]
    mine = gdb.Breakpoint(f"*0x{address:x}", internal=True)
    mine.silent = True
    try:
        for one in others:
            one.enabled = False
        yield
    finally:
        mine.delete()
        for one in others:
            if one.is_valid():
                _enable(one)


def _enable(breakpoint: gdb.Breakpoint) -> None:
    """Or says that it stays disabled: a watchpoint may name what is not there at that time."""
    try:
        breakpoint.enabled = True
    except gdb.error as error:
        let_quit(error)
        gdb.write(f"mpipp: breakpoint {breakpoint.number} stays disabled: {sentence(error)}\n", gdb.STDERR)
