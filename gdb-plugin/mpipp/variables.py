# SPDX-License-Identifier: BSD-3-Clause
"""The variables of the program: those of the functions on the stack, and the global ones of their files."""

from typing import Dict, Iterator, NamedTuple, Optional

import gdb

from .fault import let_quit
from .host_text import decoded

_FRAMES_MOST = 100


class Variable(NamedTuple):
    """A variable or an argument."""

    symbol: gdb.Symbol
    frame: Optional[gdb.Frame]
    """that of its function; None: a global variable"""

    def value(self) -> gdb.Value:
        """Its value. Raises gdb.error: it is optimised away, for example."""
        return self.symbol.value(self.frame) if self.symbol.needs_frame else self.symbol.value()


def variables() -> Iterator[Variable]:
    """All of the selected thread, the innermost first."""
    files: Dict[str, gdb.Symtab] = {}
    for frame in _frames():
        try:
            block = frame.block()
        except RuntimeError:  # a function without debug information
            continue
        table = frame.find_sal().symtab
        if table is not None:
            files.setdefault(decoded(table.fullname) or "", table)
        while block is not None and not (block.is_static or block.is_global):
            yield from _in_block(block, frame)
            block = None if block.function is not None else block.superblock
    for table in files.values():
        yield from _in_block(table.static_block(), None)
        yield from _in_block(table.global_block(), None)


def _in_block(block: gdb.Block, frame: Optional[gdb.Frame]) -> Iterator[Variable]:
    return (Variable(symbol, frame) for symbol in block if symbol.is_variable or symbol.is_argument)


def _frames() -> Iterator[gdb.Frame]:
    """The frames of the selected thread, the newest first."""
    try:
        frame: Optional[gdb.Frame] = gdb.newest_frame()
        for _ in range(_FRAMES_MOST):
            if frame is None:
                return
            yield frame
            frame = frame.older()
    except gdb.error as error:  # no process, or a stack that gdb cannot unwind
        let_quit(error)
