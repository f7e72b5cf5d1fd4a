# SPDX-License-Identifier: BSD-3-Clause
"""mpi diff"""

from typing import List, NamedTuple, Optional

import gdb

from .. import _mpipp, element, matching, operands, sides
from ..fault import fault, sentence
from ..rank import Rank
from .base import Command
from .layout_text import plural

_USAGE = "usage: mpi diff [inferior N] TYPE ADDRESS [COUNT], [inferior N] TYPE ADDRESS [COUNT]"


class MpiDiff(Command):
    """Compare the data of two buffers, of one rank or of two, element by element.

Usage: mpi diff [inferior N] TYPE ADDRESS [COUNT], [inferior N] TYPE ADDRESS [COUNT]

The operands are those of `mpipp'; COUNT is 1 if it is not given.  With `inferior N'
they are evaluated in that rank, live or from a core file, in its innermost frame that
knows them.  The datatypes may differ: the elements are compared in the order in which
MPI sends them, as far as the two type signatures are the same.  If the signatures
differ, the answer of `mpi match' comes first.  The result is one of
  equal: 20 elements
  differ: 3 of 20 elements; the first is element 5:
T{1}(STRUCT)[0][1](MPI_INT) at 0x7ffe40 in inferior 1: 7
U[3][0](MPI_INT) at 0x6020a0 in inferior 2: 8
Elements count from 0, as in `mpi match': MPI_DOUBLE_INT has two.

The bytes of the elements are compared, not their values: -0 is not 0, and a NaN equals
only a NaN with the same bytes.  Gaps and padding are never compared, also not those
inside a long double.  If one side is MPI_PACKED, its bytes are compared with those
that the other one sends.

If memory cannot be read, the comparison ends there.  Ctrl-C ends it at any time.

Examples:
  mpi diff inferior 1 sendT &grid 4, inferior 2 recvT halo
  mpi diff column &a[0][3], $MPI_DOUBLE copy 64"""

    def __init__(self) -> None:
        super().__init__("mpi diff", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        given = operands.split(argument)
        if len(given) != 2:
            raise fault(f"it takes two buffers with a comma between them: {_USAGE}")
        one, other = (_side(words) for words in given)
        _compare(one, other)


class _Side(NamedTuple):
    """One of the two buffers, and its rank."""

    number: Optional[int]
    """the number of the inferior, if it was given"""
    rank: Rank
    buffer: operands.Buffer

    @property
    def match(self) -> matching.Side:
        """Without the data."""
        return matching.Side(self.buffer.type, self.buffer.count, self.buffer.label, self.where)

    @property
    def where(self) -> str:
        """ " in inferior 2" """
        return "" if self.number is None else f" in inferior {self.number}"

    @property
    def operand(self) -> "_mpipp.Operand":
        """The arguments for the core."""
        return self.buffer.type, self.buffer.address, self.buffer.count, self.rank.read


def _side(words: List[str]) -> _Side:
    number, words = sides.inferior(words, _USAGE)
    if len(words) < 2:
        raise fault(f"no address given for '{words[0]}': {_USAGE}")
    if len(words) > 3:
        given = " ".join(words)
        raise fault(f"more than three operands in '{given}': put an expression with blanks into parentheses")
    with sides.looking_at(number, words) as rank:
        return _Side(number, rank, operands.buffer(rank, words))


def _compare(one: _Side, other: _Side) -> None:
    match = matching.match(one.match, other.match)
    if match.verdict != "equal" or match.bytes:
        gdb.write(matching.sentence(one.match, other.match, match) + "\n")
    if match.agreed is None:
        raise fault("without that it is not known which elements to compare")
    noun = "byte" if match.bytes else "element"
    if match.agreed == 0:
        gdb.write(f"no {noun} to compare\n")
        return
    found = _mpipp.diff(one.operand, other.operand, match.agreed, match.bytes)
    if found.first is not None:
        gdb.write(f"differ: {found.different} of {plural(found.compared, noun)}; the first is {noun} {found.number}:\n")
        _write_first((one, other), found.first)
    elif found.compared == match.agreed:
        gdb.write(f"equal: {plural(found.compared, noun)}\n")
    if found.unreadable is not None:
        raise _unread((one, other)[found.side], found, noun)
    if found.sizes:
        raise fault(f"{noun} {found.compared} has not the same size on both sides: {_so_far(found, noun)}")


def _write_first(both: "tuple[_Side, ...]", elements: "tuple[_mpipp.Element, ...]") -> None:
    texts = [_value(side, of) for side, of in zip(both, elements)]
    if texts[0] == texts[1]:  # a NaN, or a value that the format cannot distinguish
        texts = [f"{text} (bytes {_bytes(side, of)})" for text, side, of in zip(texts, both, elements)]
    for side, of, text in zip(both, elements, texts):
        gdb.write(f"  {side.buffer.label}{of.long} at 0x{of.address:x}{side.where}: {text}\n")


def _value(side: _Side, of: "_mpipp.Element") -> str:
    with sides.looking_at(side.number):
        return element.text(side.rank, of, side.buffer.label)


def _bytes(side: _Side, of: "_mpipp.Element") -> str:
    """In the order of their addresses."""
    assert of.basic is not None
    return bytes(side.rank.read(of.address, of.basic.size)).hex(" ")


def _unread(side: _Side, found: "_mpipp.Diff", noun: str) -> gdb.GdbError:
    error = found.unreadable
    assert error is not None
    place = f"element {side.buffer.label}{error.path}{side.where}"
    return fault(f"{sentence(error)} ({place}): {_so_far(found, noun)}")


def _so_far(found: "_mpipp.Diff", noun: str) -> str:
    if not found.compared:
        return "nothing was compared"
    before = f"{plural(found.compared, noun)} before it {'was' if found.compared == 1 else 'were'} compared"
    return before + ("" if found.different else ", and equal")
