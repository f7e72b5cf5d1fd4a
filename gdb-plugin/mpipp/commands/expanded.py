# SPDX-License-Identifier: BSD-3-Clause
"""mpi tree -expanded: the expanded type-tree (the paper's Figure 2 (b))."""

from typing import Iterator, List, NamedTuple, Optional, Tuple

import gdb

from .. import _mpipp, site
from ..settings import UNLIMITED, line_limit, limit, unicode_terminal
from .boxes import BOXES

_SIGN = 1 << 63


class Child(NamedTuple):
    """A line below a node: a child, or (None) a remark about children that are not drawn."""

    text: str
    place: Optional["_mpipp.Place"]
    last: bool


def draw(root: "_mpipp.Type") -> None:
    """Writes the tree, without recursion, limited in lines and levels by gdb's settings."""
    box = BOXES[unicode_terminal()]
    room, depth = line_limit(), limit("print max-depth")
    top = _mpipp.Place(root, 0)
    freed = f" (freed at {site.text(root.freed_at, site.FREE)})" if root.freed else ""
    gdb.write(f"{title(top)}{freed}\n")
    stack: List[Tuple[str, Iterator[Child]]] = [("", _children(top))]
    while stack:
        prefix, children = stack.pop()
        child = next(children, None)
        if child is None:
            continue
        if room <= 0:
            gdb.write(f"{prefix}{box[1]}<more: 'set print elements' shows it>\n")
            return
        room -= 1
        gdb.write(f"{prefix}{box[1 if child.last else 0]}{child.text}\n")
        stack.append((prefix, children))
        if child.place is None or not len(child.place):
            continue
        below = prefix + box[3 if child.last else 2]
        if depth != UNLIMITED and len(stack) >= depth:
            word = f"<{_plural(len(child.place))}: 'set print max-depth' shows them>"
            stack.append((below, iter([Child(word, None, True)])))
        else:
            stack.append((below, _children(child.place)))


def _children(place: "_mpipp.Place") -> Iterator[Child]:
    count, repeats = len(place), limit("print repeats")
    if place.alike and repeats != UNLIMITED and count > max(repeats, 1):
        yield Child(_line(place, 0), place.child(0), False)
        more = f"[1] to [{count - 1}]: {count - 1} more like [0]" if count > 2 else "[1]: like [0]"
        yield Child(more, None, True)
        return
    for index in range(count):
        yield Child(_line(place, index), place.child(index), index == count - 1)


def _line(place: "_mpipp.Place", index: int) -> str:
    child = place.child(index)
    at = (child.address + _SIGN) % (2 * _SIGN) - _SIGN
    unknown = ": what is inside is not known" if child.opaque else ""
    return f"[{index}] {title(child)} at {at}{unknown}"


def title(place: "_mpipp.Place") -> str:
    """ "STRUCT", "MPI_CHAR"; for an intermediate stage its contents: "7 of MPI_CHAR"."""
    count = len(place)
    if place.stage == "type":
        name = place.leaf.name if place.leaf is not None else f'"{place.type.name}"' if place.type.name else ""
        kind = "" if place.leaf is not None and name else place.type.kind
        return f"{name} {kind}".strip()
    if not count:
        return "nothing"
    below = place.child(0)
    return f"{count} of {title(below)}" if below.stage == "type" else f"{count} times {title(below)}"


def _plural(number: int) -> str:
    return f"{number} child" + ("" if number == 1 else "ren")
