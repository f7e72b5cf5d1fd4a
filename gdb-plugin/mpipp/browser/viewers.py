# SPDX-License-Identifier: BSD-3-Clause
"""All open trees; they are updated when something happens in gdb."""

from typing import TYPE_CHECKING, List, Tuple

import gdb

from .. import posted
from ..fault import fault
from . import screen
from .lines import Lines
from .tree import Tree

if TYPE_CHECKING:
    from .link import Window

_windows: "List[Window]" = []  # the newest last
_is_told = False

_EVENTS = ("stop", "cont", "exited", "memory_changed", "inferior_call", "inferior_deleted", "clear_objfiles")


def install() -> None:
    """Registers the TUI's window, and connects what changes memory."""
    screen.install()
    for name in _EVENTS:
        getattr(gdb.events, name).connect(_changed)
    gdb.events.gdb_exiting.connect(_close)


def show(tree: Tree, in_tui: bool) -> str:
    """Opens a window, on the display or, if there is none, in the TUI. Says where it is."""
    why = ""
    if not in_tui:
        from .link import Window  # with processes, sockets and JSON, which no other part needs

        try:
            _windows.append(Window(tree, _windows.remove))
            return "in a separate window"
        except (gdb.error, OSError) as error:
            why = f"{error}; "
    try:
        screen.show(tree)
    except gdb.error as error:
        raise fault(f"no window can be opened: {why}{_tui_fault(error)}") from None
    return ""


def newest() -> Tuple[Tree, "List[Window]"]:
    """The tree that was opened last, and its window on the display, if it has one."""
    if _windows and not screen.is_visible():
        return _windows[-1].tree, _windows[-1:]
    return screen.current().tree, []


def on_screen() -> Lines:
    """The tree in the TUI. Raises gdb.GdbError if there is none; a window on the display has its own keys."""
    if _windows and not screen.is_visible():
        raise fault("the tree is in a window, and its keys are there")
    return screen.current()


def _tui_fault(error: gdb.error) -> str:
    text = str(error).strip().rstrip(".")
    if text.startswith("Cannot enable the TUI"):
        return "c" + text[1:]
    return "this gdb has no TUI for it"


def _changed(_event: object) -> None:
    """Reports a change once, after gdb has handled the whole event."""
    global _is_told
    for window in _windows:
        window.expire()
    if not _is_told and (_windows or screen.is_visible()):
        _is_told = True
        posted.post(_tell)


def _tell() -> None:
    global _is_told
    _is_told = False
    for window in _windows:
        window.changed()
    screen.changed()


def _close(_event: object) -> None:
    for window in _windows:
        window.close()
