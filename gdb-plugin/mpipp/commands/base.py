# SPDX-License-Identifier: BSD-3-Clause
"""What all commands share."""

import gdb

from .. import position
from ..events import prepare
from ..fault import sentences


class Command(gdb.Command):
    """A command whose errors are one sentence each. The docstring of a subclass is its text for `help`."""

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by gdb."""
        self.dont_repeat()
        prepare()  # in a batch there was no prompt since `inferior 2'
        try:
            with sentences():
                self.run(argument.strip())
        finally:
            position.mark()

    def run(self, argument: str) -> None:
        """Runs the command."""
        raise NotImplementedError
