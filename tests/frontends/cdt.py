#!/usr/bin/env python3
"""mpipp in VS Code and Eclipse CDT.cloud: the debug adapter of both, driven as an editor does.

    cdt.py ADAPTER MPIPP PROGRAM SOURCE GOLDEN      the transcript of a session is GOLDEN's text
    cdt.py ADAPTER MPIPP PROGRAM call.c GOLDEN      the same with `set mpipp buffers on'
    cdt.py ADAPTER MPIPP PROGRAM SOURCE --attach    the same program as rank 1 of a job
    cdt.py ADAPTER MPIPP PROGRAM SOURCE --close     the editor goes away in the middle

An error is printed, and the exit status is 1. UPDATE=yes writes GOLDEN.
"""

import itertools
import json
import os
import subprocess
import sys
from typing import Iterator

import golden
import screen
from dap import Client, Failed, Stop, evaluated, step, stopped, tree
from ranks import PATIENCE, alive, line_of, rank_of, until

ADAPTER, MPIPP, PROGRAM, SOURCE, GOLDEN = sys.argv[1:]
FORTRAN = SOURCE.endswith(".f90")
FROM = "&from" if FORTRAN else "from"  # where the buffer is, as the language has it
# The adapter passes its console's quotes on as they are.
ELEMENT = "'[1][0]'" if FORTRAN else r'\"[1][0][0][0][0]\"'
LAUNCH = os.path.join(os.path.dirname(__file__), "../../ddd-integration/vscode/launch.json")


def session() -> Client:
    """An adapter that has been asked what it can."""
    client = Client(["node", ADAPTER], "session.log")
    client.ask("initialize", adapterID="gdb", linesStartAt1=True, columnsStartAt1=True, pathFormat="path")
    return client


def start(client: Client, request: str, **arguments: object) -> None:
    """What launch.json says, of this program, and a breakpoint."""
    with open(LAUNCH, encoding="utf-8") as file:
        every = json.load(file)["configurations"]
    settings = next(one for one in every if one["type"] == "gdb" and one["request"] == request)
    settings.update(program=PROGRAM, gdb=os.path.join(os.path.dirname(MPIPP), settings["gdb"]), **arguments)
    client.ask(request, **settings)
    client.wait("initialized")
    lines = [line_of(SOURCE, "called")]
    client.ask("setBreakpoints", source={"path": SOURCE}, breakpoints=[{"line": line} for line in lines])
    client.ask("configurationDone")


def view(stop: Stop) -> Iterator[str]:
    """The view of variables, all unfolded."""
    yield f"-- {stop.reason}: {stop.frame['name']}"
    for variable in stop.locals():
        yield from tree(stop.client, variable)


def ends(stop: Stop, expression: str) -> Iterator[str]:
    """Of what is long, the first and the last child and how many there are."""
    found = stop.evaluate(expression, "watch")
    children = stop.client.ask("variables", variablesReference=found["variablesReference"])["variables"]
    yield f"-- {expression}: {len(children)} children"
    for child in (children[0], children[-1]):
        yield f"  {child['name']}: {child['value']}"


def repl(stop: Stop, command: str) -> Iterator[str]:
    """A command typed in the debug console."""
    stop.client.output = ""
    yield f"-- {command}"
    try:
        stop.evaluate(">" + command, "repl")
        lines = stop.client.output.replace("\r", "").split("\n")
        yield from (line for line in lines if line and not line.startswith("GDB unhandled notify"))
    except Failed as error:
        yield f"error: {error}"


def whole() -> Iterator[str]:
    """A session: launch, unfold, step, unfold, run to the end."""
    with screen.display() as display:
        yield from looked_at(display)


def looked_at(display: "screen.server.Display") -> Iterator[str]:
    """The same, on a display."""
    client = session()
    start(client, "launch")
    stop = stopped(client)
    yield from view(stop)
    yield from itertools.islice(evaluated(stop, "column", "hover"), 3)
    yield from itertools.islice(evaluated(stop, "$mpi_type(column)", "watch"), 3)
    yield from evaluated(stop, f"$mpi_buf({FROM}, 1, column)", "watch")
    yield from ends(stop, f"$mpi_buf({FROM}, 1000000000, $MPI_INT)")
    yield from repl(stop, "mpi signature column")
    yield from repl(stop, "mpi draw column, column.svg")
    yield from repl(stop, f"mpi browse column {FROM}")
    yield f"windows: {display.windows('1')}"
    stop = step(step(stop))
    yield from view(stop)
    yield from evaluated(stop, f"$mpi_buf({FROM}, 1, column)", "watch")
    yield from repl(stop, f"set var $mpi_elem(column, {ELEMENT}, {FROM}) = 77")
    yield from evaluated(step(stop), f"$mpi_buf({FROM}, 1, column)", "watch")
    client.ask("setBreakpoints", source={"path": SOURCE}, breakpoints=[])
    client.ask("continue", threadId=stop.thread)
    client.wait("terminated")
    client.close()
    yield f"windows: {display.windows('0')}"


def buffers() -> Iterator[str]:
    """A session with `set mpipp buffers on': before a call, twice after it, and when it is past."""
    client = session()
    start(client, "launch", gdbArguments=["--frontend=cdt-gdb-adapter", "-ex", "set mpipp buffers on"])
    stop = stopped(client)
    for _ in range(4):
        yield from view(stop)
        yield from evaluated(stop, "from", "watch")
        stop = step(stop)
    client.ask("disconnect")
    client.close()


def attach() -> int:
    """A rank of a job that runs: it is looked at, and runs on to its end."""
    job = subprocess.Popen([MPIPP, "run", "-n", "2", PROGRAM, "wait"], stdin=subprocess.DEVNULL)
    rank = until("rank 1", lambda: [process for process in alive(PROGRAM) if rank_of(process) == "1"])[0]
    client = session()
    start(client, "attach", processId=str(rank))
    threads = client.ask("threads")["threads"]
    client.ask("pause", threadId=threads[0]["id"])
    stop = stopped(client)
    stop.evaluate(">set var 'cells.c'::go = 1", "repl")
    client.ask("continue", threadId=stop.thread)
    stop = stopped(client)
    lines = list(evaluated(stop, "column", "watch"))
    client.ask("disconnect")
    client.close()
    status = job.wait(PATIENCE)
    if lines[2].strip() != "kind: VECTOR" or stop.frame["name"] != "exchange":
        print(stop.where(), *lines, sep="\n")
        return 1
    if status != 0:
        print(f"the job's exit status: {status}")
    return status != 0


def close() -> int:
    """An editor that is killed leaves no process of the program."""
    client = session()
    start(client, "launch")
    stopped(client)
    if not alive(PROGRAM):
        print("the program does not run")
        return 1
    client.close()
    until("the program is gone", lambda: not alive(PROGRAM))
    return 0


def main() -> int:
    if GOLDEN == "--attach":
        return attach()
    if GOLDEN == "--close":
        return close()
    return golden.compare(GOLDEN, list(buffers() if SOURCE.endswith("/call.c") else whole()))


sys.exit(main())
