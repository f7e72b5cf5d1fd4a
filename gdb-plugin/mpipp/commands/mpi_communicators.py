"""mpi communicators"""

from .handle_list import HandleList


class MpiCommunicators(HandleList):
    """List the live communicators of the program, grouped by the line that made them.

Usage: mpi communicators [-at FILE:LINE]

Those that live, that is, were not freed; MPI_COMM_WORLD and its like are not listed. A
line for each: the handle, the name of MPI_Comm_set_name, and this rank's place in it; of an
intercommunicator the number of ranks in the other group.
  -at   only those made at this line, or in this file

As many rows are shown as `set print elements' says. Nothing is called in the program.

Example:
  mpi communicators -at halo.c:77"""

    TYPE = "MPI_Comm"
    NAME = "communicators"
    NOUNS = ("communicator", "communicators")
