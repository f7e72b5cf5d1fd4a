# SPDX-License-Identifier: BSD-3-Clause
"""mpi match"""

from typing import List

import gdb

from .. import matching, operands, sides
from ..fault import fault
from ..matching import Side
from ..rank import Rank
from .base import Command

_USAGE = "usage: mpi match [inferior N] TYPE [COUNT], [inferior N] TYPE [COUNT]"


class MpiMatch(Command):
    """Tell whether what one datatype sends can be received by another.

Usage: mpi match [inferior N] TYPE [COUNT], [inferior N] TYPE [COUNT]

The first type sends, the second receives; COUNT is 1 if it is not given.  Two
datatypes match if their type signatures are equal: the basic types that they send, in
order; their places in memory do not matter.  The answer is one of
  match: 20 elements
  prefix: 8 of 20 elements are received      the message is shorter: allowed
  truncation: ...                            the message is longer: an error
  no match: ...                              the first elements that differ, and where
  undecided: ...                             the inside of a type is not known
Elements count from 0; MPI_DOUBLE_INT and the other pair types have two elements each.
MPI_BYTE matches only MPI_BYTE; if one of the two is MPI_PACKED, bytes are counted.
The types need not be committed.

With `inferior N' a type is that of another rank, live or from a core file: TYPE and
COUNT are evaluated in its innermost frame in which TYPE is a datatype.  Ranks of
different MPI libraries are compared by the names of their basic types.

$mpi_match() is the same as a value.

Examples:
  mpi match sendT 4, recvT 2
  mpi match column (n - 1), $MPI_DOUBLE 64
  mpi match inferior 1 sendT 4, inferior 2 recvT 2"""

    def __init__(self) -> None:
        super().__init__("mpi match", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        given = operands.split(argument)
        if len(given) != 2:
            raise fault(f"it takes two types, with a comma between them: {_USAGE}")
        sent, received = (_side(words) for words in given)
        gdb.write(matching.sentence(sent, received, matching.match(sent, received)) + "\n")


def _side(words: List[str]) -> Side:
    number, words = sides.inferior(words, _USAGE)
    if len(words) > 2:
        given = " ".join(words)
        raise fault(f"more than a type and a count in '{given}': put an expression with blanks into parentheses")
    with sides.looking_at(number, words[:1]) as rank:
        return _read(rank, words, "" if number is None else f" in inferior {number}")


def _read(rank: Rank, words: List[str], where: str) -> Side:
    of = operands.datatype(rank, words[0])
    operands.refuse_null(of, f"'{words[0]}'")
    count = operands.count(words[1]) if len(words) > 1 else None
    return Side(of, count, words[0], where)
