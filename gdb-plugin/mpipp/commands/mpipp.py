# SPDX-License-Identifier: BSD-3-Clause
"""mpipp"""

from typing import List, Optional, Tuple

import gdb

from .. import _mpipp, operands
from ..entry_names import buffer_of, find_by_text
from ..fault import fault, sentence
from ..printers.base import has_data
from ..printers.buffer import buffer_text, history_value
from ..rank import Rank, ranks
from ..settings import print_settings
from .base import Command

_LETTERS = "xduotzcafs"
_USAGE = "usage: mpipp[/FORMAT] TYPE ADDRESS [COUNT]"


class Mpipp(Command):
    """Show a buffer as the data that MPI would send from it.

Usage: mpipp[/FORMAT] TYPE ADDRESS [COUNT]

TYPE is an expression: a datatype handle, an integer that holds one, $MPI_DOUBLE;
or the name that MPI_Type_set_name gave to the type.  ADDRESS is a pointer, an
array, or a number; 0 is MPI_BOTTOM.  COUNT is how many of TYPE are there.
Operands are separated by blanks or commas; put an expression with blanks into
parentheses.  FORMAT is a letter of print: x d u o t z c a f s.

These settings of print apply: elements, repeats, max-depth, pretty, array,
array-indexes.  The value goes into the value history.  In a Fortran frame a
variable is passed by its address, as in a call, MPI_BOTTOM is address 0, and basic
data is shown as gdb shows it in Fortran: (1, 2), .TRUE., 'text', ( a = 1, b = 2 ).

An entry of a struct datatype has the name of the program's member, if ADDRESS is in
an object of the program whose members fit the datatype; else its index.
`set mpipp stages on' also shows the stages of the datatype that have one element.

Examples:
  mpipp struDT buffer
  mpipp/x face &grid[0][0] 2
  mpipp $MPI_DOUBLE (p + 10) 5"""

    def __init__(self) -> None:
        super().__init__("mpipp", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        letter, rest = _format_letter(argument)
        rank = ranks.current()
        words = [word for operand in operands.split(rest) for word in operand]
        if len(words) < 2:
            raise fault(f"{'no type and no' if not words else 'no'} address given: {_USAGE}")
        if len(words) > 3:
            raise fault("more than three operands: put an expression with blanks into parentheses")
        _show(rank, words, letter)


def _format_letter(argument: str) -> Tuple[Optional[str], str]:
    if not argument.startswith("/"):
        return None, argument
    letters, _, rest = argument[1:].partition(" ")
    if len(letters) != 1 or letters not in _LETTERS:
        raise fault(f"'/{letters}' is not a format: one letter of '{_LETTERS}', without count or size")
    return letters, rest


def _show(rank: Rank, words: List[str], letter: Optional[str]) -> None:
    of = operands.datatype(rank, words[0])
    operands.refuse_null(of, f"'{words[0]}'")
    address = operands.address(words[1])
    count = operands.count(words[2]) if len(words) > 2 else None
    place = _mpipp.Place(of, address, count)
    entries = find_by_text(buffer_of(rank, of, address, count), place, words[1])
    unread: Optional[_mpipp.Unreadable] = None
    try:
        text = buffer_text(place, rank, print_settings()._replace(format=letter), entries)
    except _mpipp.Unreadable as error:
        text = error.partial or ""
        unread = error
    if has_data(text):
        index = gdb.add_history(history_value(rank, of, address, count))
        gdb.write(f"${index} = {text}\n")
    if unread is not None:
        raise fault(f"{sentence(unread)} (element {words[0]}{unread.path})")
