"""mpi deadlock"""

from typing import Dict, List, Sequence, Tuple

import gdb

from .. import _mpipp, inferiors, job, root, site
from ..fault import fault
from .base import Command
from .mpi_ranks import ranges

_ONE_LOOK = (
    "This is one look: a message may be under way. If the same shows after the ranks have run for some seconds,\n"
    "it is a deadlock.\n"
)


class MpiDeadlock(Command):
    """Say which ranks can never go on, and why.

Usage: mpi deadlock

Looks at all ranks that gdb has (`help mpi ranks'): what each waits for, by the call that
it is in and its requests, and who could release it.  The verdict and its words are those
of `mpipp run', which watches a job and tells of one that hangs by itself.

A rank that is not here, runs, or is outside MPI may release the others: then nothing is
told.  In MPI_Waitall, one of the requests that are not told complete may be what it waits
for: such a rank is released by any of them.  gdb sees one moment, in a core file, too: a
message may be under way then, and the verdict is certain only if the same shows after the
ranks have run for a while.

Example:
  mpi deadlock"""

    def __init__(self) -> None:
        super().__init__("mpi deadlock", gdb.COMMAND_STATUS)

    def run(self, argument: str) -> None:
        if argument:
            raise fault("'mpi deadlock' takes no operand")
        if not job.processes():
            raise fault(root.NO_PROCESS)
        seen, unseen = job.look()
        if not seen:
            raise fault(unseen[0][1] if len(unseen) == 1 else "no rank can be seen: 'mpi ranks' says why")
        _check(seen)
        deaths, waitings = _mpipp.deadlocks([(one.rank.registry, one.threads) for one in seen])
        for death in deaths:
            _Told(seen, waitings, death).write()
        if deaths:
            gdb.write(_ONE_LOOK)
        else:
            gdb.write("no deadlock: no rank waits for what can never come, as far as can be seen here\n")
        _write_absent(seen)


def _check(seen: List[job.Seen]) -> None:
    sizes = {one.rank.registry.world_size for one in seen}
    numbers = [one.rank.registry.world_rank for one in seen]
    if None in numbers:
        raise fault("MPI is not initialised yet in every rank: 'mpi ranks' shows where they are")
    if len(sizes) > 1 or len(set(numbers)) < len(numbers):
        raise fault("these are ranks of several jobs: 'mpi ranks' shows them, and 'detach' lets one go")


def _write_absent(seen: List[job.Seen]) -> None:
    here = {one.rank.registry.world_rank for one in seen}
    absent = [number for number in range(seen[0].rank.registry.world_size or 0) if number not in here]
    if absent:
        gdb.write(f"{_named(absent)} {'is' if len(absent) == 1 else 'are'} not here, and may release the others\n")


def _named(numbers: Sequence[int]) -> str:
    """ "rank 0", "ranks 0 and 1", "ranks 0-3,7"."""
    if len(numbers) == 1:
        return f"rank {numbers[0]}"
    if len(numbers) == 2:
        return "ranks {} and {}".format(*sorted(numbers))
    return f"ranks {','.join(ranges(list(numbers)))}"


class _Told:
    """One verdict as text, in the words of `mpipp run' (cmd/watch/told.c)."""

    def __init__(self, seen: List[job.Seen], waitings: "List[_mpipp.Waiting]", death: "_mpipp.Death") -> None:
        self._seen = seen
        self._waitings = waitings
        self._death = death

    def write(self) -> None:
        """Writes it."""
        death = self._death
        gdb.write(f"{self._named(death.ranks)} {self._message()}\n")
        for label, call, place, waits in self._calls(death.ranks):
            gdb.write(f"  {label:<9} {call}" + (f"   {place}" if place else "") + "\n")
            if waits:
                gdb.write(f"            {waits}\n")
        for label, call, place, _ in self._calls(death.behind):
            verb = "wait" if label.startswith("ranks") else "waits"
            gdb.write(f"  behind    {label} {verb} for them in {call}" + (f" ({place})" if place else "") + "\n")

    def _named(self, indices: Sequence[int]) -> str:
        return _named([self._waitings[index].rank for index in indices])

    def _message(self) -> str:
        death = self._death
        wait = "waits" if len(death.ranks) == 1 else "wait"
        if death.kind == "missing":
            function = self._waitings[death.ranks[0]].function or "a collective call"
            return f"{wait} in {function} for {self._missing()}"
        if death.missing:
            return f"{wait} for {self._missing()}"
        return "waits for itself" if len(death.ranks) == 1 else "wait for each other"

    def _missing(self) -> str:
        presences = {self._waitings[index].presence for index in self._death.missing}
        does = presences.pop() if len(presences) == 1 else "has left"
        if len(self._death.missing) > 1:
            does = {"is in MPI_Finalize": "are in MPI_Finalize", "has ended": "have ended"}.get(does, "have left")
        return f"{self._named(self._death.missing)}, which {does}"

    def _calls(self, indices: Sequence[int]) -> List[Tuple[str, str, str, str]]:
        """(ranks, call, place, what they wait for), those that are equal in one."""
        same: Dict[Tuple[str, str, str], List[int]] = {}
        for index in indices:
            of = self._waitings[index]
            if of.function:
                same.setdefault((of.call, self._seen[index].place(of.thread), self._waits(index)), []).append(index)
        return [(self._named(ones), *key) for key, ones in same.items()]

    def _waits(self, index: int) -> str:
        texts: List[str] = []
        for part in self._waitings[index].parts:
            text = self._part(index, part)
            if text not in texts:
                texts.append(text)
        return f"waits for {', or '.join(texts)}" if texts else ""

    def _part(self, index: int, part: "_mpipp.WaitPart") -> str:
        if part.missing:
            return f"{self._named(part.missing)} to come to it"
        if not part.function:
            return part.text
        with inferiors.selected(self._seen[index].inferior):
            frames = self._seen[index].rank.registry.site(part.site)
            place = site.text(frames, part.function.partition("_")[2].lower())
        return f"{part.text} ({part.function} of {place})"
