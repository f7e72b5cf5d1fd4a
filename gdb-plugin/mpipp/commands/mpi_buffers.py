# SPDX-License-Identifier: BSD-3-Clause
"""mpi buffers"""

from typing import Optional

import gdb

from .. import _mpipp, caller_language
from ..entry_names import buffer_of, find_by_address
from ..fault import fault, sentence
from ..pending import call, operations, since, state, uses
from ..printers.buffer import buffer_text
from ..rank import Rank, ranks
from ..settings import line_limit, print_settings
from . import summary
from .base import Command


class MpiBuffers(Command):
    """Show the buffers that MPI may use now, through their datatypes.

Usage: mpi buffers

For each pending operation of this rank, a line shows the call with its peer and tag,
and where it was made.  Below it each buffer has a line: whether MPI sends from it (the
program must not change it) or receives into it (the program must not even read it),
its address, count and datatype, and its data now, in the form of the language of the
program's call, with the program's names for the entries of structs.  The settings of
print apply; `set print elements' limits the number of buffers.

Example:
  mpi buffers"""

    def __init__(self) -> None:
        super().__init__("mpi buffers", gdb.COMMAND_DATA)

    def run(self, argument: str) -> None:
        if argument:
            raise fault("'mpi buffers' takes no operand")
        rank = ranks.current()
        found, damage = operations(rank)
        active = [one for one in found if uses(one)]
        count = sum(len(uses(one)) for one in active)
        if not active:
            gdb.write("no operation is pending with a buffer\n")
        else:
            gdb.write(f"{_plural(count, 'buffer')} of {_plural(len(active), 'operation')}\n")
        room = line_limit()
        for one in active:
            if room <= 0:
                break
            remark = "" if state(one) == "pending" else f" ({state(one)})"
            place = since(rank, one)
            gdb.write(f"{call(rank, one)}{remark}: {place}\n")
            with caller_language.of_place(place):
                for buffer in uses(one)[:room]:
                    gdb.write(f"  {_row(rank, buffer)}\n")
            room -= len(uses(one))
        if count > line_limit():
            gdb.write(f"<{_plural(count - line_limit(), 'more buffer')}>\n")
        if damage is not None and rank.is_settled():
            raise fault(sentence(damage))


def _row(rank: Rank, buffer: "_mpipp.Buffer") -> str:
    verb = "sends and receives" if buffer.sent and buffer.received else "receives" if buffer.received else "sends"
    of = _type(rank, buffer)
    if of is None:
        return f"{verb} 0x{buffer.address:x}, {buffer.count} of a type that is not known"
    head = f"{verb} 0x{buffer.address:x}, {buffer.count} x {of.name or summary.built(of)}"
    try:
        place = _mpipp.Place(of, buffer.address, buffer.count)
        entries = find_by_address(buffer_of(rank, of, buffer.address, buffer.count), place)
        return f"{head} = {buffer_text(place, rank, print_settings(), entries)}"
    except _mpipp.Error as error:
        return f"{head}: {sentence(error)}"


def _type(rank: Rank, buffer: "_mpipp.Buffer") -> "Optional[_mpipp.Type]":
    try:
        return None if buffer.node is None else rank.registry.node(buffer.node, 0)
    except _mpipp.Error:
        return None


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
