# SPDX-License-Identifier: BSD-3-Clause
"""The MPI call that a frame is in or next to.

The rank's library records what each thread calls (libshadowtype/core/model/registry.h, struct st_thread): the arguments,
and where on the stack the call returns to. That place identifies the calling frame; so nothing need be known of the
frames between: the wrapper, MPI and whatever it calls.
"""

import re
from typing import List, NamedTuple, Optional, Tuple

import gdb

from . import _mpipp
from .fault import let_quit
from .host_text import decoded
from .rank import Rank
from .root import is_library
from .site import Site, call_site, of_function

_MOST_FRAMES = 1000
_RED_ZONE = 128  # bytes below the stack pointer that a function without calls may use
_LAST_FRAME = 1 << 20  # most bytes of the outermost frame
_STACK = 256  # by so many bytes a frame's stack pointer may move between its calls, for arguments

# Libraries that call MPI for a program in another language.
_BINDING = re.compile(r"lib(?:mpichfort|mpifort|mpichf90|mpi_mpifh|mpi_usempi|mpichcxx|mpicxx|mpi_cxx)\w*\.")
_PYTHON = re.compile(r"MPI\.[\w-]+\.so")
_MPI_SYMBOL = re.compile(r"<?\bP?(MPIX?_\w+)(?:@[\w.]+)?>?$")

# The registers of the first arguments of C functions on these architectures; further arguments are on the stack.
_REGISTERS = {"i386:x86-64": ("rdi", "rsi", "rdx", "rcx", "r8", "r9")}
_NARROW = ("int", "MPI_Fint")


class Found(NamedTuple):
    """A call. state: "running", "returned", "begins" (MPI's function has not recorded it yet) or "next" (it is the next
    instruction)."""

    state: str
    form: "_mpipp.Form"
    values: Tuple[int, ...]
    result: Optional[int]
    pc: int
    """where it returns to"""
    frame: Optional[gdb.Frame]
    """the frame that it returns to, if that is on the stack"""
    told: "_mpipp.Frames" = ()
    """the lines of Python that call, by mpi4py"""
    bound: bool = False
    """it has returned through a binding, to the program's `frame` at `pc`"""

    def caller(self) -> Optional[gdb.Frame]:
        """The frame of the program that calls, maybe through a binding; None: it is not on the stack."""
        frame = self.frame
        while frame is not None and _BINDING.match(_library(self._pc_in(frame))) and frame.older() is not None:
            frame = frame.older()
        return frame

    def site(self) -> Optional[Site]:
        """The place of the program's call, or the next best."""
        if self.told:
            return call_site(self.told, "")
        caller = self.caller()
        pc = self.pc if caller is None else self._pc_in(caller)
        return of_function((pc,), self.form.function)

    def _pc_in(self, frame: gdb.Frame) -> int:
        """Where the call returns to, in the frame that it returns to or in an outer one."""
        return self.pc if frame == self.frame else frame.pc()

    def place(self) -> str:
        """The same as text: "halo.c:58 in exchange"."""
        return str(self.site())

    def title(self) -> str:
        """ "in MPI_Recv, called at halo.c:58 in exchange" """
        function = self.form.function
        if self.state == "running":
            return f"in {function}, called at {self.place()}"
        if self.state == "begins":
            return f"at the beginning of {function}, called at {self.place()}"
        if self.state == "next":
            return f"about to call {function} at {self.place()}"
        result = "MPI_SUCCESS" if self.result == 0 else f"the error {self.result}"
        if self.frame is None:
            place = f" to {self.place()}" if self.told else ""
            return f"{function}, the last call of this thread, has returned {result}{place}"
        return f"{function} has returned {result} to {self.place()}"

    def returned(self) -> bool:
        """Whether MPI has written its results, and they still exist: not if a binding has taken them over."""
        return self.state == "returned" and self.frame is not None and not self.bound


def current(rank: Rank) -> Tuple[Optional[Found], str]:
    """The call that the selected frame is in or next to; or None, and a sentence (without prefix) that says what is
    known."""
    position = Position(rank, False)
    found = position.call(gdb.selected_frame().level())
    return found, "" if found is not None else position.nothing()


class Position:
    """The position of the selected thread: its stack, and the calls that its rank has recorded. Valid until the process
    runs or is written to."""

    def __init__(self, rank: Rank, only_near: bool) -> None:
        """only_near: leaves out frames further out than all calls of the rank."""
        self._rank = rank
        self._threads = rank.registry.threads()
        last = max((call.sp for thread in self._threads for call in thread.calls), default=0) if only_near else None
        self._stack, self._whole = _stack(last)
        self._running = _running(rank, self._threads, self._stack)

    def call(self, selected: int) -> Optional[Found]:
        """The call that a frame is in or next to; selected: its number."""
        rank, threads, stack, running = self._rank, self._threads, self._stack, self._running
        if selected >= len(stack):
            return max(running, key=_level_of)[1] if running else None
        found = _begins(rank, stack, selected, [number for number, _ in running])
        if found is None:
            inside = min((one for one in running if one[0] >= selected), default=None, key=_level_of)
            if inside is None or inside[0] > selected:  # nearer than a call further out
                bound = _bindings(stack)
                found = _next(rank, stack, selected)
                if found is None and (not bound or selected > bound):
                    found = _returned(rank, threads, stack, selected)
            if inside is not None:
                found = found or inside[1]
            elif running:
                found = max(running, key=_level_of)[1]
            elif not self._whole:
                found = _unseen(rank, threads, stack) or found
        return found

    def running(self) -> "List[Tuple[int, Found]]":
        """The calls that the thread is in, each with the number of the frame that it returns to."""
        return self._running

    def nothing(self) -> str:
        """What is known if there is no call: a sentence without prefix."""
        return _nothing(self._rank, self._threads, self._stack)

    def frame_at(self, address: int) -> Optional[int]:
        """The number of the frame whose part of the stack contains an address; None if there is none."""
        stack = self._stack
        if stack and stack[0].sp - _RED_ZONE <= address < stack[0].sp:
            return 0
        for number, level in enumerate(stack):
            if level.sp <= address < _end(stack, number):
                return number
        return None


class _Level(NamedTuple):
    frame: gdb.Frame
    pc: int
    sp: int


def _stack(last: Optional[int] = None) -> Tuple[List[_Level], bool]:
    """The frames of the selected thread, newest first, and whether they are all. last: at least up to the first two beyond
    this address, which counts as all."""
    levels: List[_Level] = []
    frame: Optional[gdb.Frame] = gdb.newest_frame()
    try:
        while frame is not None and len(levels) < _MOST_FRAMES:
            levels.append(_Level(frame, frame.pc(), _register(frame, "sp")))
            if last is not None and len(levels) > 2 and levels[-2].sp > last + _STACK:
                return levels, True
            oldest, frame = frame, frame.older()
        whole = frame is None and oldest.unwind_stop_reason() < gdb.FRAME_UNWIND_UNAVAILABLE
    except gdb.error as error:
        let_quit(error)
        whole = False
    return levels, whole


def _register(frame: gdb.Frame, name: str) -> int:
    return int(frame.read_register(name)) & (1 << 64) - 1


_Numbered = Tuple[int, Found]


def _level_of(one: _Numbered) -> int:
    return one[0]


def _running(rank: Rank, threads: "List[_mpipp.Thread]", stack: List[_Level]) -> List[_Numbered]:
    """The calls that the thread is in, each with the number of the frame that called. A call that was left by longjmp() is
    not on the stack."""
    places = {(level.pc, level.sp): number for number, level in reversed(list(enumerate(stack)))}
    found = []
    for thread in threads:
        for call in thread.calls:
            number = places.get((call.pc, call.sp))
            if call.state == "running" and number:
                found.append((number, _recorded(rank, call, stack[number].frame)))
    return found


def _unseen(rank: Rank, threads: "List[_mpipp.Thread]", stack: List[_Level]) -> Optional[Found]:
    """The innermost call of a thread whose stack cannot be unwound to its end."""
    own = _own(threads, stack)
    calls = [call for call in own.calls if call.state == "running"] if own is not None else []
    return _recorded(rank, calls[-1], None) if calls else None


def _recorded(rank: Rank, call: "_mpipp.Call", frame: Optional[gdb.Frame]) -> Found:
    form = rank.registry.form(call.form)
    told = rank.registry.site(call.site) if call.site >= 0 else ()
    bound = call.state == "returned" and call.user is not None
    pc = call.user[0] if call.user is not None and (bound or frame is None) else call.pc
    return Found(call.state, form, call.values[: len(form.parameters)], call.result, pc, frame, told, bound)


def _own(threads: "List[_mpipp.Thread]", stack: List[_Level]) -> "Optional[_mpipp.Thread]":
    """The record of the selected thread: found by its number, or, in a container, by the address of its stack."""
    ids = gdb.selected_thread().ptid[1:]
    for thread in threads:
        if thread.id in ids:
            return thread
    for thread in threads:
        if any(stack[0].sp - _STACK <= call.sp <= stack[-1].sp for call in thread.calls):
            return thread
    return None


# --- about to be made --------------------------------------------------------------------------


def _begins(rank: Rank, stack: List[_Level], selected: int, running: List[int]) -> Optional[Found]:
    """A call that is not recorded yet: the rank is in the first instructions of MPI's function."""
    entered = _entered(stack)
    if entered is None or not selected <= entered.caller < len(stack) or entered.caller in running:
        return None
    form = rank.registry.form_of(entered.function)
    values = _arguments(form, entered.level) if form is not None else None
    caller = stack[entered.caller]
    if form is None or values is None:
        return None
    return Found("begins", form, values, None, caller.pc, caller.frame)


def _next(rank: Rank, stack: List[_Level], selected: int) -> Optional[Found]:
    """The call that the next instruction makes."""
    newest = stack[0]
    called = _called(newest.pc) if selected == 0 else None
    form = rank.registry.form_of(called[0]) if called is not None else None
    values = _in_registers(form, newest, 0) if form is not None else None
    if called is None or form is None or values is None:
        return None
    return Found("next", form, values, None, newest.pc + called[1], newest.frame)


class _Entered(NamedTuple):
    """A function of MPI that has just begun, its frame, and the number of the calling frame."""

    function: str
    level: _Level
    caller: int


def _entered(stack: List[_Level]) -> Optional[_Entered]:
    """The function of MPI, or its wrapper, that the newest frame is in. After its first instruction only debug information
    shows that it is this function, and not another one without a name."""
    number = 0
    while number + 1 < len(stack) and _mpi_name(stack[number].frame) is None and _is_ours(stack[number]):
        number += 1
    name = _mpi_name(stack[number].frame)
    if name is not None:
        level = stack[number]
        while number < len(stack) and _mpi_name(stack[number].frame) == name:
            number += 1
        return _Entered(name, level, number)
    match = re.search(r"<P?(MPIX?_\w+)(?:>|@plt(?:\+\d+)?>)$", _symbolic(stack[0].pc))
    is_passed_on = len(stack) > 1 and is_library(_library(stack[1].pc))  # called by the wrapper, which records the call
    return _Entered(match.group(1), stack[0], 1) if match and not is_passed_on else None


def _is_ours(level: _Level) -> bool:
    return level.frame.type() == gdb.INLINE_FRAME or is_library(_library(level.pc))


def _mpi_name(frame: gdb.Frame) -> Optional[str]:
    function = frame.function()
    match = re.fullmatch(r"(?:P?MPI_|wrap_)(\w+)", function.name or "") if function is not None else None
    return f"MPI_{match.group(1)}" if match else None


def _called(pc: int) -> Optional[Tuple[str, int]]:
    """The function of MPI that the instruction at `pc` calls, if it does, and the length of the instruction."""
    try:
        instruction = gdb.selected_inferior().architecture().disassemble(pc)[0]
    except gdb.error as error:
        let_quit(error)
        return None
    text = instruction["asm"]
    match = _MPI_SYMBOL.search(text) if re.match(r"(notrack |bnd )?(call|bl)", text) else None
    return (match.group(1), instruction["length"]) if match else None


def _arguments(form: "_mpipp.Form", level: _Level) -> Optional[Tuple[int, ...]]:
    """The arguments of MPI's function that the rank is in: from its debug information, or from registers."""
    if level.frame.function() is None:
        # A stub of the linker may have pushed something where further arguments are expected.
        is_stub = re.search(r"@plt\+\d+>$", _symbolic(level.pc)) is not None
        return None if is_stub and len(form.parameters) > 6 else _in_registers(form, level, 1)
    values = []
    for parameter in form.parameters:
        try:
            values.append(_number(level.frame.read_var(parameter.name)))
        except (gdb.error, ValueError) as error:
            let_quit(error)
            return None
    return tuple(values)


def _number(value: gdb.Value) -> int:
    if value.is_optimized_out:
        raise ValueError
    width = value.type.sizeof
    number = int(value)
    is_handle = (value.type.name or "").startswith("MPI_")
    return number & (1 << (8 * width if is_handle else 64)) - 1


def _in_registers(form: "_mpipp.Form", level: _Level, pushed: int) -> Optional[Tuple[int, ...]]:
    """The arguments before the first instruction of a function; pushed: the return address is on the stack."""
    names = _REGISTERS.get(level.frame.architecture().name())
    if names is None:
        return None
    values = []
    for index, parameter in enumerate(form.parameters):
        if index < len(names):
            value = _register(level.frame, names[index])
        else:
            address = level.sp + 8 * (pushed + index - len(names))
            value = int.from_bytes(bytes(gdb.selected_inferior().read_memory(address, 8)), "little")
        values.append(_narrow(parameter, value))
    return tuple(values)


def _narrow(parameter: "_mpipp.Parameter", value: int) -> int:
    """The part of an argument's 64 bits that the function uses."""
    if "*" in parameter.type or parameter.type not in _NARROW:
        return value
    value &= 0xFFFFFFFF
    return value | 0xFFFFFFFF00000000 if value >> 31 else value


# --- returned ----------------------------------------------------------------------------------


def _returned(
    rank: Rank, threads: "List[_mpipp.Thread]", stack: List[_Level], selected: int
) -> Optional[Found]:
    """The last call that returned to the selected frame."""
    own = _own(threads, stack)
    calls = [call for call in own.calls if call.state == "returned"] if own is not None else []
    level = stack[selected]
    end = _end(stack, selected)
    for call in calls:
        pc, sp = call.user or (call.pc, call.sp)
        if level.sp - _STACK <= sp <= end and _same_function(pc, level.pc):
            return _recorded(rank, call, level.frame)
    last = calls[0] if calls and calls[0].user is None else None
    if last is not None and selected == 0 and last.sp < level.sp and _is_binding(last.pc):
        return _recorded(rank, last, None)  # through a binding, and it is not known where that returned to
    return None


def _end(stack: List[_Level], number: int) -> int:
    """The end of a frame's part of the stack; gdb shows no frame beyond main()."""
    return stack[number + 1].sp if number + 1 < len(stack) else stack[number].sp + _LAST_FRAME


def _same_function(pc: int, other: int) -> bool:
    starts = [_start_of(one) for one in (pc - 1, other)]
    return starts[0] is not None and starts[0] == starts[1]


def _symbolic(pc: int) -> str:
    """ "0x1234 <main+12>" """
    return gdb.format_address(pc, gdb.current_progspace(), gdb.selected_inferior().architecture())


def _start_of(pc: int) -> Optional[int]:
    """The beginning of the function that contains `pc`."""
    match = re.search(r"<.*?(?:\+(\d+))?>$", _symbolic(pc))
    return pc - int(match.group(1) or 0) if match else None


def _library(pc: int) -> str:
    name = decoded(lambda: gdb.solib_name(pc))
    return name.rsplit("/", 1)[-1] if name else ""


def _is_binding(pc: int) -> bool:
    library = _library(pc)
    return bool(_BINDING.match(library) or _PYTHON.match(library))


def _bindings(stack: List[_Level]) -> int:
    """How many of the newest frames belong to a binding."""
    return next((number for number, level in enumerate(stack) if not _is_binding(level.pc)), len(stack))


def _nothing(rank: Rank, threads: "List[_mpipp.Thread]", stack: List[_Level]) -> str:
    entered = _entered(stack)
    if entered is not None:
        if rank.registry.form_of(entered.function) is None:
            return f"calls of {entered.function} are not recorded"
        return f"{entered.function} has just begun: its arguments are recorded a few instructions later ('stepi')"
    bound = _bindings(stack)
    if bound:
        name = stack[bound - 1].frame.name() or _library(stack[bound - 1].pc)
        last = _last(rank, threads, stack)
        return f"the binding {name} is not in MPI: its call is recorded once it calls MPI" + (last and f"; {last}")
    own = _own(threads, stack)
    if own is None or not own.calls:
        return "this thread is in no MPI call and has made none"
    last = _last(rank, threads, stack)
    return f"this frame is in no MPI call; {last}" if last else "this thread is in no MPI call"


def _last(rank: Rank, threads: "List[_mpipp.Thread]", stack: List[_Level]) -> str:
    """The last call that returned; empty if none has, or if the thread is in a call."""
    own = _own(threads, stack)
    last = _recorded(rank, own.calls[0], None) if own is not None and own.calls else None
    if last is None or last.state == "running":
        return ""
    return f"the last one of this thread, {last.form.function}, returned to {last.place()}"
