# SPDX-License-Identifier: BSD-3-Clause
"""Operands of another rank: with `inferior N' before them."""

from contextlib import contextmanager
from typing import Iterator, List, Optional, Tuple

import gdb

from . import inferiors, operands
from .events import prepare
from .fault import fault
from .rank import Rank, ranks


def inferior(words: List[str], usage: str) -> Tuple[Optional[int], List[str]]:
    """The number after `inferior', and the words after it; a variable may have this name, too."""
    if words[0] != "inferior" or len(words) < 3:
        return None, words
    number = operands.whole_number(words[1])
    if number is None:
        raise fault(f"'{words[1]}' is no inferior's number: {usage}")
    return number, words[2:]


@contextmanager
def looking_at(number: Optional[int], words: Optional[List[str]] = None) -> Iterator[Rank]:
    """The rank of this inferior (None: of the selected one), which is selected meanwhile. For another inferior, its innermost
    frame is selected in which the first word is a datatype and the others have values."""
    if number is None:
        yield ranks.current()
        return
    try:
        with inferiors.numbered(number):
            prepare()  # sets $MPI_INT for that rank
            rank = ranks.current()
            if words:
                _select_frame(rank, words)
            yield rank
    finally:
        prepare()


def _select_frame(rank: Rank, words: List[str]) -> None:
    def suits(of: gdb.Value) -> bool:
        return operands.is_datatype(rank, of) and all(_has_value(word) for word in words[1:])

    inferiors.select_frame_of(words[0], suits)


def _has_value(word: str) -> bool:
    """Raises gdb.error if it has no value."""
    operands.evaluated(word)
    return True
