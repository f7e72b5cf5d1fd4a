# SPDX-License-Identifier: BSD-3-Clause
"""The pending operations of a rank, with a request or without one."""

from typing import List, Tuple

from . import _mpipp, objects, site
from .fault import fault
from .rank import Rank

_ANY, _NULL = -2, -3  # values of peer and tag
_MOST_NAMED = 3


def operations(rank: Rank) -> "Tuple[Tuple[_mpipp.Operation, ...], _mpipp.Error | None]":
    """The operations, oldest first, and an error if some could not be read."""
    rank.require_initialised()
    found, damage = rank.registry.operations()
    if found is None:
        raise fault("nothing is recorded of this rank's operations: its checks are off")
    return found, damage


def state(of: "_mpipp.Operation") -> str:
    """What MPI may do now with its buffers."""
    if of.running:
        return "in the call"
    if of.possible:
        return "possibly pending"
    if of.active:
        return "pending"
    return "inactive" if of.persistent else "complete"


def completion(of: "_mpipp.Operation") -> str:
    """The same, and whether MPI has completed it, as far as its own memory shows that."""
    if state(of) != "pending":
        return state(of)
    if of.complete is None:
        return "not told complete yet"
    return "complete, not told yet" if of.complete else "not complete"


def sharers(first: List[str], count: int) -> str:
    """The others with the same handle, `count` in all: "shares its handle with [1], [2], [3] and 7 more"."""
    named = first[:_MOST_NAMED]
    more = f" and {count - len(named)} more" if count > len(named) else ""
    return f"shares its handle with {', '.join(named)}{more}"


def call(rank: Rank, of: "_mpipp.Operation") -> str:
    """ "MPI_Irecv from rank 1, tag 7, MPI_COMM_WORLD" """
    words = [of.function or "an operation"]
    if of.peer == _ANY:
        words[0] += f" {_side(of)} any rank"
    elif of.peer == _NULL:
        words[0] += f" {_side(of)} MPI_PROC_NULL"
    elif of.peer >= 0:
        words[0] += f" {_side(of)} rank {of.peer}"
    if of.tag == _ANY:
        words.append("any tag")
    elif of.tag >= 0:
        words.append(f"tag {of.tag}")
    if of.comm:
        words.append(objects.short(rank, of.comm, of.request))
    return ", ".join(words)


def since(rank: Rank, of: "_mpipp.Operation") -> str:
    """The place of the call that made it: "halo.c:58 in exchange"."""
    place = site.of_function(rank.registry.site(of.site), of.function)
    return str(place) if place is not None else "an unknown place"


def uses(of: "_mpipp.Operation") -> "List[_mpipp.Buffer]":
    """The buffers that MPI may use now."""
    return [one for one in of.buffers if one.active] if of.active or of.running or of.possible else []


def _side(of: "_mpipp.Operation") -> str:
    name = of.function.lower()
    if "send" in name:
        return "to"
    if "recv" in name:
        return "from"
    return "root" if of.request and "get" not in name and "put" not in name and "accumulate" not in name else "target"
