"""mpi error"""

from typing import List, Tuple

import gdb

from .. import operands
from ..fault import fault
from ..report import Record, Report, place, reports
from .base import Command


class MpiError(Command):
    """Show one finding of the checker.

Usage: mpi error NUMBER

NUMBER is the one that 'mpi errors' lists. Shows the call with its arguments, the
datatype with the places where it was made, committed and freed, other calls that have
to do with it, how often it was found there, and what to do.

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
        gdb.write(report.title + "\n")
        for label, text in rows(report):
            gdb.write(f"  {label:<10}{text}\n")


def rows(report: Report) -> List[Tuple[str, str]]:
    """The lines below the title: a label and a text."""
    record = report.record
    lines = []
    arguments = ", ".join(f"{name}={value}" for name, value in record.get("arguments") or [])
    if record.get("call"):
        lines.append(("call", f"{record['call']}({arguments})"))
    if record.get("site"):
        lines.append(("at", place(record["site"])))
    lines += [("type", type_text(one)) for one in record.get("types") or []]
    for other in record.get("other") or []:
        where = place(other.get("site") or [])
        lines.append(("other", f"{other.get('call', '')}  {where}".strip()))
    if report.count > 1:
        lines.append(("found", f"{report.count} times"))
    if record.get("advice"):
        lines.append(("advice", record["advice"]))
    return lines


def type_text(one: Record) -> str:
    """ "cell_t {kind = VECTOR, ...}, created at halo.c:31 in main" """
    text = f"{one.get('name') or one.get('handle')} {one.get('text') or ''}".strip()
    for verb in ("created", "committed", "freed"):
        if one.get(verb):
            text += f", {verb} at {place(one[verb])}"
    return text
