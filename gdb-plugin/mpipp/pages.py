# SPDX-License-Identifier: BSD-3-Clause
"""Whether memory can be read, page by page: a list of a thousand values need not try each."""

from typing import Set, Tuple

import gdb

from .fault import let_quit
from .rank import Rank

_PAGE = 4096  # memory is readable in pages of this size, or of a multiple of it

# The results since the process ran last: (number of the rank, page).
_readable: Set[Tuple[int, int]] = set()


def install() -> None:
    """Connects the events that map and unmap pages."""
    for name in ("cont", "inferior_call", "exited", "new_objfile", "before_prompt"):
        getattr(gdb.events, name).connect(_forget)


def readable(rank: Rank, address: int, length: int) -> bool:
    """Whether these bytes can be read. It reads one byte of each page, once."""
    for page in range(address // _PAGE, -(-(address + length) // _PAGE)):
        if (rank.number, page) in _readable:
            continue
        try:
            rank.read(max(address, page * _PAGE), 1)
        except gdb.error as error:
            let_quit(error)
            return False
        _readable.add((rank.number, page))
    return True


def _forget(_event: object = None) -> None:
    _readable.clear()
