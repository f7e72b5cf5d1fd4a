# SPDX-License-Identifier: BSD-3-Clause
"""The arguments of MPI's functions in `bt', where gdb knows none: MPI is installed without debug information.

They are what the rank has recorded of the call (call.py), and have the standard's names. gdb writes them like all
arguments: `set print frame-arguments', GDB/MI. So each is a gdb.Value: an address, a number, or a text of our own."""

import os
import re
from typing import Dict, Iterator, List, NamedTuple, Optional

import gdb
from gdb.FrameDecorator import FrameDecorator

from . import _mpipp, frame_texts, function_name, synth
from .call import Found, Position
from .call_buffers import Buffers
from .call_values import HANDLES, SIGNED, Values, has_many_statuses, named_address, named_number, signed
from .fault import EXPECTED, let_quit
from .host_text import decoded
from .rank import Rank, ranks
from .root import is_library

# pmpi_send__, mpi_send_f08_, PMPI_Send, wrap_Send: bindings, MPI's function, the library's.
_FUNCTION = re.compile(r"(?:p?mpi|wrap)_(\w+?)(?:_f08(?:ts)?|_f)?_*", re.IGNORECASE)


def calls() -> "Dict[int, Call]":
    """The calls that the selected thread is in, by the number of each frame of a function that has been called so: MPI's,
    that of a Fortran binding, or the library's if MPI's is not on the stack."""
    found: Dict[int, Call] = {}
    try:
        rank = ranks.find()[0]
        if rank is not None:
            for number, call in Position(rank, True).running():
                if call.frame is not None and number == call.frame.level():
                    for level in _levels(call, call.frame):
                        found[level] = Call(rank, call)
    except EXPECTED as error:
        let_quit(error)
    return found


class Call(NamedTuple):
    """A call that is in progress."""

    rank: Rank
    found: Found

    def shown(self, decorator: FrameDecorator) -> FrameDecorator:
        """The frame with the arguments of the call, if gdb does not know any."""
        frame = decorator.inferior_frame()
        is_wrapper = (frame.name() or "").startswith("wrap_")
        return _Decorator(decorator, self) if is_wrapper or frame.function() is None else decorator


def _levels(call: Found, caller: gdb.Frame) -> Iterator[int]:
    """The frames of one call; caller: the frame that it returns to, the program's or that of a binding. Never the newest
    frame: it may belong to the next call of the same place, which is not recorded yet."""
    frame = caller.newer()
    while frame is not None and frame.newer() is not None and (_is_of(call, frame) or _is_ours(frame)):
        if _is_of(call, frame):
            yield frame.level()
        frame = frame.newer()
    program, outer = call.caller(), caller
    while outer is not None and outer != program:
        if _is_of(call, outer):
            yield outer.level()
        outer = outer.older()


def _is_ours(frame: gdb.Frame) -> bool:
    name = decoded(lambda: gdb.solib_name(frame.pc()))
    return name is not None and is_library(os.path.basename(name))


def _is_of(call: Found, frame: gdb.Frame) -> bool:
    match = _FUNCTION.fullmatch(frame.name() or "")
    return match is not None and f"mpi_{match.group(1)}".lower() == call.form.function.lower()


class _Decorator(FrameDecorator):
    """A frame with the recorded arguments."""

    def __init__(self, base: FrameDecorator, call: Call) -> None:
        super().__init__(base)
        self._call = call

    def function(self) -> Optional[object]:
        """Called by gdb."""
        name = super().function()
        return self._call.found.form.function if isinstance(name, str) and name.startswith("wrap_") else name

    def frame_args(self) -> Optional[List["Argument"]]:
        """Called by gdb."""
        try:
            return _arguments(self._call)
        except EXPECTED as error:
            let_quit(error)
            return super().frame_args()


class Argument(NamedTuple):
    """An argument in the form that gdb wants."""

    name: str
    content: gdb.Value

    def symbol(self) -> str:
        """Called by gdb."""
        return self.name

    def value(self) -> gdb.Value:
        """Called by gdb."""
        return self.content


def readable(argument: Argument, frame: gdb.Frame) -> Argument:
    """The argument, or what gdb itself says of one that it cannot read: under a filter it would write an exception instead, and
    not end the line. Before a function has begun, an array of Fortran may have any bounds."""
    symbol = argument.symbol()
    if argument.value() is not None or isinstance(symbol, str):
        return argument
    try:
        symbol.value(frame).fetch_lazy()
    except gdb.error as error:
        let_quit(error)
        return Argument(symbol.print_name, frame_texts.value(f"<error reading variable: {error}>"))
    return argument


def _arguments(call: Call) -> List[Argument]:
    form, values = call.found.form, call.found.values
    names = Values(call.rank, form, values)
    buffers = Buffers(call.rank, names)
    parts = {part.buffer: part for part in buffers.parts}
    shown = []
    for index, (parameter, value) in enumerate(zip(form.parameters, values)):
        try:
            text = buffers.constant(parts[index]) if index in parts else _text(names, index)
        except EXPECTED as error:  # an array of the call's cannot be read
            let_quit(error)
            text = None
        is_address = "*" in parameter.type or "function" in parameter.type
        content = frame_texts.value(text) if text is not None else _address(value) if is_address else _number(parameter, value)
        shown.append(Argument(parameter.name, content))
    return shown


def _text(names: Values, index: int) -> Optional[str]:
    """An argument that is not shown as a number or an address."""
    parameter, value = names.form.parameters[index], names.values[index]
    of, role = parameter.type, parameter.role.split(":")[0]
    if of == "MPI_Datatype":
        return _datatype(names.rank, value)
    if of in HANDLES:
        return names.name(of, value) or _handle(names.rank, of, value)
    if "MPI_Status" in of:
        return names.name("statuses" if has_many_statuses(names.form, index) else "status", value)
    return named_address(names, role, value) if "*" in of else named_number(names, of, role, value)


def _handle(rank: Rank, of: str, handle: int) -> str:
    """The name that the program has set; an operation with its function, as gdb shows addresses: 0x98000000 <add>."""
    found = rank.registry.object(of, handle)
    if found is None or not (found.name or found.callback):
        return f"0x{handle:x}"
    return f'"{found.name}"' if found.name else f"0x{handle:x} <{function_name.of(found.callback)}>"


def _datatype(rank: Rank, handle: int) -> str:
    """ "ghost" in quotes, as in a frame whose arguments gdb knows; VECTOR of MPI_INT without a name."""
    state, of = rank.registry.find(handle)
    if of is None:
        return f"0x{handle:x}"
    if of.name:
        text = f'"{of.name}"'
    else:
        text = of.kind if of.base is None else f"{of.kind} of {of.base.name or of.base.kind}"
    return f"{text} <freed>" if state == "freed" else text


def _number(parameter: "_mpipp.Parameter", value: int) -> gdb.Value:
    known = synth.types()
    if parameter.type in SIGNED:
        return gdb.Value(signed(value)).cast(known["mpipp_open"].strip_typedefs())
    return gdb.Value(value).cast(known["uint64_t"].strip_typedefs())


def _address(value: int) -> gdb.Value:
    return gdb.Value(value).cast(synth.types()["mpipp_handle"].strip_typedefs())
