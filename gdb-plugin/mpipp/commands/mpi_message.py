# SPDX-License-Identifier: BSD-3-Clause
"""mpi message"""

import gdb

from .. import _mpipp, caller_language, inferiors, matching, messages, operands
from ..fault import fault, sentence
from ..printers.buffer import buffer_text
from ..settings import print_settings
from .base import Command
from .mpi_messages import line


class MpiMessage(Command):
    """Show one message: the sender's datatype beside the receiver's, and the buffers.

Usage: mpi message NUMBER

NUMBER is one of those that `mpi messages' lists.  Shows the call that sends and the
call that receives, if there are both, the data in their buffers now, and whether the
receive can receive what is sent, in the words of `mpi match'.  The receive is the
first one posted that matches the message.

Example:
  mpi message 1"""

    def __init__(self) -> None:
        super().__init__("mpi message", gdb.COMMAND_DATA)

    def run(self, argument: str) -> None:
        if not argument:
            raise fault("no number given: usage: mpi message NUMBER")
        number = operands.whole_number(argument)
        found = messages.find().messages
        if number is None or not 1 <= number <= len(found):
            listed = f"1 to {len(found)}" if found else "none"
            raise fault(f"no message '{argument}': 'mpi messages' lists {listed}")
        message = found[number - 1]
        gdb.write(f"{message.title()}\n")
        for side in (message.sent, message.received):
            if side is not None:
                _write(side)
        if message.sent is not None and message.received is not None:
            _write_match(message.sent, message.received)
        elif message.sent is not None:
            gdb.write("no receive that it fits is posted\n")
        else:
            gdb.write("no send that it fits is pending\n")


def _write(side: messages.Side) -> None:
    gdb.write(f"  {line(side)}, rank {side.rank}, inferior {side.seen.inferior.num}\n")
    if side.data is None:
        return
    with inferiors.selected(side.seen.inferior), caller_language.of_place(side.place):
        place = _mpipp.Place(side.data.type, side.data.address, side.data.count)
        try:
            text = f"= {buffer_text(place, side.seen.rank, print_settings())}"
        except _mpipp.Error as error:
            text = sentence(error)
        gdb.write(f"            0x{side.data.address:x} {text}\n")


def _write_match(sent: messages.Side, received: messages.Side) -> None:
    if sent.data is None or received.data is None:
        return
    sides = [
        matching.Side(one.data.type, one.data.count, one.data.type.name or one.data.type.kind, f" in rank {one.rank}")
        for one in (sent, received)
        if one.data is not None
    ]
    gdb.write(matching.sentence(sides[0], sides[1], matching.match(sides[0], sides[1])) + "\n")
