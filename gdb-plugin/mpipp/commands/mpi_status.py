# SPDX-License-Identifier: BSD-3-Clause
"""mpi status"""

import gdb

from .. import _mpipp
from ..fault import fault
from ..rank import ranks
from .base import Command


class MpiStatus(Command):
    """Show what mpipp knows about this rank, and what it costs.

Usage: mpi status

Shows the MPI library, the rank in MPI_COMM_WORLD, how many types live, the memory
that the recorder uses in the program, and how much of it gdb has read.  After a
change, gdb reads only what may have changed, and only when it is needed.

Example:
  mpi status"""

    def __init__(self) -> None:
        super().__init__("mpi status", gdb.COMMAND_DATA)

    def run(self, argument: str) -> None:
        if argument:
            raise fault("'mpi status' takes no operand")
        rank = ranks.current()
        registry = rank.registry
        place = "no world" if registry.world_rank is None else f"rank {registry.world_rank} of {registry.world_size}"
        rows = (
            ("mpipp", f"{_mpipp.VERSION}, registry layout {_mpipp.LAYOUT_VERSION}"),
            ("MPI", f"{' '.join(registry.mpi_version.split()) or registry.mpi}, {registry.state}"),
            ("rank", place),
            ("live types", f"{registry.live}"),
            ("registry", f"at 0x{rank.root:x}, {registry.types_bytes} bytes for types"),
            ("", f"{registry.ring_bytes} of them for freed types, {registry.mapped_bytes} bytes mapped"),
            ("read by gdb", "{} bytes in {} reads since the last stop".format(*rank.since_stop())),
            ("", f"{registry.bytes_read} bytes in {registry.reads} reads in all"),
        )
        for label, value in rows:
            gdb.write(f"{label:<11}  {value}\n")
