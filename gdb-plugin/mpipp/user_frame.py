# SPDX-License-Identifier: BSD-3-Clause
"""At an error that the checker has found, the selected frame is the user's: the one with the MPI call.

The rank is then in the library's function mpipp_error: at a breakpoint there, or held in it by --on-error."""

import os
import re
from typing import Iterator, Optional, Set

import gdb

from .host_text import decoded
from .rank import Key, key_of
from .root import address_of, is_library

_ERROR = "mpipp_error"
_HELD = "shadowtype_held"
_MOST_INNER = 12  # the most frames between the place where a held thread waits and mpipp_error

# Libraries between the user's call and the checker: MPI, its bindings, and code that runs at the end of a process.
_NOT_THE_USERS = re.compile(
    r"(lib(p?mpi|mpich|mpl|open-(pal|rte)|pmpi|ucp|ucs|uct|fabric)[\w+-]*|libc|libpthread|ld-[\w-]+|ld-linux[\w-]*|linux-vdso)"
    r"[-.\d]*\.so|linux-vdso"
)

_seen: Set[Key] = set()


def install() -> None:
    """Connects the handler."""
    gdb.events.stop.connect(_stopped)
    gdb.events.before_prompt.connect(_prompt)
    gdb.events.exited.connect(lambda event: _forget(event.inferior.num))


def select() -> bool:
    """If the selected thread is in mpipp_error, selects the user's frame. Returns whether it is."""
    frame = _at_error()
    user = frame and _user_of(frame)
    if user is None:
        return False
    user.select()
    return True


def select_thread(number: int) -> bool:
    """Selects the thread with this number of Linux, and the user's frame in it. Returns whether it was at an error."""
    for thread in gdb.selected_inferior().threads():
        if number in thread.ptid[1:]:
            if thread != gdb.selected_thread():
                thread.switch()
            return select()
    return False


def held() -> int:
    """The thread of the selected process that --on-error holds; 0 if there is none."""
    at = address_of(_HELD)
    if at is None:
        return 0
    try:
        return int.from_bytes(bytes(gdb.selected_inferior().read_memory(at, 4)), "little", signed=True)
    except gdb.error:
        return 0


def let_go_on() -> None:
    """Releases the held thread: it runs when the process does."""
    at = address_of(_HELD)
    if at is not None:
        gdb.selected_inferior().write_memory(at, bytes(4))


def _prompt() -> None:
    """A core file never stops."""
    inferior = gdb.selected_inferior()
    if inferior.connection is not None and inferior.connection.type == "core" and key_of(inferior) not in _seen:
        _show()


def _stopped(_event: gdb.StopEvent) -> None:
    """Called when gdb has reported the stop."""
    _show()


def _show() -> None:
    """Selects the frame by a command, which shows it, and informs a frontend."""
    try:
        if _look():
            gdb.execute(f"frame {gdb.selected_frame().level()}")
    except gdb.error:
        pass  # no readable stack: the stop stays as it is


def _look() -> bool:
    key = key_of(gdb.selected_inferior())
    first = key not in _seen
    if first:
        _forget(key[0])
        _seen.add(key)
    if select():
        return True
    thread = held() if first else 0  # after attaching, another thread may be held
    return thread != 0 and select_thread(thread)


def _forget(number: int) -> None:
    """From here on the process of this inferior is a different one."""
    _seen.difference_update([key for key in _seen if key[0] == number])


def is_system(library: str) -> bool:
    """Whether a library, by its path, is the C library, MPI's, or mpipp's own: none of the program."""
    name = os.path.basename(library)
    return is_library(name) or _NOT_THE_USERS.match(name) is not None


def _library(frame: gdb.Frame) -> Optional[str]:
    """The base name of the library that contains a frame; None: the program itself."""
    name = decoded(lambda: gdb.solib_name(frame.pc()))
    return None if name is None else os.path.basename(name)


def _is_of_program(frame: gdb.Frame) -> bool:
    """Whether its lines are known to be the program's own. This is so at nearly all stops, and found out faster than by
    looking through the libraries."""
    symtab = frame.find_sal().symtab
    return symtab is not None and decoded(lambda: symtab.objfile.filename) == decoded(lambda: gdb.current_progspace().filename)


def _outward(frame: Optional[gdb.Frame]) -> Iterator[gdb.Frame]:
    while frame is not None:
        yield frame
        frame = frame.older()


def _at_error() -> Optional[gdb.Frame]:
    """The frame of mpipp_error, if the thread has stopped in it, or below it only in code of the library and of the C
    library."""
    newest = gdb.newest_frame()
    if _is_of_program(newest):
        return None
    for depth, frame in enumerate(_outward(newest)):
        name = _library(frame)
        if name is None or depth == _MOST_INNER:
            return None
        if is_library(name):
            if frame.name() == _ERROR:
                return frame
        elif not is_system(name):
            return None
    return None


def _user_of(frame: gdb.Frame) -> Optional[gdb.Frame]:
    for outer in _outward(frame):
        name = _library(outer)
        if name is None or not (is_library(name) or _NOT_THE_USERS.match(name)):
            return outer if outer.type() != gdb.SIGTRAMP_FRAME else None
    return None
