#!/usr/bin/env python3
"""mpipp in a frontend in a terminal: commands, what is on the screen; then the terminal goes away.

    terminal.py PROGRAM SOURCE COMMAND     COMMAND, PROGRAM after it, starts the frontend

An error is printed, and the exit status is 1.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from typing import List

from ranks import alive, line_of, until

PROGRAM, SOURCE, COMMAND = sys.argv[1:]
FROM = "&from" if SOURCE.endswith(".f90") else "from"
ASKED = [
    ("print column", r"\$\d+ = \{kind = VECTOR"),
    (f"print $mpi_buf({FROM},1,column)", r"\$\d+ = \{+.*7.*13.*19"),
    ("mpi types", r"cells\.\w+:\d+ in \w+: 1 VECTOR"),
    ("mpi call", r"MPI_\w+"),
    ("mpi draw column, column.svg", r"column\.svg: a picture of column"),
    (f"mpi browse -tui column {FROM}", r"▾ column .*VECTOR"),
]


class Terminal:
    """One of tmux, 110 x 40."""

    def __init__(self, folder: str) -> None:
        self._tmux = ["tmux", "-S", os.path.join(folder, "socket"), "-f", "/dev/null"]
        self._do("new-session", "-d", "-x", "110", "-y", "40", f"{COMMAND} {shlex.quote(PROGRAM)}")

    def _do(self, *words: str) -> str:
        return subprocess.run([*self._tmux, *words], check=True, stdout=subprocess.PIPE, text=True).stdout

    def see(self, pattern: str) -> None:
        """Waits until the screen shows it."""
        until(f"{pattern} on the screen", lambda: re.search(pattern, self._do("capture-pane", "-p"), re.S))

    def say(self, command: str, pattern: str) -> None:
        """Types a command, and waits for what it shows."""
        self._do("send-keys", "-l", command)
        self._do("send-keys", "Enter")
        self.see(pattern)

    def close(self) -> None:
        """It goes away: SIGHUP for what runs in it."""
        self._do("kill-server")


def session(terminal: Terminal) -> None:
    """Up to a breakpoint; what is asked there."""
    terminal.see(r"\(gdb\)")
    terminal.say("set confirm off", r"\(gdb\)")
    terminal.say(f"break {line_of(SOURCE, 'called')}", "Breakpoint 1 at")
    terminal.say("run", r"hit Breakpoint 1.*\(gdb\)")
    asked: List = ASKED if "-tui" in COMMAND else ASKED[:-1]
    for command, pattern in asked:
        terminal.say(command, pattern)


with tempfile.TemporaryDirectory() as made:
    tried = Terminal(made)
    session(tried)
    if not alive(PROGRAM):
        sys.exit("the program does not run")
    tried.close()
    until("the program is gone", lambda: not alive(PROGRAM))
