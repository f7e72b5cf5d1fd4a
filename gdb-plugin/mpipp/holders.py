# SPDX-License-Identifier: BSD-3-Clause
"""Which variables of the program hold a datatype: those of the functions on the stack, and the global ones of their files."""

from typing import Dict, Iterator, List, Set, Tuple

import gdb

from .calls import no_calls
from .fault import EXPECTED, let_quit
from .handle import handle_in, is_handle
from .rank import Rank
from .settings import is_fortran
from .variables import variables

_ELEMENTS_MOST = 64  # of an array
_NAMES_MOST = 3

_GROUPS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)


class Holders:
    """The variables by the handles that they hold."""

    def __init__(self, rank: Rank) -> None:
        self._rank = rank
        self._names: Dict[int, List[str]] = {}
        self._seen: Set[Tuple[str, int]] = set()
        if rank.is_selected() and rank.is_here() and not rank.is_running():
            with no_calls():
                self._find()

    def text(self, handle: int) -> str:
        """ "held by column in main, types[1]"; empty: no variable that can be looked at holds it."""
        names = sorted(self._names.get(handle, []), key=_is_part)
        if not names:
            return ""
        more = f" and {len(names) - _NAMES_MOST} more" if len(names) > _NAMES_MOST else ""
        return f"held by {', '.join(names[:_NAMES_MOST])}{more}"

    def _find(self) -> None:
        for one in variables():
            if not _may_hold(one.symbol.type):
                continue
            where = "" if one.frame is None else f" in {one.frame.name() or '?'}"
            try:
                for path, held in _handles(self._rank, one.value()):
                    self._add(held, one.symbol.name + path + where)
            except EXPECTED as error:  # optimised away, or not in memory
                let_quit(error)

    def _add(self, handle: int, name: str) -> None:
        if (name, handle) not in self._seen:
            self._seen.add((name, handle))
            self._names.setdefault(handle, []).append(name)


def _is_part(name: str) -> bool:
    """Whether it is an element of an array or a member."""
    return any(sign in name for sign in "[(.%")


def _may_hold(of: gdb.Type) -> bool:
    """Whether it is a handle, or an array or a struct with some."""
    if is_handle(of):
        return True
    of = of.strip_typedefs()
    while of.code == gdb.TYPE_CODE_ARRAY:
        of = of.target()
        if is_handle(of):
            return True
        of = of.strip_typedefs()
    return of.code in _GROUPS and any(is_handle(field.type) for field in of.fields() if hasattr(field, "bitpos"))


def _handles(rank: Rank, value: gdb.Value) -> Iterator[Tuple[str, int]]:
    """The handles in a variable, and the paths to them."""
    if is_handle(value.type):
        held = handle_in(rank, value)
        if held is not None:
            yield "", held
        return
    of = value.type.strip_typedefs()
    if of.code == gdb.TYPE_CODE_ARRAY:
        first, last = of.range()
        for index in range(first, min(last, first + _ELEMENTS_MOST - 1) + 1):
            for path, held in _handles(rank, value[index]):
                yield (f"({index})" if is_fortran() else f"[{index}]") + path, held
    elif of.code in _GROUPS:
        for field in of.fields():
            if hasattr(field, "bitpos") and field.name and is_handle(field.type):
                held = handle_in(rank, value[field])
                if held is not None:
                    yield ("%" if is_fortran() else ".") + field.name, held
