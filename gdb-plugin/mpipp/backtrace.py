# SPDX-License-Identifier: BSD-3-Clause
"""`bt' leaves out the library's own frames: those between MPI and the program's call, and those between the checker and
that call. MPI's functions show the arguments of the call (frame_arguments.py).

This is a frame filter like any other: `bt -no-filters' shows all frames, and `disable frame-filter global mpipp' turns it
off. Frames keep their numbers. If there is no call of MPI, gdb itself writes the backtrace."""

import os
import re
from itertools import groupby
from typing import Dict, Iterable, Iterator, List, Optional

import gdb
from gdb.FrameDecorator import FrameDecorator

from . import frame_arguments
from .fault import let_quit
from .host_text import decoded
from .root import is_library

_NAME = "mpipp"
_MOST_FRAMES = 200  # frames that are searched for one of the library's
_ENTRY = re.compile(r"P?MPIX?_\w+")
_WRAPPER = re.compile(r"wrap_[A-Z]\w+")  # on the stack without MPI_X where the compiler has made that a jump


class Filter:
    """The frame filter."""

    name = _NAME
    priority = 10  # before filters that look at the program's own frames

    def __init__(self) -> None:
        self.is_wanted = True
        """the user has not disabled it"""

    @property
    def enabled(self) -> bool:
        """Whether there is anything to leave out: gdb asks for each backtrace."""
        return self.is_wanted and _has_wrapper()

    @enabled.setter
    def enabled(self, wanted: bool) -> None:
        self.is_wanted = wanted

    def filter(self, frames: Iterable[FrameDecorator]) -> Iterator[FrameDecorator]:
        """The frames that are shown."""
        inner: Optional[gdb.Frame] = None
        calls = frame_arguments.calls()
        for are_ours, group in groupby(frames, lambda decorator: is_ours(decorator.inferior_frame())):
            if not are_ours:
                for decorator in group:
                    inner = decorator.inferior_frame()
                    yield _with_arguments(decorator, calls)
            else:
                ours = list(group)
                for number in _shown([one.inferior_frame() for one in ours], inner):
                    yield _with_arguments(ours[number], calls)


class _Plain(FrameDecorator):
    """A frame as gdb shows it without a filter."""

    def function(self) -> Optional[object]:
        """Called by gdb, which leaves out a name that is not known, and not the blank after it."""
        return super().function() if self.inferior_frame().name() is not None else "??"

    def frame_args(self) -> "Optional[List[frame_arguments.Argument]]":
        """Called by gdb."""
        frame = self.inferior_frame()
        arguments = super().frame_args()
        return arguments and [frame_arguments.readable(argument, frame) for argument in arguments]


def _with_arguments(decorator: FrameDecorator, calls: "Dict[int, frame_arguments.Call]") -> FrameDecorator:
    call = calls.get(decorator.inferior_frame().level())
    return call.shown(decorator) if call is not None else _Plain(decorator)


_filter = Filter()


def install() -> None:
    """Registers the filter for all programs."""
    gdb.frame_filters[_NAME] = _filter


def is_left_out(frame: gdb.Frame) -> bool:
    """Whether `bt' leaves a frame out."""
    if not is_ours(frame) or not _filter.enabled:
        return False
    ours = [frame]
    inner = frame.newer()
    while inner is not None and is_ours(inner):
        ours.insert(0, inner)
        inner = inner.newer()
    outer = frame.older()
    while outer is not None and is_ours(outer):
        ours.append(outer)
        outer = outer.older()
    return frame not in (ours[number] for number in _shown(ours, inner))


def is_call(frame: gdb.Frame) -> bool:
    """Whether it is the library's function that the program has called as MPI_X, and the library's frames are left out."""
    return is_ours(frame) and _is_called(frame) and _filter.is_wanted


def _shown(ours: List[gdb.Frame], inner: Optional[gdb.Frame]) -> List[int]:
    """Which ones of consecutive frames of the library are shown; inner: the frame that they have called.

    The innermost frame of a thread is always shown. The program's call is shown, unless MPI's function is on the stack."""
    last = len(ours) - 1
    if not _is_called(ours[last]):  # not called as MPI
        return list(range(len(ours)))
    first = [0] if inner is None and last > 0 else []
    return first + ([last] if inner is None or not _is_entry(inner) else [])


def _is_entry(frame: gdb.Frame) -> bool:
    return _ENTRY.fullmatch(frame.name() or "") is not None


def _is_called(frame: gdb.Frame) -> bool:
    """Whether the program has called this function of the library as one of MPI's."""
    return _is_entry(frame) or _WRAPPER.fullmatch(frame.name() or "") is not None


def is_ours(frame: gdb.Frame) -> bool:
    """Whether it is a frame of the library."""
    name = decoded(lambda: gdb.solib_name(frame.pc()))
    return name is not None and is_library(os.path.basename(name))


def _has_wrapper() -> bool:
    """Whether a frame of the library that is not the newest one has been called as MPI's function."""
    try:
        frame: Optional[gdb.Frame] = gdb.newest_frame().older()
        for _ in range(_MOST_FRAMES):
            if frame is None:
                return False
            if _is_called(frame) and is_ours(frame):
                return True
            frame = frame.older()
    except gdb.error as error:  # no stack, or one that gdb cannot unwind
        let_quit(error)
    return False
