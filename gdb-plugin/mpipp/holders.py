# SPDX-License-Identifier: BSD-3-Clause
"""Which variables of the program hold a datatype: those of the functions on the stack, and the global ones of their files."""

from typing import Dict, Iterator, List, Set, Tuple

import gdb

from . import cxx_container
from .calls import no_calls
from .fault import EXPECTED, let_quit
from .handle import Walk, handle_in, is_handle
from .rank import Rank
from .settings import is_fortran
from .variables import variables

_ELEMENTS_MOST = 64  # of a container
_NAMES_MOST = 3

_GROUPS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
_REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)

_Name = Tuple[bool, str]
"""whether it is a part of a variable, and its text, as "types[2] in main"."""


class Holders:
    """The variables by the handles that they hold."""

    def __init__(self, rank: Rank) -> None:
        self._rank = rank
        self._names: Dict[int, List[_Name]] = {}
        self._seen: Set[Tuple[str, int]] = set()
        self._walk = Walk(is_handle)
        if rank.is_selected() and rank.is_here() and not rank.is_running():
            with no_calls():
                self._find()

    def text(self, handle: int) -> str:
        """ "held by column in main, types[1]"; empty: no variable that can be looked at holds it."""
        names = [name for _, name in sorted(self._names.get(handle, []), key=lambda one: one[0])]
        if not names:
            return ""
        more = f" and {len(names) - _NAMES_MOST} more" if len(names) > _NAMES_MOST else ""
        return f"held by {', '.join(names[:_NAMES_MOST])}{more}"

    def _find(self) -> None:
        for one in variables():
            where = "" if one.frame is None else f" in {one.frame.name() or '?'}"
            try:
                if _is_simple(one.symbol.type):
                    continue
                for path, held in self._handles(one.value()):
                    handle = handle_in(self._rank, held)
                    if handle is not None:
                        self._add(handle, bool(path), one.symbol.name + path + where)
            except EXPECTED as error:  # optimised away, or not in memory
                let_quit(error)

    def _add(self, handle: int, is_part: bool, name: str) -> None:
        if (name, handle) not in self._seen:
            self._seen.add((name, handle))
            self._names.setdefault(handle, []).append((is_part, name))

    def _handles(self, value: gdb.Value) -> Iterator[Tuple[str, gdb.Value]]:
        """The handles in a variable, in the struct that it points to, or in the container that it is, and the paths to them."""
        if is_handle(value.type):
            yield "", value
            return
        if value.type.strip_typedefs().code in _REFERENCES:
            value = value.referenced_value()
        of = value.type.strip_typedefs()
        if of.code == gdb.TYPE_CODE_PTR:
            target = of.target().strip_typedefs()
            if target.code in _GROUPS and self._walk.may_hold(target) and int(value):
                sign = "%" if is_fortran() else "->"
                yield from ((sign + path.lstrip(".%"), held) for path, held in self._walk.handles(value.dereference()))
            return
        inside = cxx_container.elements(value)
        if inside is None:
            yield from self._walk.handles(value)
        elif is_handle(inside.first.type.strip_typedefs().target()):
            for index in range(min(inside.count or 0, _ELEMENTS_MOST)):
                yield f"[{index}]", inside.first[index]


def _is_simple(of: gdb.Type) -> bool:
    """Whether it is a number, or an array of numbers, and no handle."""
    if is_handle(of):
        return False
    of = of.strip_typedefs()
    while of.code == gdb.TYPE_CODE_ARRAY:
        if is_handle(of.target()):
            return False
        of = of.target().strip_typedefs()
    return of.code not in (*_GROUPS, *_REFERENCES, gdb.TYPE_CODE_PTR)
