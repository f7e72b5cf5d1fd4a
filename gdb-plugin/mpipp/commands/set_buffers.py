# SPDX-License-Identifier: BSD-3-Clause
"""set mpipp, set mpipp buffers"""

import gdb

from .. import near
from ..fault import fault
from ..printers import argument


class SetMpipp(gdb.Command):
    """Change settings of mpipp."""

    def __init__(self) -> None:
        super().__init__("set mpipp", gdb.COMMAND_DATA, prefix=True)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by gdb for a word that is no setting."""
        if argument:
            raise fault(f"'set mpipp' has no setting '{argument.split()[0]}': 'help set mpipp' lists them")
        gdb.execute("help set mpipp")


class ShowMpipp(gdb.Command):
    """Show settings of mpipp."""

    def __init__(self) -> None:
        super().__init__("show mpipp", gdb.COMMAND_DATA, prefix=True)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by gdb, for all settings, or for a word that is none."""
        if argument:
            raise fault(f"'show mpipp' has no setting '{argument.split()[0]}': 'help show mpipp' lists them")
        gdb.execute("show mpipp buffers")
        gdb.execute("show mpipp skip-frames")
        gdb.execute("show mpipp stages")


class SetBuffers(gdb.Parameter):
    """When on, a pointer or an array also prints through an MPI call's datatype, if its
address is a buffer argument of the call. The call is the one that `mpi call' shows in the
newest frame, in the selected one, or in the frame of the value.

  print buffer
  $1 = {MPI_Bcast.buffer = {1, 2, 3}, native = 0x7ffd5e48}

The last member is the value as gdb shows it without this setting, and unfolds like that.
Those before it are the data that the call sends or receives, read as they are unfolded.
This works in print, info locals, display, finish, and a frontend's variables.  `print/r'
shows only the value, and so do the arguments of a backtrace's frames.

If no call is near, setting it says so, with the last call of the thread.  `show mpipp
buffers' says the same, or which call is near.

An array that does not contain all of the data is only a part of the buffer, and prints as
usual.  So do NULL, a buffer that is not significant in this rank, and a pointer that the
program declares volatile.  Other pretty printers for the type of a value come first."""

    set_doc = "Set whether a buffer of the MPI call near the current position prints through its datatype."
    show_doc = "Show whether a buffer of the MPI call near the current position prints through its datatype."

    def __init__(self) -> None:
        super().__init__("mpipp buffers", gdb.COMMAND_DATA, gdb.PARAM_BOOLEAN)
        self.value = False

    def get_set_string(self) -> str:
        """Called by gdb when it has been set."""
        argument.switch(self.value)
        said = near.told() if self.value else ""
        return f"{said[0].upper()}{said[1:]}." if said.startswith(near.NONE) else ""

    def get_show_string(self, value: str) -> str:
        """Called by gdb."""
        said = near.told() if self.value else ""
        more = f"\n{said[0].upper()}{said[1:]}." if said else ""
        return f"Printing buffers of the MPI call near the current position through its datatype is {value}.{more}"
