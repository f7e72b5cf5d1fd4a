# SPDX-License-Identifier: BSD-3-Clause
"""mpi deadlock"""

from types import SimpleNamespace
from typing import Any, Dict, List, Optional, Tuple, Union

import gdb

from .. import _mpipp, inferiors, job, messages, site, whole_job
from ..fault import fault
from .base import Command

_ONE_LOOK = (
    "This is one look: a message may be under way. If the same shows after the ranks have run for some seconds,\n"
    "it is a deadlock.\n"
)


class MpiDeadlock(Command):
    """Say which ranks can never go on, and why.

Usage: mpi deadlock

Looks at all ranks that gdb has (`help mpi ranks'): what each waits for, by the call that
it is in and its requests, and who could release it.  The verdict and its words are those
of `mpipp run', which watches a job and reports ranks that hang.

After `mpipp attach --job' or --ranks in a job of several nodes, `mpipp run' looks at the
ranks that gdb does not have, on whatever node they are, and gives the verdict.

A rank that nobody can look at, that runs, or that is outside MPI may release the others:
then nothing is reported.  In MPI_Waitall the rank may wait for any of the requests whose
completion was not reported: it counts as released by any of them.  Under
`mpipp run --check=p2p' it is known which messages were sent: a message on its way
releases its receiver, and one that nearly fits is named.  gdb sees one moment, also in a
core file: a message may be on its way.  The verdict is certain only if it is the same
after the ranks have run for a while.

Example:
  mpi deadlock"""

    def __init__(self) -> None:
        super().__init__("mpi deadlock", gdb.COMMAND_STATUS)

    def run(self, argument: str) -> None:
        if argument:
            raise fault("'mpi deadlock' takes no operand")
        seen, unseen = job.look_at_worlds()
        if _is_part(seen) and _write_whole():
            return
        worlds = job.worlds((one.rank.registry.world, one.rank.registry.arrival, one.inferior.num) for one in seen)

        def place(
            rank: int, thread: int, of: int, function: str, is_short: bool, frames: Optional[Tuple[int, ...]]
        ) -> str:
            if frames is not None:
                return messages.short_place(seen[rank], frames, function)
            return _request_place(seen[rank], of, function) if function else seen[rank].place(thread, is_short)

        deaths = _mpipp.deadlocks([(one.rank.registry, one.threads) for one in seen], tuple(worlds), place)
        _write_all(list(deaths))
        _write_absent(seen, worlds)


def _is_part(seen: List[job.Seen]) -> bool:
    """Whether gdb has only some of the ranks of a job whose `mpipp run' can be asked."""
    sizes = {one.rank.registry.world: one.rank.registry.world_size or 0 for one in seen}
    return whole_job.is_known() and len(seen) < sum(sizes.values())


def _write_whole() -> bool:
    """Writes the verdict of `mpipp run'. Returns False if it does not answer."""
    try:
        answer = whole_job.deadlocks()
    except gdb.GdbError as error:
        whole_job.tell(error)
        return False
    unseen = _mpipp.visible(str(answer.get("unseen", "")))
    if "deadlocks" not in answer:
        gdb.write("it is not known who waits for whom: 'mpipp run' could not find it out\n")
        return True
    _write_all([_death(one) for one in answer["deadlocks"]], bool(unseen))
    if unseen:
        gdb.write(f"of {unseen} it is not known what {'they do' if unseen.startswith('ranks') else 'it does'}\n")
    return True


def _death(told: Dict[str, Any]) -> SimpleNamespace:
    """A verdict of `mpipp run', in the form of _mpipp.Death."""

    def text(of: Dict[str, Any], name: str) -> str:
        return _mpipp.visible(str(of.get(name, "")))

    calls = [SimpleNamespace(**{name: text(one, name) for name in ("who", "call", "place", "waits")}) for one in told["calls"]]
    behind = [SimpleNamespace(line=_mpipp.visible(str(one))) for one in told["behind"]]
    return SimpleNamespace(subject=text(told, "subject"), message=text(told, "message"), calls=calls, behind=behind)


def _write_all(deaths: "List[Union[_mpipp.Death, SimpleNamespace]]", is_part: bool = False) -> None:
    """IS_PART: not all ranks were looked at."""
    for death in deaths:
        _write(death)
    if deaths:
        gdb.write(_ONE_LOOK)
    elif is_part:
        gdb.write("no deadlock is seen\n")
    else:
        gdb.write("no deadlock: no rank waits for what can never come, as far as can be seen here\n")


def _write_absent(seen: List[job.Seen], worlds: List[int]) -> None:
    for world in worlds or [0]:
        ranks = [one.rank.registry for one in seen if one.rank.registry.world == world]
        here = {one.world_rank for one in ranks}
        absent = [number for number in range(ranks[0].world_size or 0 if ranks else 0) if number not in here]
        if absent:
            who = job.of_world(_mpipp.named_ranks(absent), world, worlds)
            gdb.write(f"{who} {'is' if len(absent) == 1 else 'are'} not here, and may release the others\n")


def _request_place(rank: job.Seen, of: int, function: str) -> str:
    """Where a request was made."""
    if of < 0:
        return ""
    with inferiors.selected(rank.inferior):
        found = site.of_function(rank.rank.registry.site(of), function)
    return "" if found is None else found.where + found.detour


def _write(death: "Union[_mpipp.Death, SimpleNamespace]") -> None:
    """Writes a verdict, in the form of `mpipp run'."""
    gdb.write(f"{death.subject} {death.message}\n")
    for one in death.calls:
        gdb.write(f"  {one.who:<9} {one.call}" + (f"   {one.place}" if one.place else "") + "\n")
        if one.waits:
            gdb.write(f"            {one.waits}\n")
    for one in death.behind:
        gdb.write(f"  behind    {one.line}\n")
