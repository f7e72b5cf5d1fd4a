# SPDX-License-Identifier: BSD-3-Clause
"""An MPI_Status, wherever gdb shows one."""

from typing import List, Optional, Sequence

import gdb

from .. import statuses, synth
from ..rank import Rank
from ..settings import braces
from .base import Child, Printer, Text, Unfolding


class StatusPrinter(Unfolding):
    """{MPI_SOURCE = 1, MPI_TAG = 7, MPI_ERROR = 0, bytes = 12, count = 3 x MPI_INT}"""

    def __init__(self, members: List[statuses.Member]) -> None:
        super().__init__()
        self._members = members

    def _count(self) -> int:
        return len(self._members)

    def _child(self, index: int) -> Child:
        return self._members[index].name, synth.word(self._members[index].text)

    def _names(self) -> Sequence[str]:
        return [one.name for one in self._members]

    def _text(self) -> Text:
        if not braces():
            return None
        return "{" + ", ".join(f"{one.name} = {one.text}" for one in self._members) + "}"


def status_printer(rank: Rank, value: gdb.Value) -> Optional[Printer]:
    """None: gdb shows it as it is."""
    members = statuses.members(rank, value)
    return StatusPrinter(members) if members is not None else None
