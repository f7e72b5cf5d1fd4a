"""A running rank, here or on another host: what `mpipp attach` has gdb do before the user's own commands."""

import re
import shlex
import tempfile

import gdb

from . import _mpipp
from .fault import sentence
from .rank import ranks


def local(pid: int) -> None:
    """Attaches to a process of this host."""
    try:
        gdb.execute(f"attach {pid}")
    except gdb.error as error:
        _leave(f"cannot attach to process {pid}: {sentence(error)}")
    _look()


def remote(ssh: bytes, host: bytes, pid: int) -> None:
    """Attaches to a process of another host, through a gdbserver that ssh starts there."""
    name = host.decode(errors="replace")
    command = f"{ssh.decode(errors='replace')} {shlex.quote(name)} gdbserver --once --attach - {pid}"
    with tempfile.NamedTemporaryFile("r", errors="replace") as said:
        try:  # gdb ends what it started: env, which becomes ssh; gdbserver then lets go of the rank
            gdb.execute(f"target remote | exec env {command} 2>{shlex.quote(said.name)}", to_string=True)
        except gdb.error:
            _leave(_why(name, pid, command, said.read()))
    _look()
    gdb.execute("frame")


def _why(name: str, pid: int, command: str, said: str) -> str:
    """A sentence of what ssh, a shell, or gdbserver has said."""
    refused = re.search(r"^Cannot attach to process \d+: (.+)", said, re.MULTILINE)
    if refused:
        return f"cannot attach to process {pid} on '{name}': {re.sub(r' [(][0-9]+[)]', '', refused.group(1))}"
    lines = said.strip().splitlines()
    why = f": {lines[-1].strip().rstrip('.')}" if lines else ""
    return f"cannot start a gdbserver on '{name}' by '{command}'{why}"


def _look() -> None:
    """Without a registry gdb is still of use: a sentence, no more."""
    ranks.stale()
    rank, why = ranks.find()
    if rank is None:
        gdb.write(f"mpipp: {_mpipp.visible(why)}\n", gdb.STDERR)


def _leave(why: str) -> None:
    gdb.write(f"mpipp: {_mpipp.visible(why)}\n", gdb.STDERR)
    gdb.execute("quit 1")
