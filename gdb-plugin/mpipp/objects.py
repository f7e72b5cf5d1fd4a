# SPDX-License-Identifier: BSD-3-Clause
"""What a rank has recorded of handles, except datatypes and requests: communicators, windows, operations, ..."""

from typing import List, Optional, Tuple

from . import _mpipp, function_name, site
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
    words = ", ".join(filter(None, (_ranks(found), _grid(found), _callback(found), _maker(rank, found))))
    shown = found.name or f"0x{handle:x}"
    return f"{shown} = {words}" if words else shown


def described(rank: Rank, of: str, handle: int) -> Optional[str]:
    """All that is known of a handle: "0x84000002  "rows"  rank 0 of 2, made by MPI_Comm_split at grid.c:12 in main"; None if
    nothing is."""
    found = rank.registry.object(of, handle)
    if found is None or not (found.function or found.name or found.size is not None):
        return None
    name = f'"{found.name}"' if found.name else ""
    words = ", ".join(filter(None, (*_facts(rank, found), _maker(rank, found))))
    return "  ".join(filter(None, (f"0x{handle:x}", name, words)))


def row(rank: Rank, handle: int, of: "_mpipp.Object") -> str:
    """A line of a list: "0x84000002  "rows"  rank 0 of 2"; unknown parts are left out."""
    name = f'"{of.name}"' if of.name else ""
    return "  ".join(filter(None, (f"0x{handle:x}", name, ", ".join(filter(None, _facts(rank, of))))))


def memory(of: "_mpipp.Object") -> str:
    """The own memory of a window: "64 bytes at 0x7ffff000, displacement unit 4"; "": not known."""
    if of.function == "MPI_Win_create_dynamic":
        return "memory that MPI_Win_attach attaches, displacements are addresses"
    if of.space is None:
        return ""
    base, size, unit = of.space
    return f"{size} byte{'' if size == 1 else 's'}" + (f" at 0x{base:x}" if size else "") + f", displacement unit {unit}"


def _facts(rank: Rank, of: "_mpipp.Object") -> Tuple[str, ...]:
    """What there is to say besides the name and the call that made it; "" where nothing is known."""
    return _ranks(of), _members(rank, of), _grid(of), memory(of), _callback(of)


def _ranks(of: "_mpipp.Object") -> str:
    if of.size is None:
        return ""
    return f"rank {of.rank}, {of.size} in the other group" if of.inter else f"rank {of.rank} of {of.size}"


def _members(rank: Rank, of: "_mpipp.Object") -> str:
    """The ranks of MPI_COMM_WORLD, in the order of its own: "group {0, 2-5} of MPI_COMM_WORLD"; "" if those are all."""
    if of.members is None or of.inter or of.members == [(0, 1, rank.registry.world_size)]:
        return ""
    known = sum(count for _, _, count in of.members)
    runs = [_run(*one) for one in of.members] + (["..."] if of.size is not None and known < of.size else [])
    return f"group {{{', '.join(runs)}}} of MPI_COMM_WORLD"


def _run(first: int, step: int, count: int) -> str:
    """ "3", "0-3", "0, 2, ..., 14" """
    last = first + (count - 1) * step
    if step in (1, -1) and count > 1:
        return f"{first}-{last}"
    numbers = [str(first + step * number) for number in range(min(count, 3))]
    return ", ".join(numbers if count < 4 else [*numbers[:2], "...", str(last)])


def _grid(of: "_mpipp.Object") -> str:
    """The dimensions of a Cartesian communicator: "grid {4, 3}, periodic in dimension 0, coordinates {2, 0}"."""
    if of.grid is None:
        return ""
    periodic = [str(number) for number, (_, does, _) in enumerate(of.grid) if does]
    words = [f"grid {_braces([length for length, _, _ in of.grid])}"]
    words.append(f"periodic in dimension{'' if len(periodic) == 1 else 's'} {', '.join(periodic)}" if periodic else "not periodic")
    return ", ".join([*words, f"coordinates {_braces([here for _, _, here in of.grid])}"])


def _braces(numbers: List[int]) -> str:
    return "{" + ", ".join(map(str, numbers)) + "}"


def _callback(of: "_mpipp.Object") -> str:
    return f"function {function_name.of(of.callback)}" if of.callback else ""


def _maker(rank: Rank, of: "_mpipp.Object") -> str:
    if not of.function:
        return ""
    place = site.of_function(rank.registry.site(of.site), of.function)
    return f"made by {of.function}" + (f" at {place}" if place is not None else "")
