# SPDX-License-Identifier: BSD-3-Clause
"""`up', `down', `finish', `step', `next' and `until' pass over the frames that `bt' leaves out: the library's own, between MPI and
the program's call.

Hooks of these commands do it; -exec-step and the like of GDB/MI run them, too. A frontend is told of two
stops: first of one in the library, then of the one in the program."""

from typing import Optional

import gdb

from . import backtrace, posted
from .fault import fault, let_quit

_MOVES = ("up", "down")
_STEPS = ("step", "next", "until")

class _Return:
    """A step that may end where MPI's function returns to the library, or where the library's MPI_X goes on."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.thread = gdb.selected_thread()
        self.call: Optional[gdb.Frame] = None
        """the program's call, as soon as the step has come to the library"""
        self.is_apart = False
        """the command has returned before the step has ended: at a terminal, and in GDB/MI"""
        self.is_one_of_several = False
        """there are other ranks, which do not run until it has come to the call"""

    def has_come(self) -> bool:
        """Whether it is on the way from the library to the program's call."""
        if self.call is not None:
            return self.call.is_valid()
        frame = gdb.newest_frame()
        self.call = _caller(frame) if backtrace.is_ours(frame) else None
        if self.call is not None and gdb.parameter("schedule-multiple"):
            self.is_one_of_several = True
            gdb.execute("set schedule-multiple off")
        return self.call is not None


def _caller(frame: gdb.Frame) -> Optional[gdb.Frame]:
    """The frame that has called the library: the program's, or that of a Fortran binding. Like gdb, without functions that
    have no name."""
    call: Optional[gdb.Frame] = frame
    while call is not None and (backtrace.is_ours(call) or call.name() is None):
        call = call.older()
    return call


_return: Optional[_Return] = None
_is_going = False  # leave() is at work
_is_advancing = False  # and has a command of its own executed
_has_ended = False  # the last stop was the end of a step, and not at a breakpoint or the like


class PassedOver(gdb.Command):
    """Additional actions of gdb's own commands around the library's frames: for hooks, not for users.

A command, because an exception of `python` inside a hook is shown as a traceback."""

    def __init__(self) -> None:
        super().__init__("maintenance mpi-passed-over", gdb.COMMAND_MAINTENANCE)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """ARGUMENT: "before" or "after", and a command."""
        when, command = argument.split()
        if when == "before":
            before(command)
        else:
            _after(command)


def install() -> None:
    """Defines gdb's hooks. Those that the user has defined, or defines later, take their place."""
    PassedOver()
    for command in _MOVES + _STEPS + ("finish",):
        _define("hook", "before", command)
    for command in _MOVES + _STEPS:
        _define("hookpost", "after", command)
    gdb.events.stop.connect(_stopped)
    gdb.events.before_prompt.connect(leave)


def _define(hook: str, when: str, command: str) -> None:
    try:
        gdb.execute(f"show user {hook}-{command}", to_string=True)
        return
    except gdb.error as error:  # there is none
        let_quit(error)
    gdb.execute(f"define {hook}-{command}\nmaintenance mpi-passed-over {when} {command}\nend")


def before(command: str) -> None:
    """Called before a command. Raises gdb.GdbError: the command would never end."""
    global _return, _has_ended
    if _is_advancing:
        return
    _forget()
    _has_ended = False
    try:
        if gdb.selected_thread() is None:
            return
        if command == "until":
            _refuse_until(gdb.selected_frame())
        if command in _STEPS:
            frame = gdb.newest_frame()
            if backtrace.is_call(frame) or _returns_to_library(frame):
                _return = _Return(command)
        elif command in _MOVES or command == "finish":
            _select_last(gdb.selected_frame(), command == "down")
    except gdb.error as error:  # it runs, or its stack cannot be read
        let_quit(error)


def _after(command: str) -> None:
    """Called after a command, if it has not failed. At a terminal the rank may still run then."""
    if command in _STEPS:
        if _return is not None and _return.thread is not None and _return.thread.is_valid():
            _return.is_apart = _return.thread.is_running()
        leave()
        return
    try:
        frame = gdb.selected_frame()
        if backtrace.is_left_out(frame):  # after `up 2'
            _select_last(frame, command == "down")
            other = gdb.selected_frame()
            other = other.newer() if command == "down" else other.older()
            gdb.execute(f"frame level {other.level()}")
    except gdb.error as error:
        let_quit(error)


def _returns_to_library(frame: gdb.Frame) -> bool:
    """Whether gdb's step out of this frame may end in the library. gdb steps on where a function has no name, as internal
    ones of MPICH 4.2 that return to the library."""
    caller = frame.older()
    is_named = caller is None or caller.name() is not None
    while caller is not None and caller.name() is None:
        caller = caller.older()
    return caller is not None and (backtrace.is_left_out(caller) if is_named else backtrace.is_call(caller))


def _refuse_until(frame: gdb.Frame) -> None:
    """gdb 13 looks for the end of the line, for ever, where a function has debug information but no lines."""
    if frame.function() is not None and frame.find_sal().line == 0:
        raise fault(f"'until' needs a line, {frame.name()} has none: 'finish', 'next', or 'advance' to a place")


def _select_last(frame: gdb.Frame, is_down: bool) -> None:
    """Selects the last one of the frames that are left out, and come next in this direction: the command goes on from there."""
    last, after_it = frame, _next(frame, is_down)
    while after_it is not None and backtrace.is_left_out(after_it):
        last, after_it = after_it, _next(after_it, is_down)
    if last != frame and after_it is not None:
        last.select()


def _next(frame: gdb.Frame, is_down: bool) -> Optional[gdb.Frame]:
    return frame.newer() if is_down else frame.older()


def _stopped(event: gdb.Event) -> None:
    global _has_ended
    _has_ended = type(event) is gdb.StopEvent  # pylint: disable=unidiomatic-typecheck
    if _return is not None and _return.is_apart:
        posted.post(leave)  # GDB/MI has no prompt


def leave() -> None:
    """Called when a command has ended: if a step has come to the library, goes on to the program's call, and there to the
    end of the step. With several ranks it ends at the call: what comes next may wait for another rank."""
    global _is_going
    if _is_going:
        return
    _is_going = True
    try:
        while _go_on():
            pass
    except gdb.error as error:
        _forget()
        let_quit(error)
    finally:
        _is_going = False


def _go_on() -> bool:
    """Goes one command further. Returns whether another one may follow. In GDB/MI the command may still run: then this
    is called again at its stop."""
    global _has_ended, _is_advancing
    step = _return
    if step is None or step.thread is None or (step.thread.is_valid() and step.thread.is_running()):
        return False
    if not _has_ended or gdb.selected_thread() != step.thread or not step.has_come():
        _forget()
        return False
    call = step.call
    if gdb.newest_frame() != call:
        _has_ended, _is_advancing = False, True
        try:
            # It also stops when the selected frame returns: that is the call. With a stop before it, and a second `advance'
            # from there, gdb 16 crashes if a frontend has asked something between the two.
            (call.newer() or gdb.newest_frame()).select()
            gdb.execute(f"advance *{call.pc():#x}")
        finally:
            _is_advancing = False
        return True
    _forget()
    if not step.is_one_of_several and call.find_sal().symtab is not None and call.find_sal().pc != call.pc():
        gdb.execute("next" if step.command == "until" else step.command)
    return False


def _forget() -> None:
    global _return
    step, _return = _return, None
    if step is not None and step.is_one_of_several:
        gdb.execute("set schedule-multiple on")
