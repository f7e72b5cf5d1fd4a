# SPDX-License-Identifier: BSD-3-Clause
"""Work that another thread, or a handler of gdb's events, passes to gdb's thread.

gdb.post_event does that, but has a defect at the end of gdb: gdb destroys the events that are left after it has ended
Python, and crashes (13.1). Events are left if they were posted while a script runs that ends with `quit', or in a batch.
So if there are such events, Python's last action is to end gdb, which has nothing left to do by then.
"""

import atexit
import os
import threading
from typing import Callable

import gdb

_lock = threading.Lock()
_waiting = 0
_is_ending = False
_exit_code = 0


def post(done: Callable[[], None]) -> None:
    """Does it soon; not at all if gdb ends before."""
    global _waiting

    def run() -> None:
        global _waiting
        with _lock:
            _waiting -= 1
        done()

    with _lock:
        if _is_ending:
            return
        _waiting += 1
    gdb.post_event(run)


def install() -> None:
    """Connects gdb's end, and Python's."""
    gdb.events.gdb_exiting.connect(_gdb_ends)
    atexit.register(_python_ends)


def _gdb_ends(event: object) -> None:
    global _is_ending, _exit_code
    with _lock:
        _is_ending = True
    _exit_code = getattr(event, "exit_code", 0)
    gdb.flush()


def _python_ends() -> None:
    if _waiting:
        os._exit(_exit_code)
