# SPDX-License-Identifier: BSD-3-Clause
"""mpi communicators"""

from .handle_list import HandleList


class MpiCommunicators(HandleList):
    """List the live communicators of the program, grouped by the line that made them.

Usage: mpi communicators [-at FILE:LINE]

Live means: not freed. MPI_COMM_WORLD and other predefined ones are not listed. Each line
has the handle, the name of MPI_Comm_set_name, and this rank's number in it; for an
intercommunicator also the number of ranks in the remote group.
  -at   only those made at this line, or in this file

`set print elements' limits the number of rows. Nothing is called in the program.

Example:
  mpi communicators -at halo.c:77"""

    TYPE = "MPI_Comm"
    NAME = "communicators"
    NOUNS = ("communicator", "communicators")
