# SPDX-License-Identifier: BSD-3-Clause
"""mpi types"""

from collections import Counter
from itertools import islice
from typing import Dict, Iterator, List, NamedTuple, Optional

import gdb

from .. import _mpipp, site
from ..fault import fault, sentence
from ..holders import Holders
from ..rank import Rank, ranks
from ..settings import line_limit
from . import summary
from .base import Command

_OPTIONS = ("-all", "-at", "-freed", "-leaked", "-uncommitted")


class Group(NamedTuple):
    """The types that one line of the program made."""

    place: str
    listings: "List[_mpipp.Listing]"

    def __len__(self) -> int:
        return sum(map(len, self.listings))

    def rows(self) -> "Iterator[_mpipp.Summary]":
        """In order of creation at each place."""
        for listing in self.listings:
            yield from listing

    def kinds(self) -> str:
        """ "2 STRUCT, 1 VECTOR" """
        kinds: "Counter[str]" = Counter()
        for listing in self.listings:
            kinds.update(listing.kinds)
        return ", ".join(f"{kinds[kind]} {kind}" for kind in sorted(kinds))


class MpiTypes(Command):
    """List the datatypes of the program, grouped by the line that made them.

Usage: mpi types [-uncommitted | -freed | -leaked | -all] [-at FILE:LINE]

Without an option: the live derived types, that is, those that were not freed.
  -uncommitted  of these, the ones that MPI_Type_commit was not called for
  -freed        the types that were freed last, as far as they are kept
  -leaked       after MPI_Finalize: the types that were never freed
  -all          all of them, and the types that exist only below another
  -at           only types made at this line, or in this file

The variables that hold a type are named, if they are in a function on the stack of the
selected thread, or are global variables of such a function's file.  `set print elements'
limits the number of rows.

Example:
  mpi types -uncommitted -at halo.c:77"""

    def __init__(self) -> None:
        super().__init__("mpi types", gdb.COMMAND_DATA)

    def complete(self, text: str, word: Optional[str]) -> object:
        typed = text.split(" ")[-1]
        if text.split(" ")[-2:-1] == ["-at"]:
            return gdb.COMPLETE_LOCATION
        start = len(typed) - len(word or "")
        return [option[start:] for option in _OPTIONS if option.startswith(typed)]

    def run(self, argument: str) -> None:
        which, at = _parse(argument)
        rank = ranks.current()
        if which == "-leaked" and rank.registry.state != "finalized":
            raise fault("the program has not called MPI_Finalize yet: no type is leaked, 'mpi types' shows what lives")
        listing = rank.registry.types()
        _write(rank, _group(rank, listing.groups(**_WANTED[which]), at), which, at)
        if rank.registry.damage is not None and rank.is_settled():  # if not settled, the rank ran on while it was read
            raise fault(sentence(rank.registry.damage))


def _parse(argument: str) -> "tuple[str, Optional[str]]":
    which, at = "", None
    words = iter(argument.split())
    for word in words:
        if word == "-at":
            at = next(words, None)
            if at is None:
                raise fault("'-at' needs a place: FILE:LINE or FILE")
        elif word in _OPTIONS and not which:
            which = word
        elif word in _OPTIONS:
            raise fault(f"'{which}' and '{word}' exclude each other")
        else:
            raise fault(f"'mpi types' does not know '{word}': its options are {', '.join(_OPTIONS)}")
    return which, at


_WANTED: Dict[str, Dict[str, bool]] = {
    "": {"live": True},
    "-all": {},
    "-freed": {"live": False, "tombstone": True},
    "-leaked": {"live": True},
    "-uncommitted": {"live": True, "committed": False},
}


def _group(rank: Rank, listings: "List[_mpipp.Listing]", at: Optional[str]) -> List[Group]:
    groups: Dict[str, Group] = {}
    for listing in sorted(listings, key=lambda listing: listing[0].serial):
        first = listing[0]
        found = site.call_site(rank.registry.site(first.created), site.made_by(first.kind))
        where = found.where if found is not None else ""
        if at is not None and at not in (where, where.rsplit(":", 1)[0]):
            continue
        place = str(found) if found is not None else "an unknown place"
        group = groups.setdefault(place, Group(place, []))
        group.listings.append(listing)
    return list(groups.values())


_NOUN = {"": "live", "-uncommitted": "live uncommitted", "-freed": "freed", "-leaked": "leaked", "-all": "recorded"}


def _write(rank: Rank, groups: List[Group], which: str, at: Optional[str]) -> None:
    count = sum(map(len, groups))
    open_ = sum(listing.uncommitted for group in groups for listing in group.listings)
    head = _plural(count, _NOUN[which] + " type") + (f" made at {at}" if at and not count else "")
    if count:
        head += f", made at {_plural(len(groups), 'place')}"
    if open_ and which != "-uncommitted":
        head += f"; {open_} not committed"
    gdb.write(head + "\n")
    room = line_limit()
    lines: List[str] = []
    holders = Holders(rank)
    for number, group in enumerate(groups):
        if number >= line_limit():
            rest = sum(map(len, groups[number:]))
            lines.append(f"<{_plural(len(groups) - number, 'more place')}, {_plural(rest, 'type')}>\n")
            break
        lines.append(f"{group.place}: {group.kinds()}\n")
        shown = [_row(rank, row, holders) for row in islice(group.rows(), room)]
        lines.extend(shown)
        room -= len(shown)
        if len(shown) < len(group):
            lines.append(f"  <{len(group) - len(shown)} more>\n")
    for line in lines:  # one at a time, so that gdb's pager and Ctrl-C work between them
        gdb.write(line)


def _row(rank: Rank, row: "_mpipp.Summary", holders: Holders) -> str:
    try:
        of = rank.registry.node(row.ordinal, row.serial)
    except _mpipp.Error as error:
        return f"  0x{row.handle:x}  -  {row.kind}  {sentence(error)}\n"
    if row.live:
        state = "committed" if row.committed else "state unknown" if of.commit_undefined else "not committed"
    elif row.tombstone:
        state = f"freed at {site.text(of.freed_at, site.FREE)}"
    else:
        state = f"freed at {site.text(of.freed_at, site.FREE)}, still used by other types"
    name = f'"{of.name}"' if of.name else "-"
    held = holders.text(row.handle) if row.live else ""
    return f"  {summary.handle(of)}  {name}  {summary.line(of)}  {state}{'  ' if held else ''}{held}\n"


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
