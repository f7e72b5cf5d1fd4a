# SPDX-License-Identifier: BSD-3-Clause
"""The base of the commands that list live handles of one kind: communicators, windows, files and so on."""

from typing import Dict, Iterable, List, Optional, Tuple

import gdb

from .. import _mpipp, objects, site
from ..fault import fault, sentence
from ..rank import Rank, ranks
from ..settings import line_limit
from .base import Command

Handle = Tuple[int, "_mpipp.Object"]


class HandleList(Command):
    """Lists the live handles of a kind by the place that made them. A subclass says which kind; its docstring is the help."""

    TYPE = ""
    """the handle's type in C: "MPI_Comm" """
    NAME = ""
    """the name of the command: "communicators" """
    NOUNS = ("", "")
    """the nouns for one of them and for several"""

    def __init__(self) -> None:
        super().__init__(f"mpi {self.NAME}", gdb.COMMAND_DATA)

    def complete(self, text: str, word: Optional[str]) -> object:
        typed = text.split(" ")[-1]
        if text.split(" ")[-2:-1] == ["-at"]:
            return gdb.COMPLETE_LOCATION
        start = len(typed) - len(word or "")
        return ["-at"[start:]] if "-at".startswith(typed) else []

    def run(self, argument: str) -> None:
        at = self._parse(argument)
        rank = ranks.current()
        rank.require_initialised()
        found, damage = rank.registry.objects(self.TYPE)
        if found is None:
            raise fault(f"nothing is recorded of this rank's {self.NOUNS[1]}: its checks are off")
        self._write(rank, _places(rank, found, at), at)
        if damage is not None and rank.is_settled():
            raise fault(sentence(damage))

    def _parse(self, argument: str) -> Optional[str]:
        words = argument.split()
        if not words:
            return None
        if words[0] != "-at":
            raise fault(f"'mpi {self.NAME}' does not know '{words[0]}': its option is -at")
        if len(words) == 1:
            raise fault("'-at' needs a place: FILE:LINE or FILE")
        if len(words) > 2:
            raise fault(f"'mpi {self.NAME}' does not know '{words[2]}': its option is -at")
        return words[1]

    def _details(self, rank: Rank) -> Dict[int, Iterable[str]]:
        """Lines below that of a handle, by handle."""
        return {}

    def _write(self, rank: Rank, places: Dict[str, List[Handle]], at: Optional[str]) -> None:
        count = sum(map(len, places.values()))
        head = f"{count} live {self.NOUNS[count != 1]}" + (f" made at {at}" if at and not count else "")
        if count:
            head += f", made at {_plural(len(places), 'place')}"
        gdb.write(head + "\n")
        room = line_limit()
        details = self._details(rank)
        for number, (place, handles) in enumerate(places.items()):
            if number >= line_limit():
                gdb.write(f"<{_plural(len(places) - number, 'more place')}>\n")
                break
            gdb.write(f"{place}: {_functions(handles)}\n")
            for handle, of in handles[:room]:
                gdb.write(f"  {objects.row(rank, handle, of)}\n")
                for line in details.get(handle, ()):
                    gdb.write(f"    {line}\n")
            if len(handles) > room:
                gdb.write(f"  <{len(handles) - room} more>\n")
            room = max(room - len(handles), 0)


def _places(rank: Rank, found: List[Handle], at: Optional[str]) -> Dict[str, List[Handle]]:
    """The handles by the place that made them, without those that the program did not make, such as MPI_COMM_WORLD."""
    places: Dict[str, List[Handle]] = {}
    for handle, of in found:
        if not of.function:
            continue
        where = site.of_function(rank.registry.site(of.site), of.function)
        if at is None or (where is not None and at in (where.where, where.where.rsplit(":", 1)[0])):
            places.setdefault(str(where) if where is not None else "an unknown place", []).append((handle, of))
    return places


def _functions(handles: List[Handle]) -> str:
    """ "2 MPI_Comm_split, 1 MPI_Comm_dup" """
    counts: Dict[str, int] = {}
    for _, of in handles:
        counts[of.function] = counts.get(of.function, 0) + 1
    return ", ".join(f"{count} {function}" for function, count in sorted(counts.items()))


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
