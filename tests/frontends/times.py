#!/usr/bin/env python3
"""How long a debug adapter takes to answer what an editor asks of a handle: VS Code's adapter, or gdb's own DAP.

    times.py MPIPP PROGRAM SOURCE cdt ADAPTER
    times.py MPIPP PROGRAM SOURCE dap GDB

For each question the least and the median of 30 answers, in milliseconds. The exit status is 1 if the least of one is above 20 ms:
what else runs on the machine only adds.
"""

import os
import statistics
import sys
import time
from typing import Callable, Dict

from dap import Client, Stop, stopped
from ranks import line_of

MPIPP, PROGRAM, SOURCE, HOW, WHAT = sys.argv[1:]
TIMES = 30
MOST = 20  # ms
SETTINGS: Dict[str, object] = {"program": PROGRAM}
if HOW == "cdt":
    SETTINGS.update(gdb=f"{MPIPP}-gdb", gdbArguments=["--frontend=cdt-gdb-adapter"], type="gdb", name="times")


def start() -> Client:
    """The program, up to a breakpoint."""
    command = ["node", WHAT] if HOW == "cdt" else [f"{MPIPP}-gdb", f"--gdb={WHAT}", "-nx", "-i=dap"]
    client = Client(command, "times.log")
    client.ask("initialize", adapterID="gdb", linesStartAt1=True, columnsStartAt1=True, pathFormat="path")
    launched = client.send("launch", **SETTINGS)
    if HOW == "cdt":  # answers before the configuration, gdb after it
        client.answer(launched)
    client.wait("initialized")
    client.ask("setBreakpoints", source={"path": SOURCE}, breakpoints=[{"line": line_of(SOURCE, "called")}])
    client.ask("configurationDone")
    if HOW == "dap":
        client.answer(launched)
    return client


def unfolded(stop: Stop, expression: str) -> None:
    """A watched expression and its children."""
    found = stop.evaluate(expression, "watch")
    stop.client.ask("variables", variablesReference=found["variablesReference"])


def measured(name: str, question: Callable[[], object]) -> bool:
    """Prints how long the answers take; returns whether that is little enough."""
    taken = []
    for _ in range(TIMES):
        begun = time.monotonic()
        question()
        taken.append(1000 * (time.monotonic() - begun))
    print(f"{name:50} {min(taken):6.1f} {statistics.median(taken):6.1f} ms")
    return min(taken) <= MOST


def main() -> int:
    """Asks."""
    client = start()
    stop = stopped(client)
    good = [
        measured("hover column", lambda: stop.evaluate("column", "hover")),
        measured("watch column, unfolded", lambda: unfolded(stop, "column")),
        measured("watch $mpi_type(column), unfolded", lambda: unfolded(stop, "$mpi_type(column)")),
        measured("watch $mpi_buf(from, 1, column), unfolded", lambda: unfolded(stop, "$mpi_buf(from, 1, column)")),
        measured("local variables", stop.locals),
    ]
    client.close()
    return 0 if all(good) else 1


sys.path.insert(0, os.path.dirname(__file__))
sys.exit(main())
