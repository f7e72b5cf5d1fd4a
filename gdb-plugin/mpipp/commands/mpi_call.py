# SPDX-License-Identifier: BSD-3-Clause
"""mpi call"""

import gdb

from .. import caller_language
from ..call import current
from ..call_arguments import arguments
from ..fault import fault
from ..rank import ranks
from .base import Command


class MpiCall(Command):
    """Show the MPI call that the selected frame is in: its arguments, its buffers.

Usage: mpi call

The frame may be in MPI, in the wrapper around it, or in the program: about to call
MPI (at the instruction, or in the first ones of MPI's function), in the call, or just
returned from it, also after `up' from a function that it has called since.

Constants and datatypes show by the names of the standard.  A buffer shows as the data
that MPI would send from it, or has put there so far; arrays show up to `print
elements'.  Results of MPI show when the call has returned.  A request shows by its
operation: the call that made it, peer, tag and communicator, whether it is complete,
as far as this can be seen without calling MPI (`help mpi requests'), and where it was
made.  An entry of a struct has the name of the program's member, if a variable of the
stack or of its files holds or points to the data, and its members fit.  A communicator
that the program made shows with the name of MPI_Comm_set_name, this rank's number in
it, and the call that made it.

No debug information is needed, of the program, of MPI or of mpipp.  To see where a
rank hangs, type `interrupt' and this command.  `thread N' and `inferior N' select
another call.  For Fortran and Python programs the call is shown as MPI's C function
gets it, with its data in Fortran's form, (1, 2) and .TRUE., unless `set language'
names another one; for Python with the line that calls, unless other Python threads
run, too.

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
        with caller_language.of_frame(found.caller()):
            shown = arguments(rank, found)
        width = max((len(name) for name, _ in shown), default=0)
        for name, text in shown:
            gdb.write(f"  {name:<{width}}  {text}\n")
