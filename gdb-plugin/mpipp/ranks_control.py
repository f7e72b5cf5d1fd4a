# SPDX-License-Identifier: BSD-3-Clause
"""Why the ranks last stopped, and how to run some of them while the others stay."""

import atexit
import math
import os
import re
import signal
import threading
import time
from contextlib import contextmanager
from typing import Callable, Iterator, List, Optional, Tuple

import gdb

from . import _mpipp
from .host_text import shown
from .watched import changes

# gdb's own signal handlers are for its main thread.
_GDBS_SIGNALS = (signal.SIGCHLD, signal.SIGINT, signal.SIGALRM, signal.SIGWINCH)

Row = Tuple[int, str]  # an inferior, and its position


@contextmanager
def quietly() -> Iterator[None]:
    """gdb reports where a rank stops, or which is selected, even during a command whose output is captured."""
    shown = gdb.execute("show suppress-cli-notifications", to_string=True)
    gdb.execute("set suppress-cli-notifications on")
    try:
        yield
    finally:
        gdb.execute(f"set suppress-cli-notifications {'on' if ' on' in shown else 'off'}")


class Later:
    """An action of gdb's main thread after some seconds, whether a rank runs then or not."""

    _waiting = 0  # number of actions that were posted, and not done
    _watching = False
    _clock: "Optional[_Clock]" = None

    def __init__(self, seconds: float, what: Callable[[], None]) -> None:
        self._what = what
        self.at = time.monotonic() + seconds
        if not Later._watching and hasattr(gdb.events, "gdb_exiting"):
            Later._watching = True
            gdb.events.gdb_exiting.connect(_leave_in_time)
        if Later._clock is None:
            Later._clock = _Clock()
        Later._clock.add(self)

    def cancel(self) -> None:
        """Cancels the action."""
        if Later._clock is not None:
            Later._clock.remove(self)

    def post(self) -> None:
        """Called in another thread: the time is over."""
        Later._waiting += 1
        gdb.post_event(self._do)

    def _do(self) -> None:
        Later._waiting -= 1
        self._what()

    @classmethod
    def is_waiting(cls) -> bool:
        """Whether an action was posted that gdb has not done yet."""
        return cls._waiting > 0


class _Clock:
    """Waits for all actions in one thread: a thread for each would make a step cost more than anything else does. The
    thread is not woken for each either: it sleeps until the time that it knows of, and then looks for others."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: List[Later] = []
        self._wakes_at = math.inf
        _start(threading.Thread(target=self._run))

    def add(self, later: Later) -> None:
        """Adds an action to wait for."""
        with self._changed:
            self._waiting.append(later)
            if later.at < self._wakes_at:
                self._changed.notify()

    def remove(self, later: Later) -> None:
        """Removes it; it may have been posted already."""
        with self._changed:
            if later in self._waiting:
                self._waiting.remove(later)

    def _run(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                for later in [later for later in self._waiting if later.at <= now]:
                    self._waiting.remove(later)
                    later.post()
                self._wakes_at = min((later.at for later in self._waiting), default=math.inf)
                self._changed.wait(None if self._wakes_at == math.inf else self._wakes_at - now)


def _timer(seconds: float, what: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, what)
    _start(timer)
    return timer


def _start(thread: threading.Thread) -> None:
    thread.daemon = True  # gdb need not stay alive for it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _GDBS_SIGNALS)
    thread.start()
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_in_time(event: gdb.Event) -> None:
    """After Python has ended, gdb frees the actions that it has not done, and crashes."""
    if Later.is_waiting():
        status = getattr(event, "exit_code", 0) or 0
        atexit.register(lambda: (gdb.flush(), os._exit(status)))


class Control:
    """Why the ranks last stopped; and running some of them."""

    def __init__(self) -> None:
        self.stop: Optional[gdb.Event] = None
        self.inferior = 0  # where that was
        self.busy = False
        gdb.events.stop.connect(self._note)
        gdb.events.exited.connect(self._note)

    def _note(self, event: gdb.Event) -> None:
        self.stop = event
        inferior = event.inferior if isinstance(event, gdb.ExitedEvent) else gdb.selected_inferior()
        self.inferior = inferior.num

    @contextmanager
    def ours(self) -> Iterator[None]:
        """true while a command runs that is not the user's"""
        self.busy = True
        try:
            yield
        finally:
            self.busy = False

    def may_go_on(self) -> bool:
        """Whether, after the last stop, we may decide what other ranks do: it is at a breakpoint without commands or conditions
        of
        the user for what comes next, and SIGINT stops a rank without any other effect."""
        if not isinstance(self.stop, gdb.BreakpointEvent) or not gdb.parameter("schedule-multiple"):
            return False
        if not all(_is_for_all(point) for point in self.stop.breakpoints):
            return False
        signals = gdb.execute("info signals SIGINT", to_string=True).splitlines()[-1].split()
        return signals[1] == "Yes" and signals[3] == "No"

    @contextmanager
    def only_some(self) -> Iterator[None]:
        """Meanwhile a command runs only the selected rank, and gdb is quiet."""
        gdb.execute("set schedule-multiple off")
        try:
            with self.ours(), quietly():
                yield
        finally:
            gdb.execute("set schedule-multiple on")

    def until_stopped(self, waiting: List[gdb.Inferior], end: float) -> List[Row]:
        """Runs all that wait, within only_some(), until each has stopped by itself or the time is over. Removes those that
        have stopped from `waiting`; returns their positions."""
        rows: List[Row] = []
        while waiting:
            self.background(waiting[1:])
            waiting[0].threads()[0].switch()
            if not self.foreground("continue", end):
                break
            rows += self.arrived(waiting)
        return rows

    def arrived(self, waiting: List[gdb.Inferior]) -> List[Row]:
        """Removes the rank that has stopped from those that wait, and returns its position."""
        for inferior in waiting:
            if inferior.num == self.inferior:
                waiting.remove(inferior)
                return [(inferior.num, self._place(inferior))]
        return []

    @staticmethod
    def background(inferiors: List[gdb.Inferior]) -> None:
        """Runs stopped ranks; the next stop of any rank stops them."""
        for inferior in inferiors:
            threads = inferior.threads()
            if threads and not threads[0].is_running():
                threads[0].switch()
                gdb.execute("continue&", to_string=True)

    def foreground(self, command: str, end: float) -> bool:
        """Runs the selected rank by a command until it, or one in the background, stops. Returns whether one has; if not,
        the time was over."""
        pid = gdb.selected_inferior().pid
        over = threading.Event()

        def interrupt() -> None:
            over.set()
            os.kill(pid, signal.SIGINT)

        self.stop = None
        timer = _timer(max(end - time.monotonic(), 0), interrupt)
        try:
            gdb.execute(command, to_string=True)
        finally:
            timer.cancel()
            timer.join()
        if over.is_set() and not self._is_interrupted():
            self._take_interrupt(pid)
            return True
        return not over.is_set()

    def _is_interrupted(self) -> bool:
        return isinstance(self.stop, gdb.SignalEvent) and self.stop.stop_signal == "SIGINT"

    def _take_interrupt(self, pid: int) -> None:
        """The SIGINT came too late: makes gdb see it now, and not at the user's next command. The rank does not move."""
        stop, number, thread = self.stop, self.inferior, gdb.selected_thread()
        for inferior in gdb.inferiors():
            if inferior.pid == pid:
                inferior.threads()[0].switch()
                gdb.execute("continue", to_string=True)
        self.stop, self.inferior = stop, number
        if thread is not None and thread.is_valid():
            thread.switch()

    def _place(self, inferior: gdb.Inferior) -> str:
        """The position of the selected rank in a line, and why it stopped."""
        if not inferior.pid:
            return "ended"
        why = f"received signal {self.stop.stop_signal} in " if isinstance(self.stop, gdb.SignalEvent) else ""
        why += "".join(f"{text}: " for _, text in changes(self.stop))
        return why + re.sub(r"^#0 +", "", _mpipp.visible(shown("frame").splitlines()[0]))


def _is_for_all(point: gdb.Breakpoint) -> bool:
    """Whether the other ranks would only stop at this breakpoint. (A temporary one is deleted by now.)"""
    return (
        point.is_valid()
        and not point.temporary
        and point.type in (gdb.BP_BREAKPOINT, gdb.BP_HARDWARE_BREAKPOINT)
        and point.thread is None
        and not point.commands
    )
