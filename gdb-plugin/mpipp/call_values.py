# SPDX-License-Identifier: BSD-3-Clause
"""The values of a call's parameters: the names of MPI's constants, the members of arrays."""

import struct
from typing import Dict, List, NamedTuple, Optional, Tuple

from . import _mpipp, synth
from .call_parts import place_of
from .rank import Rank

HANDLES = frozenset(
    "MPI_Comm MPI_Group MPI_Op MPI_Win MPI_File MPI_Info MPI_Errhandler MPI_Request MPI_Message MPI_Session".split()
)
SIGNED = frozenset(("int", "MPI_Aint", "MPI_Count", "MPI_Offset", "MPI_Fint"))
_RANKS = {
    "dest": ("rank",),
    "source": ("rank", "source"),
    "target": ("rank",),
    "root": ("rank", "root"),
    "anytag": ("tag",),
    "order": ("order",),
    "distribs": ("distribs",),
    "dargs": ("dargs",),
    "undefined": ("undefined",),
    "color": ("undefined",),
    "index": ("undefined",),
    "outcount": ("undefined",),
    "split_type": ("split_type",),
    "lock": ("lock",),
}
# Addresses that may be constants, each with its kind of name.
ADDRESSES = frozenset("weights errcodes argv argvs".split())
_CLASS = 0x7F  # of an error's code in MPICH; in Open MPI a code is its class


class Comm(NamedTuple):
    """A communicator; size: of an intercommunicator, that of the remote group."""

    size: int
    rank: int
    inter: bool


class Names:
    """The standard's names of values: handles, special ranks and tags, classes of errors."""

    def __init__(self, rank: Rank) -> None:
        self._is_mpich = rank.registry.handle_bytes == 4
        self._names: Dict[Tuple[str, int], str] = {
            (one.type, one.value): one.name for one in reversed(rank.registry.names())
        }

    def name(self, of: str, value: int) -> Optional[str]:
        """The name of a value; of: a kind of st_name (libshadowtype/core/model/registry.h)."""
        return self._names.get((of, value))

    def error(self, code: int) -> Optional[str]:
        """The class of an error's code: "MPI_ERR_TRUNCATE"; None: not known."""
        return self.name("error", code & _CLASS if self._is_mpich else code)


class Values(Names):
    """The values of one call. form: its function; values: in the form of the rank's record."""

    def __init__(self, rank: Rank, form: "_mpipp.Form", values: Tuple[int, ...]) -> None:
        super().__init__(rank)
        self.rank = rank
        self.form = form
        self.values = values
        self._comms: List[Optional[Comm]] = []  # once it has been looked for

    def has_neighbours(self) -> bool:
        """Whether its arrays have a member for each neighbour, not for each rank."""
        return "eighbor_" in self.form.function

    def ranks(self) -> int:
        """The number of members of an array with one for each rank; 0: not known."""
        comm = self.comm()
        if comm is None or self.has_neighbours() or (comm.inter and place_of(self.form, "op") is not None):
            return 0
        return comm.size

    def comm(self) -> Optional[Comm]:
        """The call's communicator, as far as it is known."""
        if not self._comms:
            self._comms.append(self._find_comm())
        return self._comms[0]

    def _find_comm(self) -> Optional[Comm]:
        number = place_of(self.form, "comm", "intra")
        if number is None:
            return None
        registry = self.rank.registry
        name = self.name("MPI_Comm", self.values[number])
        if name == "MPI_COMM_SELF":
            return Comm(1, 0, False)
        if name == "MPI_COMM_WORLD" and registry.world_size is not None and registry.world_rank is not None:
            return Comm(registry.world_size, registry.world_rank, False)
        found = registry.object("MPI_Comm", self.values[number]) if name is None else None
        if found is None or found.size is None or found.rank is None:
            return None
        return Comm(found.size, found.rank, found.inter)

    def width(self, base: str) -> Optional[int]:
        """Bytes of a member of an array of this C type; None: not known."""
        registry = self.rank.registry
        if base in ("MPI_File", "MPI_Aint"):
            return registry.pointer_bytes
        if base == "MPI_Datatype" or base in HANDLES:
            return registry.handle_bytes
        return {"int": 4, "MPI_Fint": 4, "MPI_Count": 8, "MPI_Offset": 8}.get(base)

    def read(self, address: int, base: str, start: int, stop: int) -> List[int]:
        """The members start..stop-1 of an array, in the form of a call's values. Raises gdb.MemoryError."""
        width = self.width(base) or 8
        data = bytes(self.rank.read(address + start * width, (stop - start) * width))
        letter = {4: "i", 8: "q"}[width] if base in SIGNED else {4: "I", 8: "Q"}[width]
        numbers = struct.unpack(f"{synth.types().order}{stop - start}{letter}", data)
        return [number & (1 << 64) - 1 for number in numbers]

    def members(self, parameter: int, start: int, stop: int) -> List[int]:
        """The same for the array that a parameter points to."""
        base = self.form.parameters[parameter].type.replace("const", "").replace("*", "").strip()
        return self.read(self.values[parameter], base, start, stop)


def signed(value: int) -> int:
    """The value as a signed number."""
    return value - (1 << 64) if value >> 63 else value


def named_number(names: Values, of: str, role: str, value: int) -> Optional[str]:
    """The standard's name of a number that is an argument: "MPI_ANY_SOURCE"; of: its type in C. None: it has no name."""
    found = (names.name(kind, value) for kind in _RANKS.get(role, ()) if "*" not in of)
    return next((name for name in found if name is not None), None)


def named_address(names: Values, role: str, value: int) -> Optional[str]:
    """The same of an address that is neither a buffer nor a status: "MPI_UNWEIGHTED"."""
    return names.name(role, value) if role in ADDRESSES else None


def has_many_statuses(form: "_mpipp.Form", index: int) -> bool:
    """Whether a parameter that points to a status points to an array of them."""
    return place_of(form, "dones") is not None and form.parameters[index].name.startswith("array_of")
