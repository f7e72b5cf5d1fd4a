# SPDX-License-Identifier: BSD-3-Clause
"""A tree in a window of gdb's TUI."""

from typing import Optional

import gdb

from ..fault import EXPECTED, fault, let_quit, sentence
from .lines import Lines
from .tree import Tree

NAME = "mpi-browse"

_LAYOUT = f"tui new-layout {NAME} {NAME} 3 src 2 status 0 cmd 2"
_REVERSE, _PLAIN = "\033[7m", "\033[0m"


class Screen:
    """gdb's window, while its layout is on the screen. It shows the newest tree."""

    lines: Optional[Lines] = None
    shown: "Optional[Screen]" = None

    def __init__(self, window: "gdb.TuiWindow") -> None:
        self._window = window
        window.title = NAME
        Screen.shown = self

    def is_visible(self) -> bool:
        """Whether it is on the screen; it is not after `tui disable'."""
        return self._window.is_valid()

    # Called by gdb.

    def close(self) -> None:
        """Another layout is shown on the screen."""
        if Screen.shown is self:
            Screen.shown = None

    def render(self) -> None:
        """Draws the window: the lines in view, and below them the one at the cursor as an expression."""
        lines = Screen.lines
        if lines is None or not self.is_visible():
            return
        height, width = self._window.height, self._window.width - 1  # a full line would take two
        texts = lines.shown(max(height - 1, 1), width)
        at = lines.cursor - lines.top
        texts[at] = _REVERSE + texts[at].ljust(width) + _PLAIN
        texts += [""] * (height - 1 - len(texts))
        note = lines.tree.note()
        texts.append((f"<{note}> " if note else "") + lines.tree.expression(lines.key))
        texts[-1] = texts[-1][:width]
        self._window.title = lines.tree.title
        self._window.erase()
        self._window.write("\n".join(texts))

    def vscroll(self, lines: int) -> None:
        """The arrow keys and the page keys."""
        if Screen.lines is not None:
            Screen.lines.move(lines)
            self.render()

    def hscroll(self, columns: int) -> None:
        """The arrow keys to the sides."""
        if Screen.lines is not None:
            (Screen.lines.open if columns > 0 else Screen.lines.close)()
            self.render()

    def click(self, x: int, y: int, button: int) -> None:
        """A button of the mouse."""
        lines = Screen.lines
        if lines is not None and button == 1 and lines.top + y < len(lines) and y < self._window.height - 1:
            lines.cursor = lines.top + y
            lines.toggle()
            self.render()


def install() -> None:
    """Registers the window, and a layout with it; a gdb without a TUI has neither."""
    if hasattr(gdb, "register_window_type"):
        gdb.register_window_type(NAME, Screen)
        try:
            gdb.execute(_LAYOUT, to_string=True)
        except gdb.error:
            pass


def show(tree: Tree) -> None:
    """Shows a tree on the screen. Raises gdb.error if there can be no such window."""
    Screen.lines, before = Lines(tree), Screen.lines
    try:
        gdb.execute(f"layout {NAME}")  # gdb shows no TUI while it writes to a string
        gdb.execute(f"focus {NAME}", to_string=True)
    except gdb.error:
        Screen.lines = before
        raise
    changed()


def changed() -> None:
    """Memory may have changed, or the cursor has moved."""
    if Screen.shown is not None:
        try:
            Screen.shown.render()
        except EXPECTED as error:
            let_quit(error)
            gdb.write(f"mpipp: {sentence(error)}\n", gdb.STDERR)


def is_visible() -> bool:
    """Whether a tree is on the screen."""
    return Screen.shown is not None and Screen.shown.is_visible() and Screen.lines is not None


def current() -> Lines:
    """What is on the screen. Raises gdb.GdbError if there is nothing."""
    if not is_visible() or Screen.lines is None:
        raise fault("no tree is open: give a type and an address")
    return Screen.lines
