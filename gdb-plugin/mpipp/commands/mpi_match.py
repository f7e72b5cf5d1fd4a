"""mpi match"""

from functools import partial
from typing import List, Optional, Tuple

import gdb

from .. import inferiors, matching, operands
from ..events import prepare
from ..fault import fault
from ..matching import Side
from ..rank import ranks
from .base import Command

_USAGE = "usage: mpi match [inferior N] TYPE [COUNT], [inferior N] TYPE [COUNT]"


class MpiMatch(Command):
    """Tell whether what one datatype sends can be received by another.

Usage: mpi match [inferior N] TYPE [COUNT], [inferior N] TYPE [COUNT]

The first is sent, the second receives; a COUNT that is not given is 1.  Two
datatypes match if their type signatures are equal: the basic types that they send,
in their order; where these lie in memory has no part in it.  The answer is one of
  match: 20 elements
  prefix: 8 of 20 elements are received      the message is shorter: that is no error
  truncation: ...                            the message is longer: that is one
  no match: ...                              the first elements that differ, and where
  undecided: ...                             the inside of a type is not known
Elements count from 0; MPI_DOUBLE_INT and the other pair types are two elements each.
MPI_BYTE matches MPI_BYTE alone; if one of the two is MPI_PACKED, bytes are counted.
The types need not be committed.

With `inferior N' a type is that rank's, live or from a core file: TYPE and COUNT are
taken in its innermost frame in which TYPE is a datatype.  Ranks of different MPI
libraries are compared by the names of their basic types.

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
    number, words = _inferior(words)
    if len(words) > 2:
        given = " ".join(words)
        raise fault(f"more than a type and a count in '{given}': put an expression with blanks into parentheses")
    if number is None:
        return _read(words, "")
    try:
        with inferiors.numbered(number):
            prepare()  # $MPI_INT is that rank's
            inferiors.select_frame_of(words[0], partial(operands.is_datatype, ranks.current()))
            return _read(words, f" in inferior {number}")
    finally:
        prepare()


def _read(words: List[str], where: str) -> Side:
    of = operands.datatype(ranks.current(), words[0])
    operands.refuse_null(of, f"'{words[0]}'")
    count = operands.count(words[1]) if len(words) > 1 else None
    return Side(of, count, words[0], where)


def _inferior(words: List[str]) -> Tuple[Optional[int], List[str]]:
    """`inferior N` before a type; a variable of this name may be one, too."""
    if words[0] != "inferior" or len(words) < 3:
        return None, words
    number = operands.whole_number(words[1])
    if number is None:
        raise fault(f"'{words[1]}' is no inferior's number: {_USAGE}")
    return number, words[2:]
