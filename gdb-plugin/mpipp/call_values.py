"""The values of a call's parameters: what MPI's constants are called, the members of its arrays."""

import struct
from typing import Dict, List, Optional, Tuple

from . import _mpipp, synth
from .call_parts import place_of
from .rank import Rank

HANDLES = frozenset(
    "MPI_Comm MPI_Group MPI_Op MPI_Win MPI_File MPI_Info MPI_Errhandler MPI_Request MPI_Message MPI_Session".split()
)
SIGNED = frozenset(("int", "MPI_Aint", "MPI_Count", "MPI_Offset", "MPI_Fint"))


class Values:
    """Those of one call. form: its function; values: as the rank's record has them."""

    def __init__(self, rank: Rank, form: "_mpipp.Form", values: Tuple[int, ...]) -> None:
        self.rank = rank
        self.form = form
        self.values = values
        self._names: Dict[Tuple[str, int], str] = {
            (one.type, one.value): one.name for one in reversed(rank.registry.names())
        }

    def name(self, of: str, value: int) -> Optional[str]:
        """What the standard calls a value; of: a kind of st_name (libshadowtype/core/registry.h)."""
        return self._names.get((of, value))

    def ranks(self) -> int:
        """How many ranks the call's communicator has; 0: not known."""
        number = place_of(self.form, "comm", "intra")
        if number is None or "eighbor_" in self.form.function:
            return 0
        name = self.name("MPI_Comm", self.values[number])
        return {"MPI_COMM_WORLD": self.rank.registry.world_size or 0, "MPI_COMM_SELF": 1}.get(name or "", 0)

    def width(self, base: str) -> Optional[int]:
        """Bytes of a member of an array of this C type; None: not known."""
        registry = self.rank.registry
        if base in ("MPI_File", "MPI_Aint"):
            return registry.pointer_bytes
        if base == "MPI_Datatype" or base in HANDLES:
            return registry.handle_bytes
        return {"int": 4, "MPI_Fint": 4, "MPI_Count": 8, "MPI_Offset": 8}.get(base)

    def read(self, address: int, base: str, start: int, stop: int) -> List[int]:
        """The members start..stop-1 of an array, as a call has its values. Raises gdb.MemoryError."""
        width = self.width(base) or 8
        data = bytes(self.rank.read(address + start * width, (stop - start) * width))
        letter = {4: "i", 8: "q"}[width] if base in SIGNED else {4: "I", 8: "Q"}[width]
        numbers = struct.unpack(f"{synth.types().order}{stop - start}{letter}", data)
        return [number & (1 << 64) - 1 for number in numbers]

    def members(self, parameter: int, start: int, stop: int) -> List[int]:
        """The same of the array that a parameter points to."""
        base = self.form.parameters[parameter].type.replace("const", "").replace("*", "").strip()
        return self.read(self.values[parameter], base, start, stop)


def signed(value: int) -> int:
    """A value as the number that it is of a signed type."""
    return value - (1 << 64) if value >> 63 else value
