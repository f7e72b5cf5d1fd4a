"""In gdb: $reads() and $bytes_read(), how often and how much the plugin has read of a process since $reads() was asked
last."""

import gdb
from mpipp.rank import Rank


class Counter(gdb.Function):
    """One of the two."""

    reads = 0
    size = 0

    def invoke(self) -> int:
        """Called by gdb."""
        raise NotImplementedError


class Reads(Counter):
    """How often; starts again."""

    def invoke(self) -> int:
        reads, Counter.reads = Counter.reads, 0
        return reads


class BytesRead(Counter):
    """How many bytes; starts again."""

    def invoke(self) -> int:
        size, Counter.size = Counter.size, 0
        return size


def counted(rank: Rank, address: int, length: int) -> bytes:
    """In place of Rank.read."""
    Counter.reads += 1
    Counter.size += length
    return read(rank, address, length)


read = Rank.read
Rank.read = counted  # type: ignore[method-assign]
Reads("reads")
BytesRead("bytes_read")
