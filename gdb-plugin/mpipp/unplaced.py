# SPDX-License-Identifier: BSD-3-Clause
"""Operands that have no address or no value, since the program is optimised: why, and where the same data can be seen."""

import re
from contextlib import contextmanager
from typing import Iterator, Tuple

import gdb

from . import call
from .call_buffers import Buffers
from .call_values import Values
from .calls import no_calls
from .fault import EXPECTED, fault, let_quit
from .rank import ranks

# What gdb says of such a value.
_OPTIMISED_OUT = re.compile(r"optimized out|location address is not set|synthetic pointer")
_REGISTER = re.compile(r"in register (\$\w+)")
_NO_PLACE = re.compile(r"isn't an lvalue|take address of (?:value|register)|not located in memory")

_FRAMES_MOST = 20
_OUT = "is optimised out here"
_GIVE = {"buffer": "give an address", "datatype": "give a handle", "count": "give a number"}
_VARIABLE = re.compile(r"[\s&(*]*([A-Za-z_]\w*)")


@contextmanager
def explained(kind: str, label: str) -> Iterator[None]:
    """Turns gdb's error about a value without an address, or without a value, into a sentence. kind: what the operand is,
    "buffer", "datatype" or "count"; label: the user's text of it, in quotes."""
    try:
        yield
    except gdb.MemoryError:
        raise
    except gdb.error as error:
        let_quit(error)
        why = _reason(str(error))
        if not why:
            raise
        raise _fault(kind, label, why) from None


def no_address(label: str, value: gdb.Value) -> gdb.GdbError:
    """The error for a buffer that is not in memory."""
    is_out = value.is_optimized_out
    if is_out and value.type.strip_typedefs().code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        is_out = value.format_string(raw=True) == "<optimized out>"  # not only some of its members
    return _fault("buffer", label, _OUT if is_out else "is not in memory")


def names_variable(text: str) -> bool:
    """Whether an operand begins with a variable of the program, other than a literal."""
    name = _VARIABLE.match(text)
    try:
        symbol = gdb.lookup_symbol(name.group(1))[0] if name else None
    except gdb.error as error:
        let_quit(error)
        return False
    return symbol is not None and (symbol.is_variable or symbol.is_argument)


def _reason(said: str) -> str:
    if _OPTIMISED_OUT.search(said):
        return _OUT
    register = _REGISTER.search(said)
    if register is not None:
        return f"is not in memory but in register {register.group(1)}"
    return "is not in memory" if _NO_PLACE.search(said) else ""


def _fault(kind: str, label: str, why: str) -> gdb.GdbError:
    instead = ""
    if why == _OUT or names_variable(label.strip("'")):
        instead = _elsewhere(kind, label)
    return fault(f"{label} {why}: {instead or _GIVE[kind]}")


def _elsewhere(kind: str, label: str) -> str:
    """Where the data may be seen: in the call that the rank is in; else in the last call of this frame, and in an outer frame."""
    state, in_call = _of_call(kind)
    outer = "" if in_call and state != "returned" else _in_outer_frame(kind, label)
    return "; ".join(filter(None, (in_call, outer)))


def _of_call(kind: str) -> Tuple[str, str]:
    """The state of the call that the selected frame is in or next to, and "'mpi call' shows the buffer of MPI_Bcast, at 0x7ffd5e48";
    empty: there is no call, or nothing of this kind in it."""
    rank = ranks.find()[0]
    thread = gdb.selected_thread()
    if rank is None or thread is None or not thread.is_valid() or thread.is_running():
        return "", ""
    try:
        found = call.current(rank)[0]
        if found is None:
            return "", ""
        values = Values(rank, found.form, found.values)
        return found.state, _places(values) if kind == "buffer" else _types(values) if kind == "datatype" else ""
    except EXPECTED as error:
        let_quit(error)
        return "", ""


def _places(of: Values) -> str:
    buffers = Buffers(of.rank, of)
    found = [part.buffer for part in buffers.parts if buffers.is_significant(part) and buffers.constant(part) is None]
    places = [f"0x{of.values[number]:x}" for number in found]
    if len(found) > 1:
        places = [f"{place} ({of.form.parameters[number].name})" for number, place in zip(found, places)]
    return f"'mpi call' shows the buffer{'s' * (len(found) > 1)} of {of.form.function}, at {' and '.join(places)}" if found else ""


def _types(of: Values) -> str:
    handles = [value for one, value in zip(of.form.parameters, of.values) if one.type == "MPI_Datatype"]
    found = [f"0x{handle:x}" for handle in dict.fromkeys(handles)]
    return f"'mpi call' shows the datatype{'s' * (len(found) > 1)} of {of.form.function}, {' and '.join(found)}" if found else ""


def _in_outer_frame(kind: str, label: str) -> str:
    """ "frame 2 has one of that name" """
    start = gdb.selected_frame() if label.startswith("'") and gdb.selected_thread() is not None else None
    frame = start
    try:
        for _ in range(_FRAMES_MOST if frame is not None else 0):
            frame = frame.older()
            if frame is None:
                break
            frame.select()
            if _is_there(kind, label.strip("'")):
                return f"frame {frame.level()} has one of that name"
    except gdb.error as error:  # a stack that gdb cannot unwind
        let_quit(error)
    finally:
        if start is not None and start.is_valid():
            start.select()
    return ""


def _is_there(kind: str, text: str) -> bool:
    """Whether the selected frame has a value of this name."""
    try:
        with no_calls():
            value = gdb.parse_and_eval(text)
            if value.is_optimized_out:
                return False
        return kind != "buffer" or value.address is not None or value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR
    except gdb.error as error:
        let_quit(error)
        return False
