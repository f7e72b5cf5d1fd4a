# SPDX-License-Identifier: BSD-3-Clause
"""The actions of gdb at an error in a rank that --on-error holds: for `mpipp on-error`, not for users."""

import os
import re
from contextlib import contextmanager
from typing import Dict, Iterator, List, NamedTuple, Optional

import gdb

from . import _mpipp, user_frame
from .fault import sentence
from .host_text import quietly, shown
from .rank import ranks
from .report import Record, reports


class Buffer(NamedTuple):
    """A buffer argument of a call, in the form of operands of `mpipp`."""

    name: str
    type: str
    address: str
    count: str


# The prefixes of a buffer's name, which the names of its count and datatype share.
_PREFIXES = ("send", "recv", "origin_", "result_", "compare_", "in", "")
_ADDRESSES = ("buf", "addr", "buffer", "inbuf", "inoutbuf")


def buffers(record: Record) -> List[Buffer]:
    """The buffers of a call that can be shown: address, count and type are known and valid."""
    given = dict(record.get("arguments") or [])
    types = {one.get("name") or one.get("handle"): one.get("handle") for one in record.get("types") or []}
    found = []
    for name, address in given.items():
        prefix = next(prefix for prefix in _PREFIXES if name.startswith(prefix))
        if name not in [prefix + word for word in _ADDRESSES]:
            continue
        count = given.get(f"{prefix}count", given.get("count", ""))
        kind = given.get(f"{prefix}type", given.get(f"{prefix}datatype", given.get("datatype", "")))
        operand = _type_operand(kind, types)
        if operand and re.fullmatch(r"0x[0-9a-f]+", address) and re.fullmatch(r"[1-9][0-9]*", count):
            found.append(Buffer(name, operand, address, count))
    return found


def _type_operand(text: str, types: Dict[str, str]) -> Optional[str]:
    """A decoded datatype as an expression: the handle if it is known, so that no name of the user's interferes."""
    if text in types:
        return types[text]
    if re.fullmatch(r"MPI_[A-Z0-9_]+", text):
        return f"${text}"
    return text if re.fullmatch(r"0x[0-9a-f]+", text) else None


def transcript(pid: int, thread: int, number: int) -> None:
    """Attaches, and writes all that helps with an error: the report, the stack, the variables, the buffers."""
    _attach(pid, thread)
    _section(f"error {number}, process {pid}", f"mpi error {number}")
    _section("backtrace", _backtrace)
    _section("arguments and variables", "info args", "info locals")
    record = _record(number)
    for buffer in buffers(record) if record else ():
        _section(f"{buffer.name}, through its type", f"mpipp {buffer.type} {buffer.address} {buffer.count}")
    if len(gdb.selected_inferior().threads()) > 1:
        _section("threads", "info threads")
    gdb.write("\n")
    gdb.execute("detach", to_string=True)


def core(pid: int, thread: int, _number: int, name: bytes) -> None:
    """Attaches, and writes a core file."""
    _attach(pid, thread)
    try:
        gdb.execute(f"gcore {name.decode(errors='surrogateescape')}", to_string=True)
        gdb.execute("detach", to_string=True)
    except gdb.error as error:
        gdb.write(f"mpipp: {sentence(error)}\n", gdb.STDERR)
        gdb.execute("quit 1")


def show(pid: int, thread: int, number: int) -> None:
    """Attaches for a user: at the wrong call, with the report; later findings stop here, too."""
    _attach(pid, thread)
    user_frame.let_go_on()
    gdb.execute("break mpipp_error", to_string=True)
    gdb.execute(f"mpi error {number}")
    gdb.execute("frame")


def _attach(pid: int, thread: int) -> None:
    """Attaches quietly; if the rank cannot be attached to, gdb is of no use here."""
    try:
        with _nothing_said():
            quietly(f"attach {pid}")
        user_frame.select_thread(thread)
    except gdb.error as error:
        gdb.write(f"mpipp: cannot attach to process {pid}: {sentence(error)}\n", gdb.STDERR)
        gdb.execute("quit 1")
    ranks.stale()


@contextmanager
def _nothing_said() -> Iterator[None]:
    """gdb reports where a process has stopped outside of the output for `to_string`."""
    gdb.flush()
    kept, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        yield
    finally:
        gdb.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.close(null)


def _backtrace() -> None:
    """Writes the stack from the selected frame outward."""
    stack = _mpipp.visible(shown("backtrace"), lines=True)
    begin = re.search(rf"^#{gdb.selected_frame().level()} ", stack, re.MULTILINE)
    gdb.write(stack[begin.start() if begin else 0 :])


def _section(title: str, *commands: object) -> None:
    gdb.write(f"\n--- {title}\n")
    for command in commands:
        try:
            if callable(command):
                command()
            else:
                gdb.execute(str(command))
        except gdb.error as error:
            text = str(error)
            gdb.write(text + "\n" if text.startswith("mpipp: ") else f"mpipp: {sentence(error)}\n")


def _record(number: int) -> Optional[Record]:
    found = reports()
    return found[number - 1].record if 1 <= number <= len(found) else None
