# SPDX-License-Identifier: BSD-3-Clause
"""A buffer's expanded type-tree as rows.

A row has a key: the node's path from the root, "[2][5]", or, for some of a node's children, "[2]:1000-1999". Nothing is
computed before a node is opened, and nothing is read before a row is in view: so opening 10^9 elements takes no longer
than opening ten.
"""

import re
from itertools import takewhile
from typing import Dict, Iterable, List, NamedTuple, Optional, Tuple

import gdb

from .. import _mpipp, operands, site
from ..commands.expanded import title
from ..entry_names import buffer_of, find_by_text
from ..fault import EXPECTED, fault, let_quit
from ..printers.base import remark
from ..printers.buffer import OPAQUE, buffer_text
from ..printers.listing import CHILDREN, step_of
from ..rank import Rank, ranks
from ..settings import UNLIMITED, is_fortran, print_settings
from ..whole_object import find_objects

ROOT = ""

_SIGN = 1 << 63
_STEPS = 1 << 22  # to search for a byte
_BRIEF = 16  # elements of a run that are shown beside it
_INSIDE = 6  # elements on each level of what is no run
_LETTERS = 60  # of their text
_PATH = re.compile(r"[\[(][^\])]*[\])]|[.%]?[^\[(.%]+")  # field, [3], [0], .value
_INDEX = re.compile(r"[\[{](\d+)[\]}]")


class Row(NamedTuple):
    """A node, or some of its children."""

    key: str
    label: str
    what: str
    byte: str
    """counted from the buffer's address"""
    program: str
    """the program's name of what contains it: "field[3][0]"; empty if that is not known"""
    opens: bool


class Node(NamedTuple):
    """The meaning of a key: the children first..last-1 of a place; is_page: not all of them."""

    place: "_mpipp.Place"
    first: int
    last: int
    is_page: bool


class Tree:
    """The tree of `count` of a type (None: of the type itself) at an address."""

    def __init__(self, rank: Rank, words: List[str]) -> None:
        """words: TYPE ADDRESS [COUNT], as the user wrote them."""
        self.label = words[0]
        self._rank = rank
        self._type = operands.datatype(rank, words[0])
        operands.refuse_null(self._type, f"'{words[0]}'")
        self._address = operands.address(words[1])
        self._count = operands.count(words[2]) if len(words) > 2 else None
        buffer = buffer_of(rank, self._type, self._address, self._count)
        self._entries = find_by_text(buffer, self._place(()), words[1])
        objects = find_objects(words[1], self._address)
        self._object = objects[-1] if objects else None
        self._words = [words[0], words[1] if self._address else "0", *words[2:]]
        self.title = _mpipp.visible(" ".join(words))

    # --- rows

    def root(self) -> Row:
        """The topmost row."""
        place = self._place(())
        return Row(ROOT, _mpipp.visible(self.label), title(place), "0", self._program(place), len(place) > 0)

    def children(self, key: str) -> List[Row]:
        """The rows below a row, at most CHILDREN; nothing is read for them."""
        node = self._node(key)
        step = step_of(node.last - node.first)
        if step > 1:
            starts = range(node.first, node.last, step)
            return [self._page(node.place, start, min(start + step, node.last)) for start in starts]
        return [self._child(node.place, index) for index in range(node.first, node.last)]

    def _page(self, place: "_mpipp.Place", first: int, last: int) -> Row:
        child = place.child(first)
        what = f"{last - first} of {title(child)}" if place.alike else ""
        program = self._program(place, (first, last - 1))
        return Row(_page_key(place.path(), first, last), f"[{first}..{last - 1}]", what, self._byte(child), program, True)

    def _child(self, place: "_mpipp.Place", index: int) -> Row:
        child = place.child(index)
        path = child.path()
        label = path[len(place.path()) :]
        program = self._program(child)
        return Row(path, label, title(child), self._byte(child), program, not child.opaque and len(child) > 0)

    def _byte(self, place: "_mpipp.Place") -> str:
        return str((place.address - self._address + _SIGN) % (2 * _SIGN) - _SIGN)

    def _program(self, place: "_mpipp.Place", part: Optional[Tuple[int, int]] = None) -> str:
        """The program's name of what contains the data of a place; part: of its children from the first to the last."""
        if self._object is None:
            return ""
        try:
            ends = (place, place) if part is None else (place.child(part[0]), place.child(part[1]))
            spans = [_data(end) for end in ends]
        except _mpipp.Error:  # an address that does not fit in 64 bits
            return ""
        if spans[0] is None or spans[1] is None:
            return ""
        first, last = spans[0][0] - self._address, spans[1][1] - 1 - self._address
        return _common(self._object.at(first) or "", self._object.at(last) or "")

    # --- values

    def values(self, keys: Iterable[str]) -> Dict[str, str]:
        """The values in memory: of several elements, the first."""
        if self.state():
            return {}
        return {key: self._value(self._node(key)) for key in keys}

    def _value(self, node: Node) -> str:
        place = node.place
        if place.opaque:
            return OPAQUE
        if node.is_page:
            return ""
        settings = print_settings()._replace(pretty=False, array=False)
        is_row = place.leaf is not None or place.run is not None
        most = _BRIEF if is_row else _INSIDE
        elements = most if settings.elements < 0 else min(settings.elements, most)
        if not is_row:
            settings = settings._replace(repeats=UNLIMITED)  # nothing is read to count equal elements
        try:
            text = buffer_text(place, self._rank, settings._replace(elements=elements), self._entries)
        except EXPECTED as error:
            let_quit(error)
            return remark(error)
        return text if is_row or len(text) <= _LETTERS else text[: _LETTERS - 3] + "..."

    def state(self) -> str:
        """Why there are no values now; empty if there are."""
        if not self._rank.is_here():
            return "the process is gone"
        return "the process is running" if self._rank.is_running() else ""

    def note(self) -> str:
        """The same, or another remark: the type was freed, or its rank is not the selected one."""
        state = self.state()
        if state:
            return state
        if ranks.number(self._rank.number) is None:
            return "the registry cannot be read"
        try:
            of = self._rank.registry.node(self._type.ordinal, self._type.serial)
        except _mpipp.Error:
            return f"{self.label} was freed"
        if of.freed:
            return f"{self.label} was freed at {site.text(of.freed_at, site.FREE)}"
        return ""

    # --- paths

    def find(self, text: str) -> List[str]:
        """The keys from the root to the node that an element address names, or to the one that contains a byte of
        memory."""
        text = text.strip()
        rest = text[len(self.label) :] if text.startswith(self.label) else text
        if text and (not rest or rest[0] in "[{" or (rest[0] == "(" and rest != text)):
            found = _mpipp.element(self._type, self._address, self._count, rest, self.label).short
        else:
            found = self._holder(text)
        if self._count is None and found.startswith("{"):
            repetition, _, found = found.partition("}")
            if repetition != "{0":
                raise fault(f"no such element: {repetition}}} of one {self.label}")
        elif self._count is not None and not found.startswith("{") and rest:
            found = "{0}" + found
        return self._trail(tuple(map(int, _INDEX.findall(found))))

    def _holder(self, text: str) -> str:
        """The element that contains a byte."""
        if not text:
            raise fault("nothing to find: give an element address, or the address of a byte")
        if not self._rank.is_selected():
            raise fault("another process is selected: only element addresses can be found")
        byte = operands.address(text)
        found, ended = _mpipp.locate(self._type, self._address, self._count, byte, 1, _STEPS)
        if not found:
            how = "it cannot be told which" if ended else "no"
            raise fault(f"{how} element of {self.label} holds the byte at 0x{byte:x}")
        return found[0].short

    def _trail(self, way: Tuple[int, ...]) -> List[str]:
        keys = [ROOT]
        place = self._place(())
        for index in way:
            first, last = 0, len(place)
            step = step_of(last)
            while step > 1:
                first += (index - first) // step * step
                last = min(first + step, last)
                keys.append(_page_key(place.path(), first, last))
                step = step_of(last - first)
            place = place.child(index)
            keys.append(place.path())
        return keys

    def expression(self, key: str) -> str:
        """The node as a gdb expression: $mpi_elem(struDT, "[2][5]", buffer)."""
        path = key.partition(":")[0]
        written, address, *count = self._words
        label = _expression(written)
        quote = "'" if is_fortran() else '"'
        if not path and count:
            return f"$mpi_buf({address}, {count[0]}, {label})"
        return f"$mpi_elem({label}, {quote}{path}{quote}, {address})"

    # --- nodes

    def _node(self, key: str) -> Node:
        path, is_page, part = key.partition(":")
        place = self._place(tuple(map(int, _INDEX.findall(path))))
        if not is_page:
            return Node(place, 0, len(place), False)
        first, _, last = part.partition("-")
        return Node(place, int(first), int(last) + 1, True)

    def _place(self, way: Tuple[int, ...]) -> "_mpipp.Place":
        place = _mpipp.Place(self._type, self._address, self._count)
        for index in way:
            place = place.child(index)
        return place


def _data(place: "_mpipp.Place") -> Optional[Tuple[int, int]]:
    """The addresses of a place's first byte of data and of the one after its last; None: it has no data."""
    leaf = place.leaf
    if leaf is not None:
        return None if leaf.class_ == "marker" else (place.address, place.address + leaf.size)
    if place.opaque or len(place) == 0:
        return None
    if place.stage == "type":
        low, high = place.type.true_lb, place.type.true_ub
        return None if low is None or high is None or low == high else (place.address + low, place.address + high)
    first, last = _data(place.child(0)), _data(place.child(len(place) - 1))
    return None if first is None or last is None else (first[0], last[1])


def _common(one: str, other: str) -> str:
    """What contains both: "field[3][0]" for "field[3][0].value" and "field[3][0].tag[3]"."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(_PATH.findall(one), _PATH.findall(other)))
    return "".join(step for step, _ in pairs)


def _page_key(path: str, first: int, last: int) -> str:
    return f"{path}:{first}-{last - 1}"


def _expression(label: str) -> str:
    """The name of the type in an expression: a set name is quoted, in the way of the language."""
    try:
        gdb.parse_and_eval(label)
    except gdb.error:
        if len(label) > 1 and label[0] == label[-1] == '"':
            label = label[1:-1]
        if is_fortran():
            return "'" + label.replace("'", "''") + "'"
        quoted = label.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}"'
    return label
