#!/usr/bin/env python3
"""mpipp in gdb's own DAP server, which gdb 14 and later have: `mpipp-gdb -i=dap`, driven as an editor does.

    gdb_dap.py GDB MPIPP PROGRAM SOURCE GOLDEN      the transcript of a session is GOLDEN's text
    gdb_dap.py GDB MPIPP PROGRAM SOURCE --attach    the same program as rank 1 of a job
    gdb_dap.py GDB MPIPP PROGRAM SOURCE --close     the editor goes away in the middle

An error is printed, and the exit status is 1. UPDATE=yes writes GOLDEN.
"""

import os
import subprocess
import sys
from typing import Dict, Iterator

import golden
import screen
from dap import Client, Failed, Stop, evaluated, step, stopped, tree
from ranks import PATIENCE, alive, line_of, rank_of, until

GDB, MPIPP, PROGRAM, SOURCE, GOLDEN = sys.argv[1:]
FORTRAN = SOURCE.endswith(".f90")
FROM = "&from" if FORTRAN else "from"  # where the buffer is, as the language has it
ELEMENT = "'[1][0]'" if FORTRAN else '"[1][0][0][0][0]"'


def start(request: str, **arguments: object) -> Client:
    """A session in which the program runs, up to a breakpoint."""
    client = Client([f"{MPIPP}-gdb", f"--gdb={GDB}", "-nx", "-i=dap"], "session.log")
    client.ask("initialize", adapterID="gdb", linesStartAt1=True, columnsStartAt1=True, pathFormat="path")
    begun = client.send(request, program=PROGRAM, **arguments)
    client.wait("initialized")
    client.ask("setBreakpoints", source={"path": SOURCE}, breakpoints=[{"line": line_of(SOURCE, "called")}])
    client.ask("configurationDone")
    client.answer(begun)
    return client


def view(stop: Stop) -> Iterator[str]:
    """Arguments and local variables, all unfolded."""
    yield f"-- {stop.reason}: {stop.frame['name']}"
    for scope in stop.client.ask("scopes", frameId=stop.frame["id"])["scopes"]:
        if scope["name"] in ("Arguments", "Locals"):
            found = stop.client.ask("variables", variablesReference=scope["variablesReference"])
            for variable in found["variables"]:
                if not (FORTRAN and variable["name"] == "from"):  # no length: gdb's own affair
                    yield from tree(stop.client, variable)


def ends(stop: Stop, expression: str) -> Iterator[str]:
    """Of what is long, how many children there are, the first and the last, down to the leaves."""
    yield f"-- {expression}"
    found = stop.evaluate(expression, "watch")
    while found["variablesReference"]:
        children = stop.client.ask("variables", variablesReference=found["variablesReference"])["variables"]
        kind = next(key for key in found if key.endswith("edVariables"))
        yield f"  {found[kind]} {kind}: {children[0]['name']}, ... {children[-1]['name']}"
        found = children[0]
    yield f"  {found['value']}"


def repl(stop: Stop, command: str) -> Iterator[str]:
    """A command typed in the debug console."""
    yield f"-- {command}"
    try:
        yield from str(stop.evaluate(command, "repl")["result"]).splitlines()
    except Failed as error:
        yield f"error: {error}"


def session(display: "screen.server.Display") -> Iterator[str]:
    """Launch, unfold, step, unfold, run to the end."""
    client = start("launch")
    stop = stopped(client)
    yield from view(stop)
    yield from evaluated(stop, "column", "hover")
    yield from evaluated(stop, "$mpi_type(column)")
    yield from evaluated(stop, f"$mpi_buf({FROM}, 1, column)")
    yield from evaluated(stop, "$mpi_buf(16, 1, column)")
    yield from ends(stop, f"$mpi_buf({FROM}, 1000000000, $MPI_INT)")
    yield from repl(stop, "print column")
    yield from repl(stop, f"mpipp column {FROM}")
    yield from repl(stop, "mpi signature column")
    yield from repl(stop, "mpi signature nosuch")
    yield from repl(stop, "mpi draw column, column.svg")
    yield from repl(stop, f"mpi browse column {FROM}")
    yield f"windows: {display.windows('1')}"
    stop = step(stop)
    yield from repl(stop, f"set var $mpi_elem(column, {ELEMENT}, {FROM}) = 77")
    stop = step(stop)
    yield from view(stop)
    yield from evaluated(stop, f"$mpi_buf({FROM}, 1, column)")
    client.ask("setBreakpoints", source={"path": SOURCE}, breakpoints=[])
    client.ask("continue", threadId=stop.thread)
    client.wait("terminated")
    client.ask("disconnect")
    client.close()
    yield f"windows: {display.windows('0')}"


def whole() -> int:
    """A session against its golden file."""
    with screen.display() as display:
        return golden.compare(GOLDEN, list(session(display)))


def attach() -> int:
    """A rank of a job that runs: it is looked at, and runs on to its end."""
    job = subprocess.Popen([MPIPP, "run", "-n", "2", PROGRAM, "wait"], stdin=subprocess.DEVNULL)
    rank = until("rank 1", lambda: [process for process in alive(PROGRAM) if rank_of(process) == "1"])[0]
    client = start("attach", pid=rank)
    stop = stopped(client)
    stop.evaluate("set var 'cells.c'::go = 1", "repl")
    client.ask("continue", threadId=stop.thread)
    stop = stopped(client)
    lines = list(evaluated(stop, "column"))
    client.ask("disconnect", terminateDebuggee=False)
    client.close()
    status = job.wait(PATIENCE)
    if lines[2].strip() != "kind: VECTOR" or stop.frame["name"] != "exchange":
        print(stop.where(), *lines, sep="\n")
        return 1
    if status != 0:
        print(f"the job's exit status: {status}")
    return status != 0


def close() -> int:
    """An editor that is gone leaves no process of the program."""
    client = start("launch")
    stopped(client)
    if not alive(PROGRAM):
        print("the program does not run")
        return 1
    client.close()
    until("the program is gone", lambda: not alive(PROGRAM))
    return 0


def main() -> int:
    special: Dict[str, object] = {"--attach": attach, "--close": close}
    return special.get(GOLDEN, whole)()


sys.exit(main())
