# SPDX-License-Identifier: BSD-3-Clause
"""Stepping one rank of a job: `next`, `step`, `finish` and the like move only the selected rank.

The other ranks stay where they are. If the step takes long, it may wait for one of them, in MPI: then they run as well,
until the step has ended.  If one of them reaches a breakpoint before, gdb stops all: that rank stays there, and the step
is completed while the ranks run that are not at a breakpoint.
"""

import time
from typing import List, Optional, Tuple

import gdb

from .fault import sentences
from .ranks_control import Control, Later, Row
from .ranks_run import Gather, ended_well, write_rows


# Commands that can continue after another rank has interrupted them. `until' and `advance' may have a location, which is
# not known here.
_CAN_GO_ON = ("next", "step", "nexti", "finish")


class Alone(gdb.Parameter):
    """How many seconds a step runs alone, before the other ranks run as well.

`next', `step', `nexti', `stepi', `finish', `until' and `advance' move the selected
rank; the others stay where they are.  A step that takes longer than this may wait for
another rank, in MPI: then they run, too, until it has ended or one of them stops.
With 0 they run from the start, as in plain gdb; with `unlimited' they never do."""

    set_doc = "Set how many seconds a step runs alone, before the other ranks run as well."
    show_doc = "Show how many seconds a step runs alone, before the other ranks run as well."

    def __init__(self) -> None:
        super().__init__("mpi-step-alone", gdb.COMMAND_RUNNING, gdb.PARAM_ZUINTEGER_UNLIMITED)
        self.value = 1

    def get_set_string(self) -> str:
        """Writes nothing."""
        return ""

    def get_show_string(self, value: str) -> str:
        """The text of `show mpi-step-alone`."""
        return f"A step runs alone for {value} seconds, before the other ranks run as well."


class _Step:
    """A step that has begun."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.inferior = gdb.selected_inferior()
        self.thread = gdb.selected_thread()
        # `finish` refers to the selected frame, all others to the newest.
        self.frame = gdb.selected_frame() if command == "finish" else gdb.newest_frame()
        self.pc = self.frame.pc()
        self.line = self.frame.find_sal().line
        self.is_alone = True  # schedule-multiple is off for it
        self.others_run = False
        self.timer: Optional[Later] = None

    def runs(self) -> bool:
        """Whether it is still running."""
        return self.thread.is_valid() and self.thread.is_running()

    def rest(self) -> Optional[Tuple[str, gdb.Frame]]:
        """The command that continues it after an interruption, and the frame for it; None if it has reached its
        end."""
        if not self.thread.is_valid():
            return None
        self.thread.switch()
        if not self.frame.is_valid():
            return None  # it has returned from there
        inner = self.frame if self.command == "finish" else self._inner()
        if inner is None:
            return None if self._has_moved() else (self.command, self.frame)
        if self.command == "step" and inner.find_sal().symtab is not None:
            return None  # it has stepped into a function
        return "finish", inner

    def _has_moved(self) -> bool:
        frame = gdb.newest_frame()
        return frame.pc() != self.pc if self.command == "nexti" else frame.find_sal().line != self.line

    def _inner(self) -> Optional[gdb.Frame]:
        """The frame that its frame has called; None if it has called nothing."""
        frame: Optional[gdb.Frame] = gdb.newest_frame()
        inner = None
        while frame is not None and frame != self.frame:
            inner, frame = frame, frame.older()
        return inner


class Step:
    """The commands that move one rank."""

    def __init__(self, alone: Alone, gather: Gather, control: Control) -> None:
        self._alone = alone
        self._gather = gather
        self._control = control
        self._step: Optional[_Step] = None
        gdb.events.stop.connect(self._stopped)
        gdb.events.exited.connect(self._stopped)

    def before(self, command: str) -> None:
        """Before such a command."""
        self.forget()
        if self._alone.value == 0 or not gdb.parameter("schedule-multiple") or gdb.selected_thread() is None:
            return
        step = self._step = _Step(command)
        gdb.execute("set schedule-multiple off")
        if self._alone.value is not None and self._alone.value > 0:
            step.timer = Later(self._alone.value, lambda: self._let_others_run(step))

    def forget(self) -> None:
        """There is no step any more, or it may have failed to begin."""
        if self._step is not None:
            self._stopped(None)
            self._step = None

    def _stopped(self, _event: Optional[gdb.Event]) -> None:
        step = self._step
        if step is not None and step.is_alone:
            step.is_alone = False
            if step.timer is not None:
                step.timer.cancel()
            gdb.execute("set schedule-multiple on")

    def _let_others_run(self, step: _Step) -> None:
        if step is not self._step or not step.runs():
            return
        step.others_run = True
        try:
            with sentences(), self._control.ours():
                self._control.background([inferior for inferior in gdb.inferiors() if inferior != step.inferior])
        except gdb.GdbError as error:
            gdb.write(f"{error}\n", gdb.STDERR)
        finally:
            step.thread.switch()

    def after(self) -> None:
        """After such a command, when a rank has stopped."""
        step = self._step
        if step is None or step.runs():
            return
        self._step = None
        control = self._control
        if control.stop is None or not step.others_run:
            return
        if control.inferior == step.inferior.num:
            seconds = self._alone.value
            gdb.write(f"The other ranks ran, too, after {seconds} s (see 'help set mpi-step-alone')\n")
        elif step.thread.is_valid():
            self._cut_short(step)

    def _cut_short(self, step: _Step) -> None:
        """Another rank has stopped all: completes the step, unless that stop is a reason not to."""
        control = self._control
        stop = control.stop
        ended = False
        if step.command in _CAN_GO_ON and self._gather.value:
            if ended_well(stop) if isinstance(stop, gdb.ExitedEvent) else control.may_go_on():
                ended = self._end(step, control.inferior)
        if not ended:
            gdb.write(f"inferior {step.inferior.num}: '{step.command}' has not come to its end\n")

    def _end(self, step: _Step, but: int) -> bool:
        """Runs all but one that has stopped. Returns whether the step ends in time."""
        waiting = [other for other in gdb.inferiors() if other.pid and other.num not in (but, step.inferior.num)]
        rows: List[Row] = []
        end = time.monotonic() + self._gather.value
        with self._control.only_some():
            ended = self._run_on(step, waiting, rows, end)
        write_rows(rows)
        if step.thread.is_valid():
            step.thread.switch()
            gdb.execute("frame")
        return ended

    def _run_on(self, step: _Step, waiting: List[gdb.Inferior], rows: List[Row], end: float) -> bool:
        control = self._control
        while True:
            rest = step.rest()
            if rest is None:
                return True
            command, frame = rest
            control.background(waiting)
            step.thread.switch()
            frame.select()
            if not control.foreground(command, end):
                return False
            if control.inferior != step.inferior.num:
                rows += control.arrived(waiting)
            elif command == step.command or type(control.stop) is not gdb.StopEvent:
                return True
