# SPDX-License-Identifier: BSD-3-Clause
"""The lines of the window: the MPI call that the selected frame is in, and the datatypes among its variables."""

from typing import Iterator, List, Set, Tuple

import gdb

from .. import _mpipp, site
from ..commands.mpi_tree import Drawing
from ..fault import EXPECTED, let_quit, sentence
from ..handle import handle_in, is_handle
from ..printers.base import remark
from ..rank import Rank, ranks

_PREFIX = "mpipp: "


def lines() -> List[str]:
    """The current lines."""
    try:
        rank = ranks.current()
        return [*_call(), *_variables(rank)]
    except gdb.GdbError as error:
        return [f"<{_without_prefix(str(error))}>"]
    except EXPECTED as error:
        let_quit(error)
        return [f"<{sentence(error)}>"]


def _without_prefix(text: str) -> str:
    return text[len(_PREFIX) :] if text.startswith(_PREFIX) else text


def _call() -> Iterator[str]:
    """The text of `mpi call', if the frame is in a call or next to one."""
    try:
        yield from gdb.execute("mpi call", to_string=True).splitlines()
    except (gdb.error, gdb.GdbError) as error:
        let_quit(error)
        return
    yield ""


def _variables(rank: Rank) -> Iterator[str]:
    frame = gdb.selected_frame()
    function = frame.name() or "??"
    found = list(_handles(frame))
    if not found:
        yield f"<no datatype among the variables of {function}>"
    else:
        yield f"datatypes of {function}"
    for name, value in found:
        yield from _datatype(rank, name, value)


def _handles(frame: gdb.Frame) -> Iterator[Tuple[str, gdb.Value]]:
    """The variables of the frame that are handles; of equal names only the innermost."""
    try:
        block = frame.block()
    except RuntimeError:  # no debug information
        return
    seen: Set[str] = set()
    while block is not None:
        for symbol in block:
            is_data = (symbol.is_variable or symbol.is_argument) and symbol.type is not None
            if symbol.name in seen or not is_data or not is_handle(symbol.type):
                continue
            seen.add(symbol.name)
            yield symbol.name, symbol.value(frame)
        if block.function is not None:
            return
        block = block.superblock


def _datatype(rank: Rank, name: str, value: gdb.Value) -> Iterator[str]:
    try:
        handle = handle_in(rank, value)
        state, of = ("unknown", None) if handle is None else rank.registry.find(handle)
        if handle is None or of is None:
            yield f"{name}: no datatype (0x{handle or 0:x})"
        elif state == "freed":
            yield f"{name}: freed at {site.text(of.freed_at, site.FREE)}"
        else:
            yield from _tree(name, of)
    except EXPECTED as error:
        let_quit(error)
        yield f"{name}: {remark(error)}"


def _tree(name: str, of: "_mpipp.Type") -> Iterator[str]:
    drawn: List[str] = []
    Drawing(drawn.append).draw(of)
    first, *rest = "".join(drawn).splitlines()
    yield f"{name}: {first.partition(': ')[2] if first.startswith('1: ') else first}"
    yield from ("  " + line for line in rest)
