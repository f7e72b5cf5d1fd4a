# SPDX-License-Identifier: BSD-3-Clause
"""Hooks on gdb's own commands that run a program: their additional actions in a job of several ranks."""

from typing import Optional

import gdb

from . import passed_over
from .fault import fault, sentences
from .ranks_control import Control
from .ranks_run import Gather, Run
from .ranks_step import Alone, Step

_STEPPING = ("next", "step", "nexti", "stepi", "finish", "until", "advance")
_RUNNING = ("jump", "signal")
_STARTING = ("run", "start", "starti")


class Hook(gdb.Command):
    """Additional actions of gdb's own commands in a job of several ranks: for hooks, not for users.

A command, because an exception of `python` inside a hook is shown as a traceback."""

    def __init__(self) -> None:
        super().__init__("maintenance mpi-hook", gdb.COMMAND_MAINTENANCE)
        self._control = Control()
        gather = Gather()
        self._run = Run(gather, self._control)
        self._step = Step(Alone(), gather, self._control)
        gdb.events.before_prompt.connect(self._prompt)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """ARGUMENT: "before" or "after", and a command."""
        if self._control.busy:
            return
        with sentences():
            when, command = argument.split()
            if when == "after":
                self._after()
            else:
                self._before(command)

    def _before(self, command: str) -> None:
        if command in _STARTING:
            raise fault("the ranks are started already: 'continue', or 'mpipp gdb -n N' again")
        passed_over.before(command)
        self._step.forget()
        if command == "continue":
            self._run.before_continue()
        else:
            self._run.before()
        if command in _STEPPING:
            self._step.before(command)

    def _after(self) -> None:
        self._run.after()
        self._step.after()
        passed_over.leave()

    def _prompt(self) -> None:
        """At a terminal a command ends at once, before anything has stopped; the stop is handled at the next prompt."""
        if self._control.busy:
            return
        try:
            with sentences():
                self._after()
        except gdb.GdbError as error:
            gdb.write(f"{error}\n", gdb.STDERR)


_hook: Optional[Hook] = None


def install() -> None:
    """Sets the hooks."""
    global _hook
    _hook = Hook()
    for command in _STARTING + _RUNNING + _STEPPING + ("continue",):
        _define(f"hook-{command}", f"before {command}")
    for command in _STEPPING + ("continue",):
        _define(f"hookpost-{command}", f"after {command}")


def _define(name: str, what: str) -> None:
    gdb.execute(f"define {name}\nmaintenance mpi-hook {what}\nend")
