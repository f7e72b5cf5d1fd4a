# SPDX-License-Identifier: BSD-3-Clause
"""mpi error"""

from typing import List, Optional, Tuple

import gdb

from .. import _mpipp, element, operands
from ..fault import EXPECTED, fault, let_quit
from ..rank import Rank, ranks
from ..report import Record, Report, place, reports
from .base import Command


class MpiError(Command):
    """Show one finding of the checker.

Usage: mpi error NUMBER

NUMBER is one of those that 'mpi errors' lists. Shows the call with its arguments, the
elements of the datatype that it is about, with their values now, the datatype with
the places where it was made, committed and freed, other calls that it is about, how
often it was found there, and what to do.

Example:
  mpi error 1"""

    def __init__(self) -> None:
        super().__init__("mpi error", gdb.COMMAND_DATA)

    def run(self, argument: str) -> None:
        if not argument:
            raise fault("no number given: usage: mpi error NUMBER")
        found = reports()
        number = operands.whole_number(argument)
        if number is None or not 1 <= number <= len(found):
            listed = f"1 to {len(found)}" if found else "none"
            raise fault(f"no finding '{argument}': 'mpi errors' lists {listed}")
        report = found[number - 1]
        gdb.write(_mpipp.visible(report.title) + "\n")
        for label, text in rows(ranks.current(), report):
            gdb.write(f"  {label:<10}{_mpipp.visible(text)}\n")


def rows(rank: Rank, report: Report) -> List[Tuple[str, str]]:
    """The lines below the title: a label and a text."""
    record = report.record
    lines = []
    if record.get("call"):
        lines.append(("call", call_text(record)))
    if record.get("site"):
        lines.append(("at", place(record["site"])))
    types = record.get("types") or []
    lines += [("element", element_text(rank, one, types)) for one in record.get("elements") or []]
    lines += [("type", type_text(one)) for one in types]
    for other in record.get("other") or []:
        where = place(other.get("site") or [])
        lines.append((other.get("label") or "other", f"{call_text(other)}  {where}".strip()))
        if other.get("remark"):
            lines.append(("", other["remark"]))
    lines += [(label, text) for label, text in record.get("lines") or []]
    if report.count > 1:
        lines.append(("found", f"{report.count} times"))
    if record.get("advice"):
        lines.append(("advice", record["advice"]))
    return lines


def call_text(record: Record) -> str:
    """ "MPI_Bcast(buffer=0x7ffd11306aa4, count=1)", or the function alone. """
    if record.get("arguments") is None:
        return str(record.get("call", ""))
    arguments = ", ".join(f"{name}={value}" for name, value in record["arguments"])
    return f"{record.get('call', '')}({arguments})"


def element_text(rank: Rank, one: Record, types: List[Record]) -> str:
    """ "cell_t{0}(STRUCT)[1][0](MPI_DOUBLE), byte 4, at 0x7ffd11306aa4: 2.5" """
    text = str(one.get("address", "?"))
    if one.get("byte") is not None:
        text += f", byte {one['byte']}"
    if one.get("of"):
        text += f", of {one['of']}"
    if one.get("at") is None:
        return text
    shown = _what_is_there(rank, one, types)
    return f"{text}, at {one['at']}" + (f": {shown}" if shown is not None else "")


def _what_is_there(rank: Rank, one: Record, types: List[Record]) -> Optional[str]:
    """None: the datatype or the memory is gone."""
    for of in types:
        label = str(of.get("name") or of.get("handle"))
        if of.get("serial") is None or not one["address"].startswith(label):
            continue
        try:
            node = rank.registry.node(of["ordinal"], of["serial"])
            rest = one["address"][len(label) :]
            start = (int(one["at"], 16) - one["byte"]) % (1 << 64)
            return element.text(rank, _mpipp.element(node, start, None, rest, label), label)
        except (*EXPECTED, gdb.GdbError) as error:
            let_quit(error)
    return None


def type_text(one: Record) -> str:
    """ "cell_t {kind = VECTOR, ...}, created at halo.c:31 in main" """
    text = f"{one.get('name') or one.get('handle')} {one.get('text') or ''}".strip()
    for verb in ("created", "committed", "freed"):
        if one.get(verb):
            text += f", {verb} at {place(one[verb])}"
    return text
