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
        """Called by gdb, for what is no setting."""
        if argument:
            raise fault(f"'set mpipp' has no setting '{argument.split()[0]}': 'help set mpipp' lists them")
        gdb.execute("help set mpipp")


class ShowMpipp(gdb.Command):
    """Show settings of mpipp."""

    def __init__(self) -> None:
        super().__init__("show mpipp", gdb.COMMAND_DATA, prefix=True)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by gdb, for all of them, or for what is none."""
        if argument:
            raise fault(f"'show mpipp' has no setting '{argument.split()[0]}': 'help show mpipp' lists them")
        gdb.execute("show mpipp buffers")
        gdb.execute("show mpipp skip-frames")


class SetBuffers(gdb.Parameter):
    """When on, a pointer or an array prints through an MPI call's datatype as well, if its
address is a buffer argument of the call: the one that `mpi call' shows in the newest frame,
in the selected one, or in that where the value lies.

  print buffer
  $1 = {MPI_Bcast.buffer = {1, 2, 3}, native = 0x7ffd5e48}

The last member is the value as gdb shows it otherwise, and unfolds so; those before it are
the data that the call sends or receives, read as they are unfolded.  So it is in print,
info locals, display, finish, and a frontend's variables.  `print/r' shows the value
alone, and so do the arguments of a backtrace's frames.

Where no call is near, setting it says so, with the last call of the thread; and so does
`show mpipp buffers', which else says which one is.

An array that does not hold all of the data is a part of the buffer, and prints as ever;
so do NULL, a buffer that is not significant in this rank, and a pointer that the program
declares volatile.  Other pretty printers that know the type of a value come first."""

    set_doc = "Set whether a buffer of the MPI call near the current position prints through its datatype."
    show_doc = "Show whether a buffer of the MPI call near the current position prints through its datatype."

    def __init__(self) -> None:
        super().__init__("mpipp buffers", gdb.COMMAND_DATA, gdb.PARAM_BOOLEAN)
        self.value = False

    def get_set_string(self) -> str:
        """Called by gdb: it has been set."""
        argument.switch(self.value)
        said = near.told() if self.value else ""
        return f"{said[0].upper()}{said[1:]}." if said.startswith(near.NONE) else ""

    def get_show_string(self, value: str) -> str:
        """Called by gdb."""
        said = near.told() if self.value else ""
        more = f"\n{said[0].upper()}{said[1:]}." if said else ""
        return f"Printing buffers of the MPI call near the current position through its datatype is {value}.{more}"
