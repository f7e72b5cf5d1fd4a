# SPDX-License-Identifier: BSD-3-Clause
"""`info breakpoints' keeps the selected frame.

With several inferiors gdb 13 selects frame 0 there. DDD asks for the breakpoints after each command, so that `up' had no
effect in it.
"""

from typing import Optional

import gdb

_HOOKS = """\
define info hook-breakpoints
python __import__("mpipp.kept_frame").kept_frame.keep()
end
define info hookpost-breakpoints
python __import__("mpipp.kept_frame").kept_frame.restore()
end"""

_kept: Optional[gdb.Frame] = None


def install() -> None:
    """Registers gdb's hooks of the command. Those that the user defines later take their place."""
    gdb.execute(_HOOKS, to_string=True)


def keep() -> None:
    """Called by gdb before the command."""
    global _kept
    _kept = None
    try:
        if len(gdb.inferiors()) > 1 and gdb.selected_thread() is not None:
            _kept = gdb.selected_frame()
    except gdb.error:
        pass  # it runs, or has no frame


def restore() -> None:
    """Called by gdb after the command, if it has not failed."""
    global _kept
    frame, _kept = _kept, None
    try:
        if frame is not None and frame.is_valid() and frame != gdb.selected_frame():
            frame.select()
    except gdb.error:
        pass
