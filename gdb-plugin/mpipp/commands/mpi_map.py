# SPDX-License-Identifier: BSD-3-Clause
"""mpi map"""

from itertools import islice
from typing import List, NamedTuple, Optional

import gdb

from .. import _mpipp, operands
from ..fault import fault
from ..rank import ranks
from ..settings import line_limit
from .base import Command

_USAGE = "usage: mpi map TYPE [COUNT][, FIRST[-LAST]]"
_CHUNK = 200  # rows that are aligned with each other


class Range(NamedTuple):
    """Elements first..last, both included; last None: to the end."""

    first: int
    last: Optional[int]


class MpiMap(Command):
    """List the basic elements of a datatype in the order in which MPI sends them: its type map.

Usage: mpi map TYPE [COUNT][, FIRST[-LAST]]

Each row has the element's address (see `help mpi element'), its displacement in
bytes, and its basic type.  COUNT of TYPE follow each other.  FIRST and LAST are
numbers of elements, from 0; without them the list begins with the first.
`set print elements' limits the list, and the end says what is left out.  Any element
is found at once, however many are before it.

Examples:
  mpi map struDT
  mpi map face 2, 1000-1010"""

    def __init__(self) -> None:
        super().__init__("mpi map", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        rank = ranks.current()
        given = operands.split(argument)
        if not given:
            raise fault(f"no type given: {_USAGE}")
        if len(given) > 2 or len(given[0]) > 2 or (len(given) == 2 and len(given[1]) != 1):
            raise fault(f"it takes a type and perhaps a count, a comma, and a range of elements: {_USAGE}")
        label = given[0][0]
        of = operands.datatype(rank, label)
        operands.refuse_null(of, f"'{label}'")
        count = operands.count(given[0][1]) if len(given[0]) > 1 else None
        wanted = _range(given[1][0]) if len(given) > 1 else Range(0, None)
        _write(of, count, label, " ".join(given[0]), wanted)


def _range(text: str) -> Range:
    begin, dash, end = text.partition("-")
    first, last = operands.whole_number(begin), operands.whole_number(end)
    if first is None or (dash and last is None):
        raise fault(f"'{text}' is no range of elements: {_USAGE}")
    if first >= 1 << 63:
        raise fault(f"the element {begin} is out of range")
    if last is not None and last < first:
        raise fault(f"'{text}' is no range of elements: its end is before its beginning")
    return Range(first, last)


def _write(of: "_mpipp.Type", count: Optional[int], label: str, operand: str, wanted: Range) -> None:
    total = _total(of, count)
    if total == 0:
        gdb.write(f"{operand} has no elements\n")
        return
    if total is not None and wanted.first >= total:
        raise fault(f"no such element: {operand} has {_plural(total)}, {wanted.first} is out of range")
    entries = iter(_mpipp.TypeMap(of, count, wanted.first))
    asked = None if wanted.last is None else wanted.last - wanted.first + 1
    limit = line_limit()
    room = limit if asked is None else min(limit, asked)
    while room > 0:
        rows = list(islice(entries, min(room, _CHUNK)))
        if not rows:
            return
        _write_rows(label, rows)
        room -= len(rows)
    if (asked is None or asked > limit) and next(entries, None) is not None:
        _write_rest(operand, total, Range(wanted.first + limit, wanted.last))


def _write_rows(label: str, rows: "List[_mpipp.Entry]") -> None:
    addresses = [label + row.short for row in rows]
    places = ["past 64 bits" if row.displacement is None else str(row.displacement) for row in rows]
    widths = max(map(len, addresses)), max(map(len, places))
    for address, place, row in zip(addresses, places, rows):
        what = f"{row.name}, {row.size} bytes of which the inside is not known" if row.opaque else row.name
        gdb.write(f"{address:<{widths[0]}}  {place:>{widths[1]}}  {what}\n")


def _write_rest(operand: str, total: Optional[int], left: Range) -> None:
    last = "" if left.last is None else f"-{left.last}"
    rest = ""
    if total is not None:
        end = total if left.last is None else min(total, left.last + 1)
        rest = f"{_plural(end - left.first)} "
    gdb.write(f"<{rest}more: 'mpi map {operand}, {left.first}{last}' goes on>\n")


def _total(of: "_mpipp.Type", count: Optional[int]) -> Optional[int]:
    return of.elements if count is None or of.elements is None else count * of.elements


def _plural(number: int) -> str:
    return f"{number} element" + ("" if number == 1 else "s")
