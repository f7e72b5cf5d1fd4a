# SPDX-License-Identifier: BSD-3-Clause
"""Whether one datatype can receive what another sends: the verdict as a sentence, and as a truth value."""

import math
from typing import NamedTuple, Optional, Tuple

from . import _mpipp
from .fault import fault


class Side(NamedTuple):
    """A type and a count, as the user gave them."""

    type: "_mpipp.Type"
    count: Optional[int]
    """None: one, and its element addresses have no repetition"""
    label: str
    """the user's name of the type"""
    where: str = ""
    """ " in inferior 2" """


def match(sent: Side, received: Side) -> "_mpipp.Match":
    """Compares them. Raises gdb.GdbError if one has more elements than can be counted."""
    found = _mpipp.match(sent.type, sent.count, received.type, received.count)
    if found.verdict == "too long":
        what = "bytes" if found.bytes else "elements"
        raise fault(f"'{_longest((sent, received), found)}' has more than 2^63 - 1 {what}")
    return found


def _longest(sides: Tuple[Side, Side], found: "_mpipp.Match") -> str:
    """The side that has too many, as the user wrote it."""
    unknown = [side for side, length in zip(sides, found.lengths) if length is None]
    side = max(unknown or sides, key=_elements)
    return side.label if side.count is None else f"{side.label} {side.count}"


def _elements(side: Side) -> float:
    """The exact number; infinity: that of one type does not fit in 64 bits."""
    if side.type.elements is None:
        return math.inf
    return side.type.elements * (1 if side.count is None else side.count)


def receivable(found: "_mpipp.Match") -> Optional[bool]:
    """Whether all that is sent can be received; None: undecided."""
    if found.verdict == "equal":
        return True
    if found.verdict == "prefix":
        return found.longer == 1
    return False if found.verdict == "different" else None


def sentence(sent: Side, received: Side, found: "_mpipp.Match") -> str:
    """The verdict, and the two elements that show it."""
    sides = (sent, received)
    packed = " (of MPI_PACKED only the length counts)" if found.bytes else ""
    if found.verdict == "equal":
        return f"match: {_amount(found.agreed, found)}{packed}"
    if found.verdict == "prefix":
        return (_prefix(found) if found.longer == 1 else _truncation(sent, found)) + packed
    if found.verdict == "different":
        one, other = (_standing(side, at) for side, at in zip(sides, found.at))
        return f"no match: {_element(found)} is {one}; {other}"
    if found.verdict == "opaque":
        return f"undecided: {_unknown(sides, found)}"
    return "undecided: the types have too many different parts" + _HASHES[found.hashes]


_HASHES = {
    "": "",
    "equal": "; by their hashes they match",
    "different": "; by their hashes they do not match, or one is a prefix of the other",
}


def _prefix(found: "_mpipp.Match") -> str:
    length = found.lengths[1]
    if length is None:
        return f"prefix: {_amount(found.agreed, found)} of more are received"
    return f"prefix: {found.agreed} of {_amount(length, found)} {'is' if found.agreed == 1 else 'are'} received"


def _truncation(sent: Side, found: "_mpipp.Match") -> str:
    length = found.lengths[0]
    sends = "more" if length is None else _amount(length, found)
    text = f"truncation: {sends} {'is' if length == 1 else 'are'} sent, {found.agreed} can be received"
    at = found.at[0]
    return text if at is None else f"{text}; {_element(found)} is {_standing(sent, at)}"


def _unknown(sides: Tuple[Side, Side], found: "_mpipp.Match") -> str:
    places = [f"{_place(side, at)}{side.where}" for side, at in zip(sides, found.at) if at is not None and at.opaque]
    if not places:  # the size of one is not known
        places = [side.label + side.where for side, length in zip(sides, found.lengths) if length is None]
    same = f"{_amount(found.agreed, found)} {'is' if found.agreed == 1 else 'are'} the same; " if found.agreed else ""
    return f"{same}what is inside {' and '.join(places)} is not known"


def _element(found: "_mpipp.Match") -> str:
    return "the first element that differs" if found.agreed is None else f"element {found.agreed}"


def _standing(side: Side, at: "Optional[_mpipp.Standing]") -> str:
    assert at is not None
    return f"{at.name} at {_place(side, at)}{side.where}"


def _place(side: Side, at: "_mpipp.Standing") -> str:
    return f"{side.label}, further away than 64 bits can hold" if at.long is None else side.label + at.long


def _amount(number: Optional[int], found: "_mpipp.Match") -> str:
    noun = "byte" if found.bytes else "element"
    return f"{number} {noun}" + ("" if number == 1 else "s")
