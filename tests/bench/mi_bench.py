#!/usr/bin/env python3
"""A step in a frontend with 20 collapsed datatypes in view, with the plugin and without, in turns: of one rank, and of
one of two under the same gdb; and one with buffers of a call in view, with `set mpipp buffers on' and off.

    mi_bench.py MPIPP PROGRAM SOURCE     exit status 1: the plugin costs more than LIMIT, or buffers more than LIMIT_MS
"""

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

    def _until(self, start: str) -> None:
        for line in self._gdb.stdout:
            if line.startswith(start):
                return
            if "^error" in line:
                sys.exit(f"mi_bench: gdb says {line}")
        sys.exit("mi_bench: gdb ended")

    def ask(self, command: str) -> None:
        """A command, up to its result."""
        self._number += 1
        self._gdb.stdin.write(f"{self._number}{command}\n")
        self._until(f"{self._number}^")

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
        self.ask('-interpreter-exec console "clone-inferior"')
        self.ask('-interpreter-exec console "inferior 2"')
        super()._to(place)


def best_steps(*frontends: Frontend) -> list:
    """The least time of a step in each, in turns; they are ended."""
    best = [float("inf")] * len(frontends)
    for _ in range(STEPS):
        best = [min(before, frontend.step()) for before, frontend in zip(best, frontends)]
    for frontend in frontends:
        frontend.close()
    return best


def main() -> int:
    mpipp, program, source = sys.argv[1:]
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
