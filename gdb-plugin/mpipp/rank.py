# SPDX-License-Identifier: BSD-3-Clause
"""The selected rank: its registry, found by its symbol and read through the core.

There is one Rank per process (inferior, pid, target), core files included. It asks the registry whether it has changed at
most once between two events that may have changed memory: a stop, a step, a call, a write, a prompt, a new objfile.
"""

from typing import Dict, NamedTuple, Optional, Tuple

import gdb

from . import _mpipp, core_file, inferiors, root
from .fault import fault

Key = Tuple[int, int, Optional[int]]


def key_of(inferior: gdb.Inferior) -> Key:
    """Identifies a process."""
    return inferior.num, inferior.pid, inferior.connection_num


class Rank:
    """One process with a registry."""

    _count = 0

    def __init__(self, inferior: gdb.Inferior, at: int) -> None:
        """at: the address of the root. Raises _mpipp.Error: another layout version, a damaged or unreadable
        registry."""
        self._inferior = inferior
        self._key = key_of(inferior)
        self._core = core_file.of(inferior)
        self._non_stop = bool(gdb.parameter("non-stop"))  # gdb does not allow changes of it while there is a process
        self.root = at
        self._other_build = self._core is not None and root.is_other_build(at)
        self.event = -1  # at the last look
        self.written = False  # the debugger has written to memory since
        self._reads_before = self._bytes_before = 0
        if self._core is not None and self._core.missing(at, 1) is not None:
            raise _mpipp.Error(f"{root.UNREADABLE}: {self._core.why(at)}")
        self.registry = _mpipp.Registry(self.read, at)
        self._mask = (1 << (8 * self.registry.handle_bytes)) - 1
        Rank._count += 1
        self.number = Rank._count

    def is_here(self) -> bool:
        """Whether the inferior is still this process."""
        return self._inferior.is_valid() and key_of(self._inferior) == self._key

    def require_initialised(self) -> None:
        """Raises gdb.GdbError until MPI is initialised: before that, MPI's own types have names and handles, but no sizes, and
        there are no others."""
        if self.registry.state == "loaded":
            raise fault("MPI is not initialised yet")

    def is_selected(self) -> bool:
        """Whether gdb's own values are those of this rank."""
        return gdb.selected_inferior() == self._inferior

    def read(self, address: int, length: int) -> bytes:
        """Target memory of this rank, whichever is selected: gdb 13's Inferior.read_memory reads the selected one."""
        if self._core is not None:
            # gdb would read what the core file lacks from the library's file.
            missing = (self._core.lacking if self._other_build else self._core.missing)(address, length)
            if missing is not None:
                raise gdb.MemoryError(f"no memory at address 0x{missing:x} in the core file")
        if self.is_selected():
            return self._inferior.read_memory(address, length)
        with inferiors.selected(self._inferior):
            return self._inferior.read_memory(address, length)

    def look(self, event: int) -> None:
        """Updates what is known, if it may be stale. Raises _mpipp.Error."""
        if self._core is not None or (self.event == event and not self.written and self.is_settled()):
            return
        if self.written:
            self.registry.forget()
            self.written = False
        self.registry.refresh()
        self.event = event

    def is_settled(self) -> bool:
        """Whether memory changes only with an event. It is not so while a thread runs and gdb shows its prompt, or under `record`,
        which moves to another time without an event."""
        if gdb.current_recording() is not None:
            return False
        thread = gdb.selected_thread()
        if thread is None or thread.inferior != self._inferior or self._non_stop:
            return not any(thread.is_running() for thread in self._inferior.threads())
        return not thread.is_running()

    def is_running(self) -> bool:
        """Whether all of it runs: its memory changes while it is read."""
        threads = self._inferior.threads()
        return bool(threads) and all(thread.is_running() for thread in threads)

    def stopped(self) -> None:
        """`since_stop` counts from here on."""
        self._reads_before, self._bytes_before = self.registry.reads, self.registry.bytes_read

    def since_stop(self) -> Tuple[int, int]:
        """(bytes, reads) of the registry since the last stop."""
        return self.registry.bytes_read - self._bytes_before, self.registry.reads - self._reads_before

    def mask(self, handle: int) -> int:
        """A handle in the registry's form: zero-extended."""
        return handle & self._mask

    def from_fortran(self, index: int) -> Optional[int]:
        """The handle of a Fortran INTEGER; None if there is none. (MPICH: the same bits.)"""
        if self.registry.handle_bytes == 4:
            return self.mask(index)
        return self.registry.from_fortran(index) if 0 <= index < 1 << 31 else None


class Seen(NamedTuple):
    """What was found in a process, and when."""

    symbols: int
    root: Optional[int]
    rank: Optional[Rank]
    why: str


class Ranks:
    """All ranks that were looked at, by process and by number."""

    def __init__(self) -> None:
        self._event = 0
        self._symbols = 0
        self._seen: Dict[Key, Seen] = {}
        self._by_number: Dict[int, Rank] = {}
        self._last: Optional[Tuple[int, Key, Rank]] = None

    def stale(self) -> None:
        """Memory may have changed: look again when needed."""
        self._event += 1

    def symbols_changed(self) -> None:
        """An objfile was loaded or unloaded."""
        self._event += 1
        self._symbols += 1

    def written(self) -> None:
        """The debugger wrote to memory: the registry's own counter does not show that."""
        self._event += 1
        for rank in self._by_number.values():
            rank.written = True

    def stopped(self) -> None:
        """A process stopped: reads from here on are counted for this stop."""
        self._event += 1
        for rank in self._by_number.values():
            rank.stopped()

    def forget(self, inferior: int) -> None:
        """The process of this inferior is gone, or runs another program."""
        self._last = None
        for key in [key for key in self._seen if key[0] == inferior]:
            rank = self._seen.pop(key).rank
            if rank is not None:
                self._by_number.pop(rank.number, None)

    def find(self) -> Tuple[Optional[Rank], str]:
        """The selected process's rank; or None, and a sentence (without prefix) that says why."""
        inferior = gdb.selected_inferior()
        key = key_of(inferior)
        last = self._last  # for each variable that a frontend shows
        if last is not None and last[0] == self._event and last[1] == key and gdb.current_recording() is None:
            return last[2], ""
        seen = self._seen.get(key)
        if seen is None:
            self.forget(inferior.num)
        if seen is None or seen.symbols != self._symbols:
            seen = self._seen[key] = self._search(inferior, seen)
        elif seen.rank is None and seen.root is not None:
            seen = self._seen[key] = self._open(inferior, seen)  # a damaged registry may be valid now
        if seen.rank is not None:
            try:
                seen.rank.look(self._event)
            except _mpipp.Error as error:
                return None, str(error)
            self._last = (self._event, key, seen.rank) if seen.rank.is_settled() else None
        return seen.rank, seen.why

    def current(self) -> Rank:
        """The selected process's rank. Raises gdb.GdbError if it has none."""
        rank, why = self.find()
        if rank is None:
            raise fault(why)
        return rank

    def number(self, number: int) -> Optional[Rank]:
        """The rank of one of our values, if it still exists, whichever is selected."""
        rank = self._by_number.get(number)
        if rank is None or not rank.is_here():
            return None
        try:
            rank.look(self._event)
        except _mpipp.Error:
            return None
        return rank

    def _search(self, inferior: gdb.Inferior, before: Optional[Seen]) -> Seen:
        at, why = root.find(inferior)
        if before is not None and before.rank is not None and before.root == at:
            return before._replace(symbols=self._symbols)
        seen = Seen(self._symbols, at, None, why)
        return seen if at is None else self._open(inferior, seen)

    def _open(self, inferior: gdb.Inferior, seen: Seen) -> Seen:
        assert seen.root is not None
        try:
            rank = Rank(inferior, seen.root)
        except _mpipp.Error as error:
            return seen._replace(why=str(error))
        self._by_number[rank.number] = rank
        return seen._replace(rank=rank, why="")


ranks = Ranks()
