"""$MPI_INT and its like: convenience variables with the handles of predefined types.

Under Open MPI these are addresses, which differ from rank to rank. The variables are set before each prompt for the
rank that is selected; but gdb tells nobody when a frontend selects another one for a single command. So a handle that
came from a variable is known by its name in any rank.
"""

from typing import Dict, Optional, Set, Tuple

import gdb

from . import synth
from .rank import Rank

# Two names for one handle: MPI tells only one of them.
_SYNONYMS = (("MPI_LONG_LONG", "MPI_LONG_LONG_INT"), ("MPI_C_COMPLEX", "MPI_C_FLOAT_COMPLEX"))

_set_for: Optional[Tuple[int, str, int]] = None
_names: Dict[int, Set[str]] = {}  # of the handles that variables have had


def set_variables(rank: Rank) -> None:
    """Sets $MPI_INT and its like for a rank."""
    global _set_for
    state = (rank.number, rank.registry.state, rank.registry.handle_bytes)
    if state == _set_for:
        return
    for name, handle in _handles(rank).items():
        if name.isidentifier():
            gdb.set_convenience_variable(name, synth.handle(handle, rank.registry.handle_bytes))
            _names.setdefault(handle, set()).add(name)
    _set_for = state


def in_rank(rank: Rank, handle: int) -> Optional[int]:
    """What a predefined type has for a handle in this rank that has this one in another; None: it is not one's."""
    handles = _handles(rank)
    found = {handles.get(name) for name in _names.get(handle, ())}
    return found.pop() if len(found) == 1 else None


def _handles(rank: Rank) -> Dict[str, int]:
    handles = dict(rank.registry.predefined())
    for one, other in _SYNONYMS:
        for name, synonym in ((one, other), (other, one)):
            if name in handles:
                handles.setdefault(synonym, handles[name])
    return handles
