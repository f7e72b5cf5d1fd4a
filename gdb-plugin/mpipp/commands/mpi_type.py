# SPDX-License-Identifier: BSD-3-Clause
"""mpi type"""

from typing import Iterator, Optional, Tuple

import gdb

from .. import _mpipp, operands, site
from ..created import go_back
from ..fault import fault, sentence
from ..rank import Rank, ranks
from . import contiguous, layout_text, summary
from .base import Command

_USAGE = "mpi type TYPE [-created]"
_CREATED = "-created"
_NAMES = 12  # of a signature: about a line; `mpi signature` shows more


class MpiTypeCommand(Command):
    """Show all that is known about a datatype.

Usage: mpi type TYPE [-created]

TYPE is an expression, or a name that MPI_Type_set_name gave.  Shows kind, size,
bounds and extent (all in bytes), where the type was created, committed and
freed, and what uses it.  A freed handle shows the type that it was.  `in effect'
says that a type is only copies of another one, side by side, however it had to be
built.  The beginning of the type signature follows (see `help mpi signature').
The layout is that of `mpi layout', on one line; "overlaps itself" appears if some
count of the type names a byte twice (`mpi overlap').

-created goes back to the position directly after the call that made the type, if the
process runs backwards: after `record', or in a replay of rr (docs/backwards.md).  No
other breakpoint stops it on the way.

Examples:
  mpi type struDT
  mpi type struDT -created"""

    def __init__(self) -> None:
        super().__init__("mpi type", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        rank = ranks.current()
        words = [word for operand in operands.split(argument) for word in operand]
        if _CREATED in words:
            label = " ".join(word for word in words if word != _CREATED)
            go_back(rank, any_type(rank, label, _USAGE), label)
            return
        of = any_type(rank, argument, _USAGE)
        for label, value in _facts(of):
            if value is not None:
                gdb.write(f"{label:<15} {value}\n")


def any_type(rank: Rank, argument: str, usage: str) -> "_mpipp.Type":
    """The type of a command's only operand; it may be freed."""
    words = [word for operand in operands.split(argument) for word in operand]
    if words:
        operands.refuse_option(words[0])
    if len(words) != 1:
        raise fault(f"{'no type given' if not words else 'more than one operand'}: usage: {usage}")
    return operands.datatype(rank, words[0], freed=True)


def _facts(of: "_mpipp.Type") -> Iterator[Tuple[str, Optional[str]]]:
    yield "type", summary.built(of)
    yield "in effect", contiguous.in_effect(of)
    yield "name", f'"{of.name}"' if of.name else None
    yield "handle", f"0x{of.handle:x}"
    yield "Fortran handle", str(of.fortran) if of.fortran != -1 else None
    yield "state", _state(of)
    yield "size", _bytes(of.size)
    yield "extent", _range(of.extent, of.lb, of.ub)
    yield "true extent", _range(of.true_extent, of.true_lb, of.true_ub)
    yield "elements", None if of.elements is None else f"{of.elements}"
    yield "signature", _signature(of)
    yield "depth", f"{of.depth}"
    yield from _layout_facts(_mpipp.Layout(of), of)
    if not of.predefined:
        yield "created at", site.chain(of.created_at, site.made_by(of.kind))
        yield "committed at", site.chain(of.committed_at, site.COMMIT)
        yield "freed at", site.chain(of.freed_at, site.FREE)
        yield "references", f"{of.references}"


def _signature(of: "_mpipp.Type") -> Optional[str]:
    try:
        return _mpipp.signature_text(of, None, _NAMES).text or None
    except _mpipp.Error as error:
        return sentence(error)


def _layout_facts(layout: "_mpipp.Layout", of: "_mpipp.Type") -> Iterator[Tuple[str, Optional[str]]]:
    yield "layout", layout_text.one_line(layout)
    yield "density", layout_text.density(layout, layout_text.QUICK)
    yield "alignment", layout_text.alignment(layout)
    overlap = _mpipp.self_overlap(of, None, layout_text.QUICK)
    yield "overlaps itself", None if overlap.smallest is None else f"from count {overlap.smallest} on"


def _state(of: "_mpipp.Type") -> str:
    if of.freed:
        return "freed"
    if of.predefined:
        return "predefined"
    if of.commit_undefined:
        return "committed or not: from MPI_Type_get_contents, the standard leaves it open"
    return "committed" if of.committed else "not committed"


def _bytes(number: Optional[int]) -> str:
    return "more than 64 bits can hold" if number is None else f"{number} byte" + ("" if number == 1 else "s")


def _range(extent: Optional[int], low: Optional[int], high: Optional[int]) -> str:
    if extent is None or low is None or high is None:
        return _bytes(extent)
    return f"{_bytes(extent)}, from {low} to {high}"
