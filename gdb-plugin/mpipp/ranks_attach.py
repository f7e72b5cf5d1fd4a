# SPDX-License-Identifier: BSD-3-Clause
"""Attaches to running ranks, one on this or another host, or several of a job: the actions of `mpipp attach`
before the user's own commands."""

import re
import shlex
from typing import List, Optional, Tuple

import gdb

from . import _mpipp, ranks_hooks, whole_job
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


def several(processes: List[Tuple[int, int, Optional[bytes]]], ssh: bytes, run: int, version: str) -> None:
    """Attaches to ranks, given as rank, process and host (None: this one): the first becomes inferior 1, and so on.  From
    then on gdb's commands work as under `mpipp gdb -n N`.  run: the process of a `mpipp run' that can be asked for the other
    ranks of the job, or 0; version: of the mpipp that has started this gdb."""
    gdb.execute("set schedule-multiple off")
    if any(host for _, _, host in processes):
        gdb.execute("maintenance set target-non-stop on")  # else gdb lets only the ranks of one connection go on
    rows: List[str] = []
    with quietly():
        for rank, pid, host in processes:
            try:
                number = _take(pid, host, ssh, not rows)
            except gdb.error as error:
                _leave(f"cannot attach to rank {rank} (process {pid}): {sentence(error)}")
            except _Unreached as error:
                gdb.write(f"mpipp: rank {rank}: {_mpipp.visible(str(error))}\n", gdb.STDERR)
            else:
                there = f" on {_mpipp.visible(host.decode(errors='replace'))}" if host else ""
                rows.append(f"rank {rank}: inferior {number}, process {pid}{there}\n")
        if not rows:
            _leave("no rank could be attached to")
        gdb.execute("inferior 1", to_string=True)
    gdb.execute("set schedule-multiple on")
    ranks_hooks.install()
    if run:
        whole_job.begin(run, version)
    gdb.write("".join(rows))
    _look()
    gdb.execute("frame")


class _Unreached(Exception):
    """A process of another host to which gdb cannot attach, and why not."""


def _take(pid: int, host: Optional[bytes], ssh: bytes, first: bool) -> int:
    """Attaches to a process in a new inferior, or the first one.  Returns its number.  Raises gdb.error, or _Unreached after
    which there is no more inferior than before."""
    before = gdb.selected_inferior().num
    if not first:
        gdb.execute("add-inferior -no-connection", to_string=True)
        gdb.execute(f"inferior {max(inferior.num for inferior in gdb.inferiors())}", to_string=True)
    number = gdb.selected_inferior().num
    if host is None:
        gdb.execute(f"attach {pid}", to_string=True)
        return number
    try:
        _connect(ssh, host, pid)
    except _Unreached:
        if not first:
            gdb.execute(f"inferior {before}", to_string=True)
            gdb.execute(f"remove-inferiors {number}", to_string=True)
        raise
    return number


def _connect(ssh: bytes, host: bytes, pid: int) -> None:
    """Attaches the selected inferior to a process of another host.  Raises _Unreached."""
    name = host.decode(errors="replace")
    command = f"{ssh.decode(errors='replace')} {shlex.quote(name)} gdbserver --once --attach - {pid}"
    import tempfile  # see host_text.py

    with tempfile.NamedTemporaryFile("r", errors="replace") as said:
        try:  # gdb ends the process that it started: env, which becomes ssh; gdbserver then detaches from the rank
            gdb.execute(f"target remote | exec env {command} 2>{shlex.quote(said.name)}", to_string=True)
        except gdb.error:
            raise _Unreached(_why(name, pid, command, said.read())) from None


def remote(ssh: bytes, host: bytes, pid: int) -> None:
    """Attaches to a process of another host, through a gdbserver that ssh starts there."""
    try:
        _connect(ssh, host, pid)
    except _Unreached as error:
        _leave(str(error))
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
