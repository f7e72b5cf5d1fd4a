#!/usr/bin/env python3
"""A step in a frontend with 20 collapsed datatypes in view, with the plugin and without, in turns: of one rank, of one
of two under the same gdb, and of one of the two of a job; and one with buffers of a call in view, with
`set mpipp buffers on' and off.

    mi_bench.py MPI MPIPP PROGRAM SOURCE

Exit status 1: the plugin costs more than LIMIT, or buffers more than LIMIT_MS. Times are the least ones; of a job's
step it is the processor time of gdb, by its median: the other rank and the launcher are there, too.
"""

import glob
import os
import re
import statistics
import subprocess
import sys
import time

STEPS = 300
VARIABLES = 20
LIMIT = 1.2
BUFFERS = ("data", "pointer", "&data[0]", "(void*)data", "data + 1", "lengths", "offsets", "bytes")
LIMIT_MS = 5


class Frontend:
    """A gdb that is driven through GDB/MI."""

    def __init__(self, command: list, source: str, line: int, more: tuple = ()) -> None:
        """more: variables in view."""
        self._gdb = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
        )
        self._number = 0
        self.ask("-enable-pretty-printing")
        self._to(f"{source}:{line}")
        for i in range(VARIABLES):
            self.ask(f"-var-create v{i} * t{i}")
        for i, expression in enumerate(more):
            self.ask(f'-var-create b{i} * "{expression}"')

    def _to(self, place: str) -> None:
        """Starts the program, up to a place."""
        self.ask(f"-break-insert -t {place}")
        self.go("-exec-run")

    def _until(self, start: str) -> str:
        """What gdb says, up to a line that begins so."""
        said = ""
        for line in self._gdb.stdout:
            said += line
            if line.startswith(start):
                return said
            if "^error" in line:
                sys.exit(f"mi_bench: gdb says {line}")
        sys.exit("mi_bench: gdb ended")

    def ask(self, command: str) -> str:
        """A command, up to its result."""
        self._number += 1
        self._gdb.stdin.write(f"{self._number}{command}\n")
        return self._until(f"{self._number}^")

    def console(self, command: str) -> str:
        """The same of one that is none of MI's."""
        return self.ask(f'-interpreter-exec console "{command}"')

    def go(self, command: str) -> None:
        """A command, up to the stop that follows."""
        self.ask(command)
        self._until("*stopped")

    def step(self) -> float:
        """Seconds for what a frontend does at a step."""
        start = time.perf_counter()
        self.go("-exec-next")
        self.ask("-var-update --all-values *")
        return time.perf_counter() - start

    def close(self) -> None:
        """Ends gdb and the program."""
        self._gdb.stdin.write("kill\n-gdb-exit\n")
        self._gdb.stdin.flush()
        self._gdb.wait()


class Pair(Frontend):
    """Two ranks, each started by gdb, so that both sides have the same processes; the second is looked at."""

    def _to(self, place: str) -> None:
        super()._to(place)
        self.console("clone-inferior")
        self.console("inferior 2")
        super()._to(place)


class Job(Frontend):
    """The two ranks of a job; the second is looked at, and moves alone."""

    def _to(self, place: str) -> None:
        self._ranks()
        self._pid = int(re.search(r'~"(\d+)', self.console("python import os; print(os.getpid())")).group(1))
        self.console("set schedule-multiple on")
        self.ask(f"-break-insert {place}")
        self.go("-exec-continue --all")
        self.console("set schedule-multiple off")
        for number in (1, 2):
            self.console(f"inferior {number}")
            if f'line="{place.rpartition(":")[2]}"' not in self.ask("-stack-list-frames 0 0"):
                self.go("-exec-continue")
        self.ask("-break-delete")
        self._let_go()

    def _ranks(self) -> None:
        """They are there, and stand before MPI_Init()."""

    def _let_go(self) -> None:
        self.console("set schedule-multiple on")  # as it is in such a session

    def _used(self) -> float:
        """Seconds of a processor that gdb has had."""
        used = 0
        for path in glob.glob(f"/proc/{self._pid}/task/*/schedstat"):
            with open(path, encoding="ascii") as file:
                used += int(file.read().split()[0])
        return used / 1e9

    def step(self) -> float:
        before = self._used()
        super().step()
        return self._used() - before

    def close(self) -> None:
        self._gdb.stdin.write('-interpreter-exec console "kill inferiors 1 2"\n-gdb-exit\n')
        self._gdb.stdin.flush()
        self._gdb.wait()


class BareJob(Job):
    """The same without the plugin: the ranks wait to be attached to."""

    def __init__(self, launch: list, *rest) -> None:
        self._launcher = subprocess.Popen(launch, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        super().__init__(*rest)

    def _ranks(self) -> None:
        pids: list = []
        while len(pids) < 2:
            line = self._launcher.stdout.readline()
            if not line:
                sys.exit("mi_bench: the ranks do not start")
            pids += re.findall(r"^(\d+)$", line)
        for number, pid in enumerate(pids, 1):
            if number > 1:
                self.console("add-inferior")
                self.console(f"inferior {number}")
            self.console(f"attach {pid}")
            self.console("set var held = 0")

    def _let_go(self) -> None:
        """gdb moves one alone by itself."""

    def close(self) -> None:
        super().close()
        self._launcher.communicate()


def best_steps(*frontends: Frontend) -> list:
    """The least time of a step in each, in turns; they are ended."""
    best = [float("inf")] * len(frontends)
    for _ in range(STEPS):
        best = [min(before, frontend.step()) for before, frontend in zip(best, frontends)]
    for frontend in frontends:
        frontend.close()
    return best


def of_job(mpi: str, mpipp: str, program: str, source: str, line: int) -> bool:
    """A step of a job's rank; says what it takes. Returns whether that is too much."""
    os.environ.setdefault("OMPI_MCA_rmaps_base_oversubscribe", "1")
    options = ["-nx", "-q", "-i=mi2"]
    launcher = {"mpich": "mpiexec.mpich", "openmpi": "mpirun.openmpi"}[mpi]
    bare = BareJob([launcher, "-n", "2", mpipp, "exec", "--", program, "wait"], ["gdb", *options], source, line)
    ours = Job([mpipp, "gdb", "-n", "2", f"--mpi={mpi}", *options, program], source, line)
    steps = [(bare.step(), ours.step()) for _ in range(STEPS)]
    bare.close()
    ours.close()
    without, with_plugin = map(statistics.median, zip(*steps))
    ratio = with_plugin / without
    print(
        f"a step of a rank of a job of two with {VARIABLES} collapsed datatypes in view, processor time of gdb:"
        f" {without * 1e3:.2f} ms without the plugin, {with_plugin * 1e3:.2f} ms with it: {ratio:.2f} x"
        f" (at most {LIMIT} wanted)"
    )
    return ratio > LIMIT


def main() -> int:
    mpi, mpipp, program, source = sys.argv[1:]
    with open(source, encoding="utf-8") as text:
        line = next(number for number, content in enumerate(text, 1) if "stop: steps" in content)
    options = ["-nx", "-q", "-i=mi2"]
    bare = ["gdb", *options, "-iex", f"set exec-wrapper {mpipp} exec --"]
    ours = [mpipp, "gdb", "-n", "1", *options]
    is_missed = False
    for what, kind in (("", Frontend), (", one of two ranks,", Pair)):
        without, with_plugin = best_steps(kind([*bare, program], source, line), kind([*ours, program], source, line))
        ratio = with_plugin / without
        is_missed |= ratio > LIMIT
        print(
            f"a step{what} with {VARIABLES} collapsed datatypes in view: {without * 1e3:.2f} ms without the plugin,"
            f" {with_plugin * 1e3:.2f} ms with it: {ratio:.2f} x (at most {LIMIT} wanted)"
        )
    is_missed |= of_job(mpi, mpipp, program, source, line)
    off, on = best_steps(
        Frontend([*ours, program], source, line, BUFFERS),
        Frontend([*ours, "-ex", "set mpipp buffers on", program], source, line, BUFFERS),
    )
    print(
        f"the same and {len(BUFFERS)} pointers and arrays: {off * 1e3:.2f} ms with 'mpipp buffers' off,"
        f" {on * 1e3:.2f} ms with it on: {(on - off) * 1e3:.2f} ms more (at most {LIMIT_MS} wanted)"
    )
    return is_missed or (on - off) * 1e3 > LIMIT_MS


sys.exit(main())
