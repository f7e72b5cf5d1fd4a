# SPDX-License-Identifier: BSD-3-Clause
"""mpi browse"""

import gdb

from .. import operands
from ..browser import screen, viewers
from ..browser.tree import Tree
from ..fault import fault, sentences
from ..rank import ranks
from .base import Command

_USAGE = "usage: mpi browse [-tui] TYPE ADDRESS [COUNT]"


class MpiBrowse(Command):
    """Walk through a buffer: a tree whose nodes are evaluated when they are opened.

Usage: mpi browse [-tui] TYPE ADDRESS [COUNT]
   mpi browse -find ELEMENT
   mpi browse -copy

The operands are those of `mpipp'.  The tree is that of element addresses (see `help
mpi element').  Each node shows its index, its type, its byte counted from ADDRESS, its
name in the program, if ADDRESS is in an array or a struct of it, and the beginning of
its data.  Only the nodes in view are read, so 10^9 elements open at once; more than
1000 in a row open in groups of a thousand.

If there is a display, the tree is in a separate window, and gdb goes on: the values
are updated at each stop, changed ones are marked, and a freed type is reported.
If there is none, or with -tui, it is a window of gdb's TUI.  The arrow keys go up and
down, open and close; Enter right after `mpi browse', or a click, opens and closes,
too.  `focus cmd' gives the keys back to the command line, `focus mpi-browse' takes
them again.

-find opens the path to an element, [2][5] or struDT[2][5], or to the element that
contains a byte of memory, &buffer[52].  -copy writes the node at the cursor of the
TUI as an expression, $mpi_elem(struDT, "[2][5]", buffer).  The window has a field and
a key for these: Ctrl-F and Ctrl-C.

Examples:
  mpi browse struDT buffer
  mpi browse column grid 6"""

    def __init__(self) -> None:
        super().__init__("mpi browse", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)
        self._shown = ""

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by gdb. Enter repeats the command, which then finds its work done."""
        with sentences():
            self.run(argument.strip())

    def run(self, argument: str) -> None:
        option, _, rest = argument.partition(" ")
        is_repeated = argument == self._shown and screen.is_visible()
        if not argument or is_repeated:
            viewers.on_screen().toggle()
            screen.changed()
            return
        if option == "-find":
            self.dont_repeat()
            _find(rest)
        elif option == "-copy" and not rest:
            self.dont_repeat()
            lines = viewers.on_screen()
            gdb.write(lines.tree.expression(lines.key) + "\n")
        else:
            self._browse(argument, option == "-tui", rest if option == "-tui" else argument)

    def _browse(self, argument: str, in_tui: bool, given: str) -> None:
        if given.startswith("-"):
            raise fault(f"'mpi browse' has no option '{given.split()[0]}': {_USAGE}")
        rank = ranks.current()
        words = [word for operand in operands.split(given) for word in operand]
        if len(words) < 2:
            raise fault(f"{'no type and no' if not words else 'no'} address given: {_USAGE}")
        if len(words) > 3:
            raise fault("more than three operands: put an expression with blanks into parentheses")
        tree = Tree(rank, words)
        where = viewers.show(tree, in_tui)
        self._shown = "" if where else argument
        if where:
            self.dont_repeat()
            gdb.write(f"{tree.title}: {where}\n")


def _find(text: str) -> None:
    tree, windows = viewers.newest()
    keys = tree.find(text)
    for window in windows:
        window.go_to(keys)
    if not windows:
        screen.current().go_to(keys)
        screen.changed()
