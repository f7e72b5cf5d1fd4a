# SPDX-License-Identifier: BSD-3-Clause
"""What a rank has recorded of handles, except datatypes and requests: communicators, windows, operations, ..."""

from typing import Optional

from . import _mpipp, site
from .rank import Rank

_WINDOW_OR_FILE = ("MPI_Win", "MPI_File")
_NOUNS = {"MPI_Comm": "communicator", "MPI_Win": "window", "MPI_File": "file"}


def constant(rank: Rank, of: str, handle: int) -> Optional[str]:
    """The standard's name: "MPI_COMM_WORLD"; of: the type in C, "MPI_Comm"."""
    return next((one.name for one in rank.registry.names() if one.value == handle and one.type == of), None)


def short(rank: Rank, handle: int, is_comm: bool) -> str:
    """The user's name of a communicator, or else of a window or file: "MPI_COMM_WORLD", a name that was set, "communicator
    0x84000002"."""
    for of in ("MPI_Comm",) if is_comm else _WINDOW_OR_FILE:
        name = constant(rank, of, handle)
        found = rank.registry.object(of, handle) if name is None else None
        if name is not None or (found is not None and found.name):
            return name or found.name
    return f"{'communicator' if is_comm else 'window or file'} 0x{handle:x}"


def unnamed(rank: Rank, of: str, handle: int) -> str:
    """The description of a communicator, window or file without a name: "communicator made by MPI_Comm_split at grid.c:12 in
    main"; of: "MPI_Comm"."""
    found = rank.registry.object(of, handle)
    made = _maker(rank, found) if found is not None else ""
    return f"{_NOUNS[of]} {made or f'0x{handle:x}'}"


def long(rank: Rank, of: str, handle: int) -> str:
    """The name or the handle, and what else is known: "rows = rank 0 of 2, made by MPI_Comm_split at grid.c:12 in main"."""
    found = rank.registry.object(of, handle)
    if found is None:
        return f"0x{handle:x}"
    words = ", ".join(filter(None, (_ranks(found), _maker(rank, found))))
    shown = found.name or f"0x{handle:x}"
    return f"{shown} = {words}" if words else shown


def described(rank: Rank, of: str, handle: int) -> Optional[str]:
    """All that is known of a handle: "0x84000002  "rows"  rank 0 of 2, made by MPI_Comm_split at grid.c:12 in main"; None if
    nothing is."""
    found = rank.registry.object(of, handle)
    if found is None or not (found.function or found.name or found.size is not None):
        return None
    name = f'"{found.name}"' if found.name else ""
    words = ", ".join(filter(None, (_ranks(found), _maker(rank, found))))
    return "  ".join(filter(None, (f"0x{handle:x}", name, words)))


def row(handle: int, of: "_mpipp.Object") -> str:
    """A line of a list: "0x84000002  "rows"  rank 0 of 2"; unknown parts are left out."""
    name = f'"{of.name}"' if of.name else ""
    return "  ".join(filter(None, (f"0x{handle:x}", name, _ranks(of))))


def _ranks(of: "_mpipp.Object") -> str:
    if of.size is None:
        return ""
    return f"rank {of.rank}, {of.size} in the other group" if of.inter else f"rank {of.rank} of {of.size}"


def _maker(rank: Rank, of: "_mpipp.Object") -> str:
    if not of.function:
        return ""
    place = site.of_function(rank.registry.site(of.site), of.function)
    return f"made by {of.function}" + (f" at {place}" if place is not None else "")
