# SPDX-License-Identifier: BSD-3-Clause
"""mpi"""

import gdb

from ..fault import fault
from .base import Command


class Mpi(Command):
    """MPI datatypes: which ones live, how a type is built, where it was made.

A datatype handle prints as the structure that built it, wherever gdb shows it:
  print T                   members of the constructor, nested types unfolded
  print/r T                 the handle itself
  print $mpi_type(i)        an integer that holds a handle; a name in quotes
  print $MPI_DOUBLE         predefined types
The buffer after a type prints as the data that MPI would send:
  mpipp T BUFFER [COUNT]    see `help mpipp'
One element of it has an address, the path through the type's tree:
  mpi element T[2][5] BUFFER   and back from a byte of memory: `help mpi locate'
Can one type receive what another type sends, also in another rank:
  mpi match T 4, U 2        see `help mpi match'
Do two buffers have the same data, also in two ranks:
  mpi diff T BUFFER, U BUFFER
Does a type fit a struct or an array of the program, field by field:
  mpi compare T, EXPRESSION
Which bytes does a type cover, and do buffers share some:
  mpi layout T [COUNT]         and for numpy: `help mpi export'
  mpi overlap T BUFFER, U BUFFER
Pictures and trees:
  mpi draw T, FILE.svg      the memory as a picture
  mpi browse T BUFFER       the buffer as a tree that opens, in a window
  layout mpi                gdb's TUI with the datatypes of the selected frame
Pending operations, and the buffers that MPI may use:
  mpi requests
  mpi buffers
Other live handles, by the line that made them:
  mpi communicators, mpi windows, mpi files, mpi groups, mpi ops, mpi infos
  print COMM                what is recorded of one; a request by its operation
Where a rank is, or hangs:
  mpi call                  the call that the frame is in: arguments, buffers
  mpi ranks                 all ranks that gdb has: the call that each is in
  mpi deadlock              who waits for whom, and can never go on
  mpi collectives           the last collective calls of each communicator, by rank
  mpi messages              all ranks: sent and not received, posted and not matched
  set mpipp buffers on      print shows the buffers of a call, wherever one appears
What the checker has found in this rank:
  mpi errors                   and one of them: `mpi error 1'

Nothing is called or written in the program.  It must run with the recorder:
started by `mpipp run' or `mpipp gdb', or linked with -lshadowtype."""

    def __init__(self) -> None:
        super().__init__("mpi", gdb.COMMAND_DATA, prefix=True)

    def run(self, argument: str) -> None:
        if argument:
            raise fault(f"'mpi' has no command '{argument.split()[0]}': 'help mpi' lists them")
        gdb.execute("help mpi")
