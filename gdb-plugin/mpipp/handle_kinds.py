# SPDX-License-Identifier: BSD-3-Clause
"""Which values are communicators, requests and other handles, except datatypes."""

from itertools import islice
from typing import Collection, Optional

import gdb

from . import fortran_table
from .call_values import HANDLES
from .handle import all_of
from .rank import Rank

_F08 = {name.lower(): name for name in HANDLES}

# The structs that Open MPI's handles point to: containers and templates of C++ lose the typedef.
_STRUCTS = {f"ompi_{name[4:].lower()}_t": name for name in HANDLES}
_STRUCTS["ompi_communicator_t"] = "MPI_Comm"

_REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)


def handle_type(of: gdb.Type) -> Optional[str]:
    """The C name of a handle's type, "MPI_Comm", from its typedef, also behind typedefs of the program, from the struct that it
    points to, or from mpi_f08's type; None for another type."""
    while of.code == gdb.TYPE_CODE_TYPEDEF:
        if of.name in HANDLES:
            return of.name
        of = of.target()
    if of.code == gdb.TYPE_CODE_PTR:
        target = of.target().strip_typedefs()
        return _STRUCTS.get(target.name) if target.code == gdb.TYPE_CODE_STRUCT else None
    name = of.name
    return _F08.get(name.lower()) if name is not None and of.code == gdb.TYPE_CODE_STRUCT else None


def number_in(rank: Optional[Rank], value: gdb.Value, kinds: Collection[str]) -> Optional[int]:
    """The handle in an integer, a pointer, a type of mpi_f08, or a struct or class that holds a single one of these kinds; None
    for other values. Raises gdb.error if it cannot be read.

    Open MPI: in the selected rank, an index of Fortran is looked up."""
    if value.type.code in _REFERENCES:
        value = value.referenced_value()
    of = value.type.strip_typedefs()
    if of.code == gdb.TYPE_CODE_STRUCT and handle_type(of) is None:
        held = list(islice(all_of(value, lambda one: handle_type(one) in kinds), 2))
        return number_in(rank, held[0][1], kinds) if len(held) == 1 else None
    if of.code == gdb.TYPE_CODE_STRUCT:
        kinds = (handle_type(of) or "",)
        value = value[of.fields()[0]]
        of = value.type.strip_typedefs()
    if of.code == gdb.TYPE_CODE_PTR:
        return int(value)
    if of.code != gdb.TYPE_CODE_INT:
        return None
    found = (fortran_table.handle_of(rank, one, int(value)) for one in kinds) if rank is not None and of.sizeof == 4 else ()
    return next((one for one in found if one is not None), int(value) & ((1 << 8 * of.sizeof) - 1))
