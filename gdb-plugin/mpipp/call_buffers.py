# SPDX-License-Identifier: BSD-3-Clause
"""The buffers of a call: which of them MPI uses in this rank, and the datatypes, addresses and counts of their data."""

from typing import List, NamedTuple, Optional, Tuple

from . import _mpipp
from .call_parts import Part, parts, place_of
from .call_values import Values, signed
from .rank import Rank


_LOWEST_ADDRESS = 65536  # as in libshadowtype/runtime/check/parts.c


class Block(NamedTuple):
    """Contiguous blocks of data: `count` of a datatype, given by its handle, which may be wrong."""

    handle: int
    address: int
    count: int


class Buffers:
    """Those of one call."""

    def __init__(self, rank: Rank, values: Values) -> None:
        self._rank = rank
        self._of = values
        self._form = values.form
        self._values = values.values
        self.parts = parts(values.form)

    def constant(self, part: Part) -> Optional[str]:
        """The name of an address that is one of MPI's constants: MPI_IN_PLACE; MPI_BOTTOM if the data has absolute addresses.
        Raises gdb.MemoryError."""
        name = self._of.name("address", self._values[part.buffer])
        return None if name == "MPI_BOTTOM" and not self._is_absolute(part) else name

    def _is_absolute(self, part: Part) -> bool:
        """Whether there is data at addresses that a program can have, for a buffer whose address is 0."""
        if not self.is_significant(part):
            return False
        if self.has_blocks(part):
            blocks = self.blocks(part, 0, self.length(part))
        else:
            whole = self.whole(part)
            blocks = [whole] if whole is not None else []
        return any(block.count > 0 and self._begin(block) >= _LOWEST_ADDRESS for block in blocks)

    def _begin(self, block: Block) -> int:
        """The first address of a block's data; 0: not known."""
        of = self._rank.registry.find(block.handle)[1]
        if of is None or of.true_lb is None:
            return 0
        return block.address + of.true_lb & (1 << 64) - 1

    def is_significant(self, part: Part) -> bool:
        """False only if it is known that the part is not significant in this rank."""
        root, comm = place_of(self._form, "root"), self._of.comm()
        if part.where not in ("root", "leaf", "member") or root is None or comm is None:
            return True
        value = signed(self._values[root])
        if not comm.inter:
            return part.where != "root" or value == comm.rank
        if part.where == "root":
            return self._of.name("root", self._values[root]) == "MPI_ROOT"
        if part.where == "leaf":
            return value >= 0
        return self._of.name("rank", self._values[root]) != "MPI_PROC_NULL"

    def has_blocks(self, part: Part) -> bool:
        """Whether it has a block for each rank of the communicator; else it is one block."""
        return self._counts(part) is not None and part.displs is not None

    def length(self, part: Part) -> int:
        """How many blocks it has; 0: not known."""
        return 1 if self._counts(part) is None else self._of.ranks()

    def whole(self, part: Part) -> Optional[Block]:
        """The block of a part that is no array of blocks; None: its count is not known. Raises gdb.MemoryError."""
        counts = self._counts(part)
        if counts is None:
            count = 1 if part.count is None else signed(self._values[part.count])
        else:
            ranks = self._of.ranks()
            if ranks == 0:
                return None
            count = self._own_count(part, list(map(signed, self._of.members(counts, 0, ranks))))
        return Block(self._values[part.type], self._values[part.buffer], count)

    def blocks(self, part: Part, start: int, stop: int) -> List[Block]:
        """The blocks start..stop-1 of an array of them. Raises gdb.MemoryError."""
        count, displs = part.count, part.displs
        assert count is not None and displs is not None
        counts = map(signed, self._of.members(count, start, stop))
        if self._form.parameters[part.type].role.split(":")[0] == "types":
            types = self._of.members(part.type, start, stop)
            spacing = 1
        else:
            types = [self._values[part.type]] * (stop - start)
            spacing = self._extent(self._values[part.type])
        addresses = (
            self._values[part.buffer] + signed(displ) * spacing & (1 << 64) - 1
            for displ in self._of.members(displs, start, stop)
        )
        return [Block(*one) for one in zip(types, addresses, counts)]

    def _counts(self, part: Part) -> Optional[int]:
        """The parameter that is an array of counts."""
        return part.count if part.count is not None and self._form.parameters[part.count].role == "counts" else None

    def _own_count(self, part: Part, counts: List[int]) -> int:
        """Reduce_scatter: all input is read, but only the rank's own share is written."""
        comm = self._of.comm()
        if part.role == "write" and comm is not None and not comm.inter and comm.rank < len(counts):
            return counts[comm.rank]
        return sum(counts)

    def _extent(self, handle: int) -> int:
        of = self._rank.registry.find(handle)[1]
        return of.extent if of is not None and of.extent is not None else 0


def described(rank: Rank, block: Block) -> "Tuple[Optional[_mpipp.Type], str]":
    """The type for showing a block; or None, and the words that say why there is no data."""
    state, of = rank.registry.find(block.handle)
    if of is None:
        return None, "no datatype, no data"
    if state == "freed" or (of.name == "MPI_DATATYPE_NULL" and of.predefined):
        return None, f"{of.name or f'0x{of.handle:x}'}: no data"
    if block.count < 0:
        return None, f"count {block.count}: no data"
    return of, ""
