"""mpi ops"""

from .handle_list import HandleList


class MpiOps(HandleList):
    """List the program's own reduction operations, grouped by the line that made them.

Usage: mpi ops [-at FILE:LINE]

Those of MPI_Op_create that were not freed; the handle of each. Its function is not
recorded: the line that made it names it.
  -at   only those made at this line, or in this file

As many rows are shown as `set print elements' says. Nothing is called in the program.

Example:
  mpi ops -at halo.c:77"""

    TYPE = "MPI_Op"
    NAME = "ops"
    NOUNS = ("operation", "operations")
