"""A running rank, here or on another host: what `mpipp attach` has gdb do before the user's own commands."""

import shlex
import tempfile

import gdb

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
    command = f"{ssh.decode(errors='replace')} {shlex.quote(name)} gdbserver --multi -"
    with tempfile.NamedTemporaryFile("r", errors="replace") as said:
        try:
            gdb.execute(f"target extended-remote | {command} 2>{shlex.quote(said.name)}", to_string=True)
        except gdb.error:
            lines = said.read().strip().splitlines()
            why = f": {lines[-1].strip().rstrip('.')}" if lines else ""
            _leave(f"cannot start a gdbserver on '{name}' by '{command}'{why}")
    try:
        gdb.execute(f"attach {pid}", to_string=True)  # else it tells of each file that it looks for there
    except gdb.error:
        _leave(f"cannot attach to process {pid} on '{name}': it is not there, or not yours")
    _look()
    gdb.execute("frame")


def _look() -> None:
    """Without a registry gdb is still of use: a sentence, no more."""
    ranks.stale()
    rank, why = ranks.find()
    if rank is None:
        gdb.write(f"mpipp: {why}\n", gdb.STDERR)


def _leave(why: str) -> None:
    gdb.write(f"mpipp: {why}\n", gdb.STDERR)
    gdb.execute("quit 1")
