# SPDX-License-Identifier: BSD-3-Clause
"""The ranks of a job of several nodes that gdb does not have: its `mpipp run', which runs on this host, tells of them
(cmd/inquiry/inquiry.h)."""

import json
import os
import stat
from typing import Any, Dict, List, Optional

import gdb

from . import _mpipp, job
from .fault import fault

_VERSION = 1  # of question and answer
_SECONDS = 9.0  # for an answer, as in cmd/inquiry/ask.c

_run: Optional[int] = None
_version = ""  # of the mpipp that has started this gdb


def begin(run: int, version: str) -> None:
    """gdb looks at ranks of the job of this `mpipp run', which a mpipp of this version has found."""
    global _run, _version
    _run, _version = run, version


def is_known() -> bool:
    """Whether there is a `mpipp run' to be asked."""
    return _run is not None


def ranks() -> List[Dict[str, Any]]:
    """All ranks that have not ended (watch/whole.h). Raises gdb.GdbError with a sentence if there is no answer."""
    answer = _ask("ranks")
    return [one for one in answer if isinstance(one, dict)] if isinstance(answer, list) else []


def deadlocks() -> Dict[str, Any]:
    """Which ranks can never go on, in the same way."""
    answer = _ask("deadlocks")
    return answer if isinstance(answer, dict) else {}


def world(row: Dict[str, Any]) -> int:
    """The id of a rank's world, as Registry.world has it."""
    name = row.get("id")
    try:
        return int(name, 16) if isinstance(name, str) else 0
    except ValueError:
        return 0


def worlds(rows: List[Dict[str, Any]]) -> List[int]:
    """The worlds of the ranks, in the order of their numbers."""
    numbers = {world(row): _number(row, "world") for row in rows if world(row)}
    return sorted(numbers, key=lambda one: numbers[one])


def doing(row: Dict[str, Any]) -> job.Doing:
    """What a rank does."""
    since = row.get("since")
    bounds = None
    if isinstance(since, list) and len(since) == 2:
        least, most = (one if isinstance(one, int) and one >= 0 else None for one in since)
        bounds = (least, most)
    line = row.get("line")
    state = _mpipp.visible(line) if isinstance(line, str) else f"not known: {_mpipp.visible(str(row.get('why')))}"
    return job.Doing(_number(row, "rank"), 0, state, _mpipp.visible(str(row.get("place", ""))), bounds, None, world(row))


def _number(row: Dict[str, Any], name: str) -> int:
    value = row.get(name)
    return value if isinstance(value, int) else 0


def _ask(what: str) -> Any:
    path = _socket()
    if path is None:
        raise fault("the job has ended, or its 'mpipp run' answers nothing any more")
    if _state() in ("T", "t"):
        raise fault(f"'mpipp run' (process {_run}) is stopped, and answers nothing: {_UNKNOWN}")
    answer = _exchange(path, json.dumps({"inquiry": _VERSION, "version": _version, "ask": what}).encode() + b"\n")
    try:
        told = json.loads(answer)
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise fault(f"'mpipp run' (process {_run}) does not answer: {_UNKNOWN}")
    if "answer" not in told:
        raise fault(f"'mpipp run' (process {_run}) is of mpipp {told.get('version')}, this is {_version}: {_UNKNOWN}")
    return told["answer"]


_UNKNOWN = "what other ranks do is not known"


def _socket() -> Optional[str]:
    """The path of the socket, by the folder that the process has open."""
    folder = f"/proc/{_run}/fd"
    try:
        for name in os.listdir(folder):
            path = f"{folder}/{name}/inquiry"
            try:
                if os.path.basename(os.readlink(f"{folder}/{name}")).startswith("mpipp-") and stat.S_ISSOCK(
                    os.lstat(path).st_mode
                ):
                    return path
            except OSError:
                pass
    except OSError:
        pass
    return None


def _state() -> str:
    """The letter for the state of the process."""
    try:
        with open(f"/proc/{_run}/stat", "rb") as file:
            return file.read().rpartition(b") ")[2][:1].decode()
    except OSError:
        return ""


def _exchange(path: str, question: bytes) -> bytes:
    """What is answered; b"" if there is no answer in time."""
    import socket  # see host_text.py
    import time

    due = time.monotonic() + _SECONDS
    parts: List[bytes] = []
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
            link.settimeout(_SECONDS)
            link.connect(path)
            link.sendall(question)
            while time.monotonic() < due:
                part = link.recv(1 << 16)
                if not part:
                    return b"".join(parts)
                parts.append(part)
    except OSError:
        pass
    return b""


def absent(found: List[job.Doing], rows: List[Dict[str, Any]]) -> List[job.Doing]:
    """What those ranks do that are not among the found ones."""
    worlds_here = {(one.world, one.rank) for one in found}
    pids = {inferior.num: inferior.pid for inferior in gdb.inferiors()}
    processes = {(one.rank, pids.get(one.inferior)) for one in found}  # the world is not known if an agent does not answer
    others = [row for row in rows if (_number(row, "rank"), _number(row, "pid")) not in processes]
    return [one for one in map(doing, others) if (one.world, one.rank) not in worlds_here]


def tell(error: gdb.GdbError) -> None:
    """Writes a sentence, and lets the command go on."""
    gdb.write(f"{error}\n", gdb.STDERR)
