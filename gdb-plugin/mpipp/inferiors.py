# SPDX-License-Identifier: BSD-3-Clause
"""Looks at another inferior than the selected one, and restores the selection."""

from contextlib import contextmanager
from typing import Callable, Iterator, Optional

import gdb

from .fault import fault
from .ranks_control import quietly

_MOST_FRAMES = 64


@contextmanager
def selected(inferior: gdb.Inferior) -> Iterator[None]:
    """Selects this inferior meanwhile; afterwards thread and frame are as before. Raises gdb.MemoryError if it has no
    process."""
    before = gdb.selected_thread()
    frame = _selected_frame()
    number = gdb.selected_inferior().num
    if number != inferior.num:
        threads = [thread for thread in inferior.threads() if thread.is_valid()]
        if not threads:
            raise gdb.MemoryError(f"inferior {inferior.num} has no process")
        min(threads, key=lambda thread: thread.num).switch()
    try:
        yield
    finally:
        if number != inferior.num:
            if before is not None:
                before.switch()
            else:
                with quietly():
                    gdb.execute(f"inferior {number}", to_string=True)
        if frame is not None and frame.is_valid():
            frame.select()


@contextmanager
def numbered(number: int) -> Iterator[None]:
    """The same by gdb's number. Raises gdb.GdbError if there is no such inferior, or if it cannot be looked at."""
    inferior = next((inferior for inferior in gdb.inferiors() if inferior.num == number), None)
    if inferior is None:
        raise fault(f"there is no inferior {number}: 'info inferiors' lists them")
    with selected(inferior):
        thread = gdb.selected_thread()
        if thread is not None and thread.is_running():
            raise fault(f"inferior {number} is running")
        yield


def select_frame_of(expression: str, wanted: Callable[[gdb.Value], bool]) -> None:
    """Selects the first frame, from the selected one outwards, in which the expression has the wanted kind. (A debug version
    of libm has a T itself, which is something else.) If there is none, nothing changes."""
    start = frame = _selected_frame()
    for _ in range(_MOST_FRAMES):
        if frame is None:
            break
        frame.select()
        try:
            if wanted(gdb.parse_and_eval(expression)):
                return
        except gdb.error:
            pass
        frame = frame.older()
    if start is not None:
        start.select()


def _selected_frame() -> Optional[gdb.Frame]:
    try:
        return gdb.selected_frame()
    except gdb.error:
        return None
