# SPDX-License-Identifier: BSD-3-Clause
"""The window of `layout mpi'."""

from typing import List, Optional

import gdb

from ..fault import EXPECTED, let_quit, sentence
from . import columns, content

NAME = "mpi"

_LAYOUT = f"tui new-layout {NAME} src 3 {NAME} 2 status 0 cmd 2"


class Window:
    """gdb's window, while its layout is on the screen. Its lines are made before each prompt, but not if the window is not
    shown."""

    shown: "Optional[Window]" = None

    def __init__(self, window: "gdb.TuiWindow") -> None:
        self._window = window
        self._lines: Optional[List[str]] = None
        self._top = 0
        self._left = 0
        window.title = NAME
        Window.shown = self

    def follow(self) -> None:
        """Something may have changed."""
        lines = content.lines()
        if lines != self._lines:
            self._lines = lines
            self.render()

    # Called by gdb.

    def close(self) -> None:
        """Another layout is shown on the screen."""
        if Window.shown is self:
            Window.shown = None

    def render(self) -> None:
        """Draws the window."""
        if not self._window.is_valid():
            return
        if self._lines is None:
            self._lines = content.lines()
        height, width = self._window.height, self._window.width - 1  # a full line would take two
        self._top = min(self._top, max(len(self._lines) - height, 0))
        texts = [columns.part(line, self._left, width) for line in self._lines[self._top : self._top + height]]
        self._window.erase()
        self._window.write("\n".join(texts))

    def vscroll(self, lines: int) -> None:
        """The arrow keys and the page keys."""
        self._top = max(self._top + lines, 0)
        self.render()

    def hscroll(self, places: int) -> None:
        """The arrow keys to the sides."""
        self._left = max(self._left + places, 0)
        self.render()


def install() -> None:
    """Registers the window and its layout; a gdb without a TUI has neither."""
    if not hasattr(gdb, "register_window_type"):
        return
    gdb.register_window_type(NAME, Window)
    try:
        gdb.execute(_LAYOUT, to_string=True)
    except gdb.error:
        return
    gdb.events.before_prompt.connect(_prompt)


def _prompt() -> None:
    window = Window.shown
    if window is None:
        return
    try:
        window.follow()
    except EXPECTED as error:
        let_quit(error)
        gdb.write(f"mpipp: {sentence(error)}\n", gdb.STDERR)
