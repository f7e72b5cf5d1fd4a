#!/usr/bin/env python3
"""Random pairs of nested datatypes, of which one is sent and the other received (messages.sh).

    nested.py make PAIRS SEED                  writes what nested.c includes: rank 0 sends a message of each pair to rank 1;
                                               half of them do not match
    nested.py judge PAIRS SEED FILE REPORTS    'mpipp run' reports exactly those, with the first element that differs; FILE is
                                               what was written

The judge expands each datatype to the list of its basic elements, and compares the lists.
"""

from __future__ import annotations

import json
import random
import re
import sys
from typing import Dict, List, Optional, Tuple

SIZES = {"MPI_CHAR": 1, "MPI_SHORT": 2, "MPI_INT": 4, "MPI_FLOAT": 4, "MPI_UNSIGNED": 4, "MPI_DOUBLE": 8, "MPI_LONG": 8}
PAIRS_OF = {"MPI_2INT": ["MPI_INT", "MPI_INT"], "MPI_FLOAT_INT": ["MPI_FLOAT", "MPI_INT"]}
BASIC = list(SIZES)
MOST_ELEMENTS = 300
KEPT_RUNS = 28  # ST_MOST_RUNS of core/agree/runs.h
Elements = List[str]


class Tree:
    """A datatype: how it is made, and how many bytes of memory one of it covers."""

    def __init__(self, kind: str, extent: int, children: List[Tuple[int, "Tree"]], numbers: Optional[List[int]] = None) -> None:
        self.kind = kind
        self.extent = extent
        self.children = children  # each with the number of its copies
        self.numbers = numbers or []

    def expand(self) -> Elements:
        if self.kind in SIZES:
            return [self.kind]
        if self.kind in PAIRS_OF:
            return PAIRS_OF[self.kind]
        elements: Elements = []
        for count, child in self.children:
            for _ in range(count):
                elements += child.expand()
        return elements


# --- a datatype for a list of elements


def period(elements: Elements) -> int:
    """The length of the shortest list that makes this one when it is repeated."""
    for length in range(1, len(elements) // 2 + 1):
        if len(elements) % length == 0 and elements[:length] * (len(elements) // length) == elements:
            return length
    return len(elements)


def factors(count: int) -> List[int]:
    sides = []
    while count > 1 and len(sides) < 3:
        side = random.choice([n for n in range(1, count + 1) if count % n == 0])
        sides.append(side)
        count //= side
    return sides + [count]


def repeat(count: int, child: Tree) -> Tree:
    """Any of the constructors that make copies of one datatype."""
    kind = random.choice(["contiguous", "vector", "hvector", "indexed", "hindexed", "indexed_block", "subarray"])
    if kind == "contiguous":
        return Tree(kind, count * child.extent, [(count, child)], [count])
    if kind in ("vector", "hvector"):
        length = random.choice([n for n in range(1, count + 1) if count % n == 0])
        stride = length + random.randint(0, 2)
        return Tree(kind, (count // length) * stride * child.extent, [(count, child)], [count // length, length, stride])
    if kind in ("indexed", "hindexed"):
        blocks, left, at = [], count, 0
        while left or not blocks:
            length = random.randint(0, left)
            at += random.randint(0, 1)
            blocks += [length, at]
            at += length
            left -= length
        return Tree(kind, (at + 1) * child.extent, [(count, child)], blocks)
    if kind == "indexed_block":
        length = random.choice([n for n in range(1, count + 1) if count % n == 0])
        places = [i * (length + 1) for i in range(count // length)]
        return Tree(kind, (places[-1] + length) * child.extent, [(count, child)], [length] + places)
    sides, extent, numbers = factors(count), child.extent, []
    for side in sides:
        start = random.randint(0, 1)
        numbers += [side + start + random.randint(0, 1), side, start]
        extent *= numbers[-3]
    return Tree(kind, extent, [(count, child)], [random.randint(0, 1)] + numbers)


def struct(extent: int, children: List[Tuple[int, Tree]], places: List[int]) -> Tree:
    """A struct in which each element is aligned, and in arrays of which, too."""
    return Tree("resized", extent, [(1, Tree("struct", extent, children, places))], [extent])


def join(pieces: List[Elements], depth: int) -> Tree:
    children = []
    for piece in pieces:
        length = period(piece)
        if random.randint(0, 2):
            children.append((len(piece) // length, build(piece[:length], depth - 1)))
        else:
            children.append((1, build(piece, depth - 1)))
        if random.randint(0, 9) == 0:
            children.append((0, build(random.choices(BASIC, k=2), 1)))
    extent, places = 0, []
    for count, child in children:
        places.append(extent)
        extent += count * child.extent + 8 * random.randint(0, 1)
        extent += -extent % 8
    return struct(extent, children, places)


def cut(elements: Elements) -> List[Elements]:
    """Pieces; where there are too many for one struct's depth, each is long."""
    places = sorted(random.sample(range(1, len(elements)), min(len(elements) - 1, random.randint(1, 4))))
    return [elements[a:b] for a, b in zip([0] + places, places + [len(elements)])]


def flat(elements: Elements) -> Tree:
    """A struct of the basic types."""
    children: List[Tuple[int, Tree]] = []
    for element in elements:
        if children and children[-1][1].kind == element:
            children[-1] = (children[-1][0] + 1, children[-1][1])
        else:
            children.append((1, Tree(element, SIZES[element], [])))
    extent, places = 0, []
    for count, child in children:
        extent += -extent % child.extent
        places.append(extent)
        extent += count * child.extent
    return struct(extent + -extent % 8, children, places)


def wrap(tree: Tree) -> Tree:
    kind = random.choice(["dup", "resized", "", "", ""])
    if not kind:
        return tree
    extent = tree.extent + (8 * random.randint(0, 2) if kind == "resized" else 0)
    return Tree(kind, extent, [(1, tree)], [extent])


def build(elements: Elements, depth: int) -> Tree:
    if len(elements) == 1:
        return Tree(elements[0], SIZES[elements[0]], [])
    for name, pair in PAIRS_OF.items():
        if elements == pair and random.randint(0, 2) == 0:
            return Tree(name, 8, [])
    length = period(elements)
    if length < len(elements) and (depth <= 0 or random.randint(0, 3)):
        return wrap(repeat(len(elements) // length, build(elements[:length], depth - 1)))
    return wrap(flat(elements) if depth <= 0 else join(cut(elements), depth))


# --- a pair


class Pair:
    """What is sent, and what it is received into."""

    def __init__(self, sent: Tuple[int, Tree], received: Tuple[int, Tree]) -> None:
        self.sent, self.received = sent, received

    def difference(self) -> Optional[Tuple[int, str, str]]:
        """The number of the first element that differs, and what it is on either side."""
        sent, received = (count * tree.expand() for count, tree in (self.sent, self.received))
        for number, (one, other) in enumerate(zip(sent, received)):
            if one != other:
                return number, one, other
        assert len(sent) <= len(received)
        return None

    def is_partial(self) -> bool:
        """Whether the message ends inside an element of the receive's datatype."""
        if not self.received[1].children:
            return False
        sent, one = (sum(map(bytes_of, elements)) for elements in (self.sent[0] * self.sent[1].expand(), self.received[1].expand()))
        return one > 1 and sent % one != 0

    def is_plain(self) -> bool:
        """Whether each side has elements of one basic type alone: then the report says all without a first one."""
        return all(len(set(tree.expand())) == 1 for _, tree in (self.sent, self.received))

    def is_known(self, number: int) -> bool:
        """Whether the element is among the runs of equal elements that ranks keep of a datatype."""
        return all(known_elements(tree.expand()) > number % (len(tree.expand()) if whole(tree.expand()) else 1 << 60)
                   for _, tree in (self.sent, self.received))


def bytes_of(element: str) -> int:
    return SIZES[element]


def known_elements(elements: Elements) -> int:
    """How many elements the kept runs have."""
    runs = 0
    for number, element in enumerate(elements):
        runs += number == 0 or element != elements[number - 1]
        if runs > KEPT_RUNS:
            return number
    return len(elements)


def whole(elements: Elements) -> bool:
    return known_elements(elements) == len(elements)


def draw_elements(depth: int) -> Elements:
    if depth == 0 or random.randint(0, 3) == 0:
        return [random.choice(BASIC)] * random.choice([1, 1, 1, 2, 3, 5, 17])
    if random.randint(0, 1):
        return draw_elements(depth - 1) * random.randint(1, 5)
    return [element for _ in range(random.randint(2, 4)) for element in draw_elements(depth - 1)]


def side_of(elements: Elements) -> Tuple[int, Tree]:
    """A count and a datatype."""
    times = len(elements) // period(elements)
    count = random.choice([n for n in range(1, times + 1) if times % n == 0])
    return count, build(elements[: len(elements) // count], random.randint(1, 4))


def ends_between(sent: Elements, received: Elements) -> bool:
    """Whether the message does not end inside a basic element: MPICH does not receive such a message at all."""
    room, places = 0, set()
    for element in received:
        room += SIZES[element]
        places.add(room)
    return sum(map(bytes_of, sent)) in places


def spoil(elements: Elements) -> Elements:
    """Other elements, of at least as many bytes."""
    other = list(elements)
    place = random.randrange(len(other))
    kind = random.randint(0, 3)
    if kind == 0:
        other[place] = random.choice([e for e in BASIC if e != other[place]])
    elif kind == 1:
        other.insert(place, random.choice(BASIC))
    elif kind == 2:
        del other[place]
    else:
        other[place:] = reversed(other[place:])
    while sum(map(bytes_of, other)) < sum(map(bytes_of, elements)):
        other.append(random.choice(BASIC))
    return other


def draw_pair(is_wrong: bool) -> Pair:
    while True:
        sent = draw_elements(4)
        if len(sent) > MOST_ELEMENTS:
            continue
        received = spoil(sent) if is_wrong else sent + sent * random.choice([0, 0, 1])
        if not is_wrong and random.randint(0, 3) == 0:
            received = received + draw_elements(1)
        pair = Pair(side_of(sent), side_of(received))
        if ends_between(sent, received) and (pair.difference() is not None) == is_wrong:
            return pair


def draw(count: int, seed: int) -> List[Pair]:
    random.seed(seed)
    return [draw_pair(number % 2 == 1) for number in range(count)]


# --- the program

KINDS = ["contiguous", "vector", "hvector", "indexed", "hindexed", "indexed_block", "subarray", "struct", "dup", "resized"]


def write_type(tree: Tree, numbers: List[int]) -> None:
    """For make() in nested.c: first the datatypes that it is made of, from a stack."""
    basic = BASIC + list(PAIRS_OF)
    if not tree.children:
        numbers += [basic.index(tree.kind)]
        return
    for _, child in tree.children:
        write_type(child, numbers)
    own, extent = tree.numbers, tree.children[0][1].extent
    if tree.kind == "hvector":
        own = own[:2] + [own[2] * extent]
    elif tree.kind == "hindexed":
        own = [number * (extent if i % 2 else 1) for i, number in enumerate(own)]
    elif tree.kind == "struct":
        own = [number for (count, _), place in zip(tree.children, own) for number in (count, place)]
    numbers += [len(basic) + KINDS.index(tree.kind), len(own)] + own


def make(pairs: List[Pair]) -> None:
    sides: List[str] = []
    for pair in pairs:
        for count, tree in (pair.sent, pair.received):
            numbers: List[int] = []
            write_type(tree, numbers)
            sides.append(f"{{{count}, {len(numbers)}, (const int[]){{{', '.join(map(str, numbers))}}}}}")
    print(f"static const struct side sides[] = {{\n{(',' + chr(10)).join(sides)}}};")
    for name, call in (("send", "MPI_Ssend(data, count, type, 1, TAG, MPI_COMM_WORLD);"),
                       ("receive", "MPI_Recv(data, count, type, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);")):
        for number in range(len(pairs)):
            print(f"static void {name}_{number}(int count, MPI_Datatype type)\n{{")
            print(f"    {call.replace('TAG', str(number))} /* {name} {number} */\n}}")
        print(f"static void (*const {name}[])(int, MPI_Datatype) = {{{', '.join(f'{name}_{n}' for n in range(len(pairs)))}}};")


# --- the judge


def lines_of(source: str) -> Dict[int, int]:
    """The number of the pair that is received at a line."""
    with open(source, encoding="utf-8") as lines:
        return {line: int(found[1]) for line, text in enumerate(lines, 1) if (found := re.search(r"/\* receive (\d+) \*/", text))}


def judge(pairs: List[Pair], source: str, reports: str) -> int:
    places, found, wrong, named = lines_of(source), {}, 0, 0
    with open(reports, encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if record["site"]["line"] not in places:
                print("elsewhere:", record)
                return 1
            found.setdefault(places[record["site"]["line"]], []).append(record)
    for number, pair in enumerate(pairs):
        expected, is_right = pair.difference(), True
        records = found.get(number, [])
        if expected is None:
            is_right = [record["id"] for record in records] == ["match-partial"] * pair.is_partial()
        else:
            is_right = [record["id"] for record in records] == ["match-type"]
            first = dict(records[0].get("lines", [])).get("first", "") if is_right else ""
            at, sent, received = expected
            text = f"element {at} is {received} in rank 1, {sent} in rank 0"
            named += first == text
            if pair.is_plain():
                is_right = is_right and at == 0 and not first
            elif first != text:
                is_right = is_right and not pair.is_known(at) and first.startswith("not known: ")
        if not is_right:
            wrong += 1
            if wrong < 10:
                print(f"pair {number}: {expected}, partial {pair.is_partial()}: "
                      f"{[(record['id'], record['message'], record.get('lines')) for record in records]}")
    wrongs = sum(pair.difference() is not None for pair in pairs)
    plain = sum(pair.difference() is not None and pair.is_plain() for pair in pairs)
    print(f"{len(pairs)} pairs, {wrongs} do not match: of {plain} all elements, of {named} the first one is named; {wrong} reports are wrong")
    return wrong != 0


def main(what: str, count: str, seed: str, *files: str) -> int:
    pairs = draw(int(count), int(seed))
    if what == "make":
        make(pairs)
        return 0
    return judge(pairs, *files)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
