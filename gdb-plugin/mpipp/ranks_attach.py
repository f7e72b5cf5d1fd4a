# SPDX-License-Identifier: BSD-3-Clause
"""Attaches to running ranks, one on this or another host, or several of a job on this host: the actions of `mpipp attach`
before the user's own commands."""

import re
import shlex
from typing import List, Tuple

import gdb

from . import _mpipp, ranks_hooks
from .fault import sentence
from .rank import ranks
from .ranks_control import quietly


def local(pid: int) -> None:
    """Attaches to a process of this host."""
    try:
        gdb.execute(f"attach {pid}")
    except gdb.error as error:
        _leave(f"cannot attach to process {pid}: {sentence(error)}")
    _look()


def several(processes: List[Tuple[int, int]]) -> None:
    """Attaches to ranks of this host, given as rank and process: the first becomes inferior 1, and so on.  From then on
    gdb's commands work as under `mpipp gdb -n N`."""
    gdb.execute("set schedule-multiple off")
    rows = []
    with quietly():
        for number, (rank, pid) in enumerate(processes):
            try:
                rows.append(f"rank {rank}: inferior {_take(pid, number == 0)}, process {pid}\n")
            except gdb.error as error:
                _leave(f"cannot attach to rank {rank} (process {pid}): {sentence(error)}")
        gdb.execute("inferior 1", to_string=True)
    gdb.execute("set schedule-multiple on")
    ranks_hooks.install()
    gdb.write("".join(rows))
    _look()
    gdb.execute("frame")


def _take(pid: int, first: bool) -> int:
    """Attaches to a process in a new inferior, or the first one.  Returns its number."""
    if not first:
        gdb.execute("add-inferior", to_string=True)
        gdb.execute(f"inferior {max(inferior.num for inferior in gdb.inferiors())}", to_string=True)
    gdb.execute(f"attach {pid}", to_string=True)
    return gdb.selected_inferior().num


def remote(ssh: bytes, host: bytes, pid: int) -> None:
    """Attaches to a process of another host, through a gdbserver that ssh starts there."""
    name = host.decode(errors="replace")
    command = f"{ssh.decode(errors='replace')} {shlex.quote(name)} gdbserver --once --attach - {pid}"
    import tempfile  # see host_text.py

    with tempfile.NamedTemporaryFile("r", errors="replace") as said:
        try:  # gdb ends the process that it started: env, which becomes ssh; gdbserver then detaches from the rank
            gdb.execute(f"target remote | exec env {command} 2>{shlex.quote(said.name)}", to_string=True)
        except gdb.error:
            _leave(_why(name, pid, command, said.read()))
    _look()
    gdb.execute("frame")


def _why(name: str, pid: int, command: str, said: str) -> str:
    """A sentence from the messages of ssh, a shell, or gdbserver."""
    refused = re.search(r"^Cannot attach to process \d+: (.+)", said, re.MULTILINE)
    if refused:
        return f"cannot attach to process {pid} on '{name}': {re.sub(r' [(][0-9]+[)]', '', refused.group(1))}"
    lines = said.strip().splitlines()
    why = f": {lines[-1].strip().rstrip('.')}" if lines else ""
    return f"cannot start a gdbserver on '{name}' by '{command}'{why}"


def _look() -> None:
    """Without a registry gdb is still useful: only a sentence is written."""
    ranks.stale()
    rank, why = ranks.find()
    if rank is None:
        gdb.write(f"mpipp: {_mpipp.visible(why)}\n", gdb.STDERR)


def _leave(why: str) -> None:
    gdb.write(f"mpipp: {_mpipp.visible(why)}\n", gdb.STDERR)
    gdb.execute("quit 1")
