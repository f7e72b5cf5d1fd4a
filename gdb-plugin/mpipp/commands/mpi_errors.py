# SPDX-License-Identifier: BSD-3-Clause
"""mpi errors"""

import gdb

from .. import _mpipp
from ..fault import fault
from ..report import place, reports
from .base import Command


class MpiErrors(Command):
    """List what the checker has found in this rank.

Usage: mpi errors

One line for each finding, oldest first: its number for 'mpi error', what is wrong,
where, and how often, if it was found there more than once.
'break mpipp_error' stops the rank at each new one.

Example:
  mpi errors"""

    def __init__(self) -> None:
        super().__init__("mpi errors", gdb.COMMAND_DATA)

    def run(self, argument: str) -> None:
        if argument:
            raise fault("'mpi errors' takes no operand")
        found = reports()
        if not found:
            gdb.write("the checker has found nothing in this rank\n")
        for number, report in enumerate(found, 1):
            where = place(report.record.get("site") or [])
            often = f" ({report.count} times)" if report.count > 1 else ""
            gdb.write(_mpipp.visible(f"{number}  {report.title}{'  ' + where if where else ''}{often}") + "\n")
