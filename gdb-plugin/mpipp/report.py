# SPDX-License-Identifier: BSD-3-Clause
"""The findings of the checker in the rank: its records in readable form."""

import json
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import gdb

from . import mappings, skip
from .fault import fault
from .rank import ranks
from .site import call_site

Record = Dict[str, Any]


class Report(NamedTuple):
    """A record of the checker (libshadowtype/report/report.h), and how often it was found."""

    record: Record
    count: int

    @property
    def title(self) -> str:
        """ "error datatype-null: rank 0 sends with MPI_DATATYPE_NULL" """
        record = self.record
        rank = record.get("rank")
        who = record.get("subject") or ("the process" if rank is None or rank < 0 else f"rank {rank}")
        return f"{record['severity']} {record['id']}: {who} {record['message']}"


def reports() -> List[Report]:
    """The findings in the selected rank, oldest first."""
    found = []
    for text, count in ranks.current().registry.reports():
        try:
            found.append(Report(json.loads(text), count))
        except ValueError:
            raise fault(f"report {len(found) + 1} of the registry is damaged") from None
    return found


def place(frames: List[Record]) -> str:
    """The place of a call: "halo.c:58 in exchange", or the next best. The nearest frame that is not skipped."""
    for index, frame in enumerate(frames):
        text, function = _place(frame, "" if index else r"\w+")
        if not skip.skips(function):
            return text
    return _place(frames[0], r"\w+")[0] if frames else ""


def _place(frame: Record, call: str) -> Tuple[str, Optional[str]]:
    """A frame as text, and its function; `call` as in site.py."""
    if frame.get("text"):
        return str(frame["text"]), frame["text"].rpartition(" in ")[2]
    start = _start_of(frame.get("module"))
    if start is not None:
        found = call_site((start + frame["offset"],), call)
        if found is not None:
            return str(found), found.function or frame.get("symbol")
    return f"{frame.get('module', '?')}+0x{frame['offset']:x}", frame.get("symbol")


def _start_of(module: object) -> Optional[int]:
    """The difference between mapped and linked addresses of a file; None if not known."""
    starts = [m.start for m in mappings.files() if m.path == module and m.offset == 0]
    if not starts:
        return None
    try:
        kind = bytes(gdb.selected_inferior().read_memory(starts[0] + 16, 2))
    except gdb.error:
        return starts[0]  # not in the core file
    return 0 if sorted(kind) == [0, 2] else starts[0]  # ET_EXEC
