# SPDX-License-Identifier: BSD-3-Clause
"""`bt' leaves out the library's own frames: those between MPI and the program's call, and those between the checker and
that call.

This is a frame filter like any other: `bt -no-filters' shows all frames, and `disable frame-filter global mpipp' turns it
off. Frames keep their numbers. If no frame is left out, gdb itself writes the backtrace."""

import os
import re
from itertools import groupby
from typing import Iterable, Iterator, List, Optional

import gdb
from gdb.FrameDecorator import FrameDecorator

from .fault import let_quit
from .host_text import decoded
from .root import is_library

_NAME = "mpipp"
_MOST_FRAMES = 200  # frames that are searched for one of the library's
_ENTRY = re.compile(r"P?MPIX?_\w+")


class Filter:
    """The frame filter."""

    name = _NAME
    priority = 10  # before filters that look at the program's own frames

    def __init__(self) -> None:
        self._wanted = True

    @property
    def enabled(self) -> bool:
        """Whether there is anything to leave out: gdb asks for each backtrace."""
        return self._wanted and _has_wrapper()

    @enabled.setter
    def enabled(self, wanted: bool) -> None:
        self._wanted = wanted

    def filter(self, frames: Iterable[FrameDecorator]) -> Iterator[FrameDecorator]:
        """The frames that are shown."""
        inner: Optional[gdb.Frame] = None
        for is_ours, group in groupby(frames, lambda decorator: _is_ours(decorator.inferior_frame())):
            if not is_ours:
                for decorator in group:
                    inner = decorator.inferior_frame()
                    yield decorator
            else:
                yield from _shown_of(list(group), inner)


def install() -> None:
    """Registers the filter for all programs."""
    gdb.frame_filters[_NAME] = Filter()


def _shown_of(ours: List[FrameDecorator], inner: Optional[gdb.Frame]) -> Iterator[FrameDecorator]:
    """The shown ones of consecutive frames of the library; inner: the frame that they have called.

    The innermost frame of a thread is always shown. The program's call is shown, unless MPI's function is on the stack."""
    entry = ours[-1]
    if not _is_entry(entry.inferior_frame()):  # not called as MPI
        yield from ours
        return
    if inner is None and len(ours) > 1:
        yield ours[0]
    if inner is None or not _is_entry(inner):
        yield entry


def _is_entry(frame: gdb.Frame) -> bool:
    return _ENTRY.fullmatch(frame.name() or "") is not None


def _is_ours(frame: gdb.Frame) -> bool:
    name = decoded(lambda: gdb.solib_name(frame.pc()))
    return name is not None and is_library(os.path.basename(name))


def _has_wrapper() -> bool:
    """Whether a frame of the library that is not the newest one has been called as MPI's function."""
    try:
        frame: Optional[gdb.Frame] = gdb.newest_frame().older()
        for _ in range(_MOST_FRAMES):
            if frame is None:
                return False
            if _is_entry(frame) and _is_ours(frame):
                return True
            frame = frame.older()
    except gdb.error as error:  # no stack, or one that gdb cannot unwind
        let_quit(error)
    return False
