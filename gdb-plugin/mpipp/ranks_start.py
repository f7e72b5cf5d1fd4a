# SPDX-License-Identifier: BSD-3-Clause
"""All ranks of a job under this gdb: `mpipp gdb -n N` has started them, and each waits before main to be traced.

The job has a keeper (cmd/job.c), a process that ends it when gdb is gone.  Rank r becomes inferior r + 1, stopped at
main.  Hooks add what a job needs to the commands that run a program: see ranks_hooks.py.
"""

import os
import signal
import time
from typing import Callable, List, NamedTuple, Optional

import gdb

from . import ranks_hooks
from .fault import sentence
from .host_text import shown
from .ranks_control import quietly
from .root import address_of

SECONDS_TO_END = 5.0


class Held(NamedTuple):
    """A rank's note in the job's folder."""

    rank: int
    pid: int


class Job:
    """The job of this gdb."""

    def __init__(self, folder: str, keeper: int) -> None:
        self._folder = folder
        self._keeper = keeper
        self._pids: List[int] = []
        exiting = getattr(gdb.events, "gdb_exiting", None)
        if exiting is not None:
            exiting.connect(self._exiting)

    def held(self) -> List[Held]:
        """The ranks that wait, by rank."""
        found = []
        for name in os.listdir(self._folder):
            if name.isdigit():
                with open(os.path.join(self._folder, name), encoding="ascii") as note:
                    found.append(Held(int(note.read().split()[0]), int(name)))
        return sorted(found)

    def take(self, held: Held, first: bool) -> Optional[int]:
        """Attaches to a rank and runs it to main. Returns its inferior; None if it has ended before."""
        if not first:
            gdb.execute("add-inferior", to_string=True)
            newest = max(inferior.num for inferior in gdb.inferiors())
            gdb.execute(f"inferior {newest}", to_string=True)
        inferior = gdb.selected_inferior()
        gdb.execute(f"attach {held.pid}", to_string=True)
        self._pids.append(held.pid)
        _run_to_main()
        return inferior.num if inferior.pid else None

    def _exiting(self, _event: object) -> None:
        """Ends the job with gdb, unless the user has detached from all ranks that are still alive."""
        attached = [inferior.num for inferior in gdb.inferiors() if inferior.pid in self._pids]
        if not attached and any(_lives(pid) for pid in self._pids):
            with open(os.path.join(self._folder, "detached"), "w", encoding="ascii"):
                return
        try:
            os.kill(self._keeper, signal.SIGUSR1)
            self._wait(lambda: os.path.exists(os.path.join(self._folder, "quiet")))
            if attached:
                gdb.execute("kill inferiors " + " ".join(str(number) for number in attached), to_string=True)
            self._wait(lambda: False)
        except (gdb.error, OSError):
            pass  # it has ended by itself
        import shutil  # see host_text.py

        shutil.rmtree(self._folder, ignore_errors=True)  # in case the keeper was killed before it could

    def _wait(self, done: Callable[[], bool]) -> None:
        """Waits for an action of the keeper, or for its end."""
        end = time.monotonic() + SECONDS_TO_END
        while time.monotonic() < end and not done() and os.waitpid(self._keeper, os.WNOHANG)[0] == 0:
            time.sleep(0.01)


def start(folder: bytes, keeper: int) -> None:
    """The actions of `mpipp gdb -n N` before the user's own commands."""
    job = Job(os.fsdecode(folder), keeper)
    gdb.execute("set schedule-multiple off")
    with quietly():
        rows = _take_all(job)
    gdb.execute("set schedule-multiple on")
    ranks_hooks.install()
    gdb.write("".join(rows))
    if gdb.selected_thread() is not None:
        gdb.execute("frame")


def _take_all(job: Job) -> List[str]:
    rows = []
    for number, held in enumerate(job.held()):
        try:
            inferior = job.take(held, number == 0)
        except gdb.error as error:
            gdb.write(f"mpipp: cannot debug rank {held.rank} (process {held.pid}): {sentence(error)}\n", gdb.STDERR)
            gdb.execute("quit 1")
        where = "ended before main" if inferior is None else f"inferior {inferior}"
        rows.append(f"rank {held.rank}: {where}, process {held.pid}\n")
    gdb.execute("inferior 1", to_string=True)
    return rows


def _run_to_main() -> None:
    """Runs only the selected inferior: to main, in Fortran to the main program, without symbols to the entry point."""
    for place in ("MAIN__", "main"):
        if address_of(place) is not None:
            location = f"-qualified {place}"
            break
    else:
        location = f"*{_entry()}"
    stop = gdb.Breakpoint(location, internal=True)
    try:
        gdb.execute("continue", to_string=True)
    finally:
        if stop.is_valid():
            stop.delete()


def _entry() -> int:
    for line in shown("info auxv").splitlines():
        words = line.split()
        if len(words) > 1 and words[1] == "AT_ENTRY":
            return int(words[-1], 0)
    raise gdb.error("the program's entry is not known")


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True
