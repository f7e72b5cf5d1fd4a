# SPDX-License-Identifier: BSD-3-Clause
"""The requests of a call: each shown by its operation."""

from typing import Dict, List, Optional, Tuple

from . import _mpipp
from .pending import call, completion, sharers, since
from .rank import Rank

_MOST_SHOWN = 3


class Requests:
    """What is known of the requests of a rank, read once for one call."""

    def __init__(self, rank: Rank) -> None:
        self._rank = rank
        self._known: "Optional[Tuple[_mpipp.Operation, ...]]" = None

    def text(self, slot: int, handle: int) -> Optional[str]:
        """The meaning of a handle in the variable at `slot`: "MPI_Irecv from rank 1, tag 7, MPI_COMM_WORLD  not complete
        halo.c:58 in exchange". None: nothing is known of it."""
        found = self._operations(slot, handle)
        if not found:
            return None
        if len(found) > 1:
            shown = [f"{call(self._rank, one)}, {since(self._rank, one)}" for one in found[:_MOST_SHOWN]]
            more = ["..."] if len(found) > _MOST_SHOWN else []
            return f"{completion(found[0])}, one of {len(found)} that share the handle: {'; '.join(shown + more)}"
        return f"{call(self._rank, found[0])}  {completion(found[0])}  {since(self._rank, found[0])}"

    def rows(self, slots: List[Tuple[int, int]]) -> List[Optional[str]]:
        """The texts of an array of requests, each (address, handle); requests that share a handle say so."""
        texts = [self.text(slot, handle) for slot, handle in slots]
        named: Dict[int, List[int]] = {}
        for number, (_, handle) in enumerate(slots):
            named.setdefault(handle, []).append(number)
        for number, (_, handle) in enumerate(slots):
            text, same = texts[number], named[handle]
            if text is not None and len(same) > 1 and " share the handle: " not in text:
                others = [f"[{one}]" for one in same[:4] if one != number]
                texts[number] = f"{text}, {sharers(others, len(same) - 1)}"
        return texts

    def _operations(self, slot: int, handle: int) -> "List[_mpipp.Operation]":
        """The operations with this handle; only the one whose handle was stored at this address, if that is known."""
        if self._known is None:
            self._known = self._rank.registry.operations()[0] or ()
        found = [one for one in self._known if one.request and one.handle == handle and not one.possible]
        here = [one for one in found if one.variable == slot]
        return here[-1:] or found
