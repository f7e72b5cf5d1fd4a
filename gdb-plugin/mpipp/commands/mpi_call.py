"""mpi call"""

import gdb

from ..call import current
from ..call_arguments import arguments
from ..fault import fault
from ..rank import ranks
from .base import Command


class MpiCall(Command):
    """Show the MPI call that the selected frame is in: its arguments, its buffers.

Usage: mpi call

Each request of a call shows by the operation behind it: what made it, peer, tag and
communicator, whether it is complete, as far as that shows without a call into MPI (`help
mpi requests'), and where it was made.

The frame may be in MPI, in the wrapper around it, or the program's own: about to call
MPI (at the instruction, or in the first ones of MPI's function), in the call, or just
returned from it, also after `up' from a function that it has called since. Each argument
shows by the name that the standard gives it: constants and datatypes by name, a buffer as
the data that MPI would send from it or has put there so far, arrays up to `print
elements'. What MPI gives out shows when the call has returned.
A communicator that the program made shows with the name of MPI_Comm_set_name, this rank's
place in it, and the call that made it.

No debug information is needed, of the program, of MPI or of mpipp: where a rank hangs
says `interrupt', and this command. `thread N' and `inferior N' choose whose call it is.
Fortran and Python programs show the call as MPI's C function gets it; of Python the
line shows that calls, unless other threads of Python's run besides.

Example:
  mpi call"""

    def __init__(self) -> None:
        super().__init__("mpi call", gdb.COMMAND_DATA)

    def run(self, argument: str) -> None:
        if argument:
            raise fault("'mpi call' takes no operand")
        rank = ranks.current()
        if gdb.selected_thread() is None or not gdb.selected_thread().is_valid():
            raise fault("no thread is selected")
        if gdb.selected_thread().is_running():
            raise fault("the thread is running: 'interrupt' stops it")
        found, why = current(rank)
        if found is None:
            raise fault(why)
        gdb.write(found.title() + "\n")
        shown = arguments(rank, found)
        width = max((len(name) for name, _ in shown), default=0)
        for name, text in shown:
            gdb.write(f"  {name:<{width}}  {text}\n")
