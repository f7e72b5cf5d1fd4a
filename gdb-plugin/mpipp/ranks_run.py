# SPDX-License-Identifier: BSD-3-Clause
"""Running a job under one gdb: the actions of `continue` with several ranks.

gdb stops all ranks when one stops, and the end of a rank is a stop, too.  Ranks run the same program: so after a
`continue` that ended at a breakpoint, the other ranks get some time to reach a breakpoint, too; and a rank that has ended
without error does not stop the others.
"""

import os
import time
from typing import List

import gdb

from .ranks_control import Control, Row


class Gather(gdb.Parameter):
    """How many seconds the other ranks get to stop, too, when one has stopped.

When `continue' ends at a breakpoint in one rank, gdb stops the others wherever they
are.  The other ranks then run on, while those that have arrived stay, until each is
at a breakpoint or the time is over.  0: they stay where they are."""

    set_doc = "Set how many seconds the other ranks get to stop at a breakpoint, too."
    show_doc = "Show how many seconds the other ranks get to stop at a breakpoint, too."

    def __init__(self) -> None:
        super().__init__("mpi-gather", gdb.COMMAND_RUNNING, gdb.PARAM_ZUINTEGER)
        self.value = 2

    def get_set_string(self) -> str:
        """Writes nothing."""
        return ""

    def get_show_string(self, value: str) -> str:
        """The text of `show mpi-gather`."""
        return f"The other ranks get {value} seconds to stop at a breakpoint, too."


class Run:
    """`continue`, and the actions of every command that runs the ranks."""

    def __init__(self, gather: Gather, control: Control) -> None:
        self._gather = gather
        self._control = control
        self._continuing = False

    def before(self) -> None:
        """Before any command that runs the ranks: a rank that has ended cannot run, so one that lives is selected."""
        self._continuing = False
        self._control.stop = None
        for inferior in gdb.inferiors():
            if inferior.pid and _is_dead(inferior.pid):
                gdb.execute(f"kill inferiors {inferior.num}", to_string=True)
                gdb.write(f"[Inferior {inferior.num} has been killed from outside]\n")
        if gdb.selected_inferior().pid == 0:
            _select_living()

    def before_continue(self) -> None:
        """Before `continue`; see also after()."""
        self.before()
        self._continuing = True

    def after(self) -> None:
        """After `continue`, when a rank has stopped."""
        control = self._control
        if not self._continuing or control.stop is None:
            return
        self._continuing = False
        while isinstance(control.stop, gdb.ExitedEvent) and ended_well(control.stop) and _select_living():
            control.stop = None
            with control.ours():
                gdb.execute("continue")
        if self._gather.value and control.may_go_on():
            self._gather_others()

    def _gather_others(self) -> None:
        thread, inferior = gdb.selected_thread(), gdb.selected_inferior()
        waiting = [other for other in gdb.inferiors() if other.pid and other != inferior]
        with self._control.only_some():
            rows = self._control.until_stopped(waiting, time.monotonic() + self._gather.value)
        if thread is not None and thread.is_valid():
            thread.switch()
        write_rows(rows)
        if waiting:
            gdb.write(f"{_named(waiting)}: at no breakpoint within {self._gather.value} s (see 'help set mpi-gather')\n")


def ended_well(event: gdb.ExitedEvent) -> bool:
    """Whether it ended without a signal, with status 0."""
    return getattr(event, "exit_code", None) == 0


def write_rows(rows: List[Row]) -> None:
    """Writes the positions of the ranks that have reached a breakpoint."""
    for number, place in sorted(rows):
        gdb.write(f"inferior {number}: {place}\n")


def _select_living() -> bool:
    for inferior in gdb.inferiors():
        threads = [thread for thread in inferior.threads() if thread.is_valid()]
        if threads:
            threads[0].switch()  # not by a command: that would show a frame, and the rank may be dying
            return True
    return False


def _is_dead(pid: int) -> bool:
    """Whether a process was killed while it was stopped: gdb 13 then refuses all commands, because it has no registers."""
    try:
        if not _read(f"/proc/{pid}/statm").startswith(b"0 "):
            return False  # it has memory, which is all that is needed before a step
        tasks = (_read(f"/proc/{pid}/task/{task}/stat") for task in os.listdir(f"/proc/{pid}/task"))
        return all(stat.rpartition(b")")[2].split()[0] in (b"Z", b"X") for stat in tasks)
    except OSError:
        return True


def _read(path: str) -> bytes:
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 4096)
    finally:
        os.close(file)


def _named(inferiors: List[gdb.Inferior]) -> str:
    numbers = ", ".join(str(inferior.num) for inferior in inferiors)
    return f"inferior {numbers}" if len(inferiors) == 1 else f"inferiors {numbers}"
