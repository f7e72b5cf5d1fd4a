# SPDX-License-Identifier: BSD-3-Clause
"""$MPI_INT and the like: convenience variables with the handles of predefined types.

In Open MPI these are addresses, which differ from rank to rank. The variables are set before each prompt for the
selected rank. But gdb has no event for a frontend that selects another rank for a single command: so a handle that came
from a variable is recognized in any rank.
"""

from typing import Dict, Optional, Set, Tuple

import gdb

from . import synth
from .rank import Rank
from .settings import is_fortran

# Two names of one handle: MPI returns only one of them.
_SYNONYMS = (("MPI_LONG_LONG", "MPI_LONG_LONG_INT"), ("MPI_C_COMPLEX", "MPI_C_FLOAT_COMPLEX"))

_set_for: Optional[Tuple[int, str, int, bool]] = None
_names: Dict[int, Set[str]] = {}  # the names of all handles that variables have had


def set_variables(rank: Rank) -> None:
    """Sets $MPI_INT and the like for a rank; in Fortran, which ignores case, $mpi_integer as well."""
    global _set_for
    state = (rank.number, rank.registry.state, rank.registry.handle_bytes, is_fortran())
    if state == _set_for:
        return
    for name, handle in _handles(rank).items():
        if name.isidentifier():
            value = synth.handle(handle, rank.registry.handle_bytes)
            gdb.set_convenience_variable(name, value)
            if is_fortran() and not _is_function(name.lower()):
                gdb.set_convenience_variable(name.lower(), value)
            _names.setdefault(handle, set()).add(name)
    _set_for = state


def _is_function(name: str) -> bool:
    """Whether there is a function of that name, such as $mpi_count."""
    value = gdb.convenience_variable(name)
    return value is not None and value.type.code == gdb.TYPE_CODE_INTERNAL_FUNCTION


def in_rank(rank: Rank, handle: int) -> Optional[int]:
    """The handle in this rank of the predefined type that has this handle in another rank; None if there is none."""
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
