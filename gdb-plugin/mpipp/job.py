# SPDX-License-Identifier: BSD-3-Clause
"""All ranks that gdb has (inferiors of a job, attached ranks, core files), and what each of their threads is in."""

import time
from typing import Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import gdb

from . import _mpipp, inferiors, root, site
from .call import Found, Position
from .fault import fault, let_quit, sentence
from .host_text import decoded
from .rank import Rank, ranks
from .user_frame import is_system

_MOST_FRAMES = 200
_MOST_THREADS = 256  # the most threads of a rank that are looked at

_SEVERAL_JOBS = "these are ranks of several jobs: 'mpi ranks' shows them, and 'detach' lets one go"
RUNNING = "running: 'interrupt' stops it"


class Doing(NamedTuple):
    """What a thread of a rank does. rank: in MPI_COMM_WORLD, None if not yet known; inferior: gdb's number. state: a call in
    one line, or the next best; place: "halo.c:58 exchange", "" if not known; since: as Registry.since() returns it. arrival
    and world: as in Registry."""

    rank: Optional[int]
    inferior: int
    state: str
    place: str
    since: Optional[Tuple[Optional[int], Optional[int]]]
    arrival: Optional[int]
    world: int


class Seen:
    """A rank as `mpi deadlock' needs it: its threads, and where they call MPI."""

    def __init__(self, inferior: gdb.Inferior, rank: Rank, threads: List[gdb.InferiorThread]) -> None:
        self.inferior = inferior
        self.rank = rank
        self.threads = tuple(one.ptid[1] for one in threads)
        """the kernel's numbers"""
        self._places = {number: call.site() for number, call in _calls(rank, threads)}
        recorded = sum(any(call.state == "running" for call in one.calls) for one in rank.registry.threads())
        self.left_calls = recorded > len(self._places)
        """a thread is recorded as being in a call that is not on its stack"""

    def place(self, thread: int, is_short: bool) -> str:
        """Where a thread calls MPI: "halo.c:58 in exchange", or "halo.c:58"; "" if not known."""
        found = self._places.get(thread)
        return "" if found is None else found.where + found.detour if is_short else str(found)


def processes() -> List[gdb.Inferior]:
    """The inferiors that have a process, or a core file."""
    return [one for one in gdb.inferiors() if one.pid != 0]


def without_process() -> List[int]:
    """The inferiors without a process: it has ended, or was never started."""
    return [one.num for one in gdb.inferiors() if one.pid == 0]


def doings(inferior: gdb.Inferior) -> Tuple[List[Doing], str]:
    """What a process does: a Doing for each thread that is in MPI, else one for the whole rank. None, and a sentence
    without prefix, if that cannot be found out."""
    threads = [one for one in inferior.threads() if one.is_valid()]
    if threads and all(one.is_running() for one in threads):
        return [], RUNNING
    try:
        with inferiors.selected(inferior):
            rank, why = ranks.find()
            return ([], why) if rank is None else (_of_rank(rank, inferior, threads), "")
    except (gdb.error, _mpipp.Error) as error:
        let_quit(error)
        return [], sentence(error)


def look(with_left: bool = False) -> Tuple[List[Seen], List[Tuple[int, str]]]:
    """The stopped ranks that can be read; and for all other processes the inferior and why not. A rank with a thread that
    has left a call by longjmp() is not among them unless with_left, because it is not known what it will do."""
    seen: List[Seen] = []
    unseen: List[Tuple[int, str]] = []
    for inferior in processes():
        threads = [one for one in inferior.threads() if one.is_valid()]
        if any(one.is_running() for one in threads):
            unseen.append((inferior.num, RUNNING))
            continue
        try:
            with inferiors.selected(inferior):
                rank, why = ranks.find()
                if rank is None:
                    unseen.append((inferior.num, why))
                    continue
                one = Seen(inferior, rank, threads)
        except (gdb.error, _mpipp.Error) as error:
            let_quit(error)
            unseen.append((inferior.num, sentence(error)))
            continue
        if one.left_calls and not with_left:
            unseen.append((inferior.num, "a call of MPI's that is recorded is not on the stack"))
        else:
            seen.append(one)
    return seen, unseen


def look_at_worlds(with_left: bool = False) -> Tuple[List[Seen], List[Tuple[int, str]]]:
    """The result of look(), by rank. Raises gdb.GdbError if there is no rank, if one of them has no number in its
    MPI_COMM_WORLD yet, or if two of them are the same rank."""
    if not processes():
        raise fault(root.NO_PROCESS)
    seen, unseen = look(with_left)
    if not seen:
        raise fault(unseen[0][1] if len(unseen) == 1 else "no rank can be seen: 'mpi ranks' says why")
    if any(one.rank.registry.world_rank is None for one in seen):
        raise fault("MPI is not initialised yet in every rank: 'mpi ranks' shows where they are")
    if len({(one.rank.registry.world, one.rank.registry.world_rank) for one in seen}) < len(seen):
        raise fault(_SEVERAL_JOBS)
    return sorted(seen, key=lambda one: (one.rank.registry.world_rank or 0, one.inferior.num)), unseen


def look_at_world(with_left: bool = False) -> Tuple[List[Seen], List[Tuple[int, str]]]:
    """The result of look_at_worlds(). Raises gdb.GdbError also if they are not ranks of one MPI_COMM_WORLD."""
    seen, unseen = look_at_worlds(with_left)
    if len({(one.rank.registry.world, one.rank.registry.world_size) for one in seen}) > 1:
        raise fault(_SEVERAL_JOBS)
    return seen, unseen


def _of_rank(rank: Rank, inferior: gdb.Inferior, threads: List[gdb.InferiorThread]) -> List[Doing]:
    registry = rank.registry
    found = [(_described(rank, call), _place(call.site())) for _, call in _calls(rank, threads)]
    since, arrival = registry.since(_now(inferior)), registry.arrival
    return [
        Doing(registry.world_rank, inferior.num, state, place, since, arrival, registry.world)
        for state, place in found or [(_outside(rank), _own_place(threads))]
    ]


def _now(inferior: gdb.Inferior) -> Optional[int]:
    """For Registry.since()."""
    if inferior.connection is None or inferior.connection.type != "native":
        return None
    return int(time.clock_gettime(time.CLOCK_MONOTONIC) * 1000)


def worlds(arrivals: Iterable[Tuple[int, Optional[int], int]]) -> List[int]:
    """The worlds of ranks, that of the launcher first, from (world, arrival, inferior) of each; as `mpipp run' numbers them,
    from 1, in the order in which their first ranks came."""
    first: Dict[int, Tuple[int, int]] = {}
    for world, arrival, inferior in arrivals:
        at = (1 << 32 if arrival is None else arrival, inferior)
        if world:
            first[world] = min(at, first.get(world, at))
    return sorted(first, key=lambda world: first[world])


def of_world(who: str, world: int, names: Sequence[int]) -> str:
    """ "ranks 0-1 of world 2"; the launcher's world is not named."""
    number = names.index(world) if world in names else 0
    return f"{who} of world {number + 1}" if number else who


def _described(rank: Rank, call: Found) -> str:
    """In one line: "MPI_Barrier #12 of rows"."""
    return rank.registry.describe(call.form.function, call.values, call.state == "running")


def _calls(rank: Rank, threads: List[gdb.InferiorThread]) -> Iterator[Tuple[int, Found]]:
    """The innermost call of each thread that is in one, with the kernel's number of the thread."""
    ids = {one.id for one in rank.registry.threads() if any(call.state == "running" for call in one.calls)}
    if not ids and rank.registry.state != "loaded":
        return
    named = [one for one in threads if ids.intersection(one.ptid[1:])]
    for thread in (named if len(named) == len(ids) else threads)[:_MOST_THREADS]:  # else a container has numbered them
        if thread.is_running():
            continue
        thread.switch()
        call = Position(rank, True).call(0)
        if call is not None and call.state in ("running", "begins"):
            yield thread.ptid[1], call


def _outside(rank: Rank) -> str:
    return {"loaded": "before MPI_Init", "finalized": "after MPI_Finalize"}.get(rank.registry.state, "outside MPI")


def _own_place(threads: List[gdb.InferiorThread]) -> str:
    """Where the first thread is: its innermost frame with a source line, or the innermost one outside the system's libraries."""
    stopped = [one for one in threads if not one.is_running()]
    if not stopped:
        return ""
    min(stopped, key=lambda one: one.num).switch()
    frame: Optional[gdb.Frame] = gdb.newest_frame()
    other: Optional[gdb.Frame] = None
    for _ in range(_MOST_FRAMES):
        if frame is None:
            break
        line = frame.find_sal()
        has_line = line.symtab is not None and line.line and frame.function() is not None
        if (has_line or other is None) and not _is_system(frame):
            if has_line:
                return _place(site.Site(site.where_in(frame, line), frame.function().name))
            other = frame
        frame = frame.older()
    return "" if other is None else site.of_frame(other).where


def _is_system(frame: gdb.Frame) -> bool:
    """Whether it is in the C library, or in MPI's, of which gdb may have debug information: not a place of the program."""
    table = frame.find_sal().symtab
    if table is not None and "/sysdeps/" in (decoded(lambda: table.filename) or ""):
        return True
    library = decoded(lambda: gdb.solib_name(frame.pc()))
    return library is not None and is_system(library)


def _place(of: Optional[site.Site]) -> str:
    """The form for a list: "halo.c:58 exchange"."""
    if of is None:
        return ""
    return _mpipp.visible(f"{of.where} {of.function}" if of.function and of.has_line else of.where)
