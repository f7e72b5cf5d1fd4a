"""mpi windows"""

from .handle_list import HandleList


class MpiWindows(HandleList):
    """List the live windows of the program, grouped by the line that made them.

Usage: mpi windows [-at FILE:LINE]

Those that live, that is, were not freed. A line for each: the handle, the name of
MPI_Win_set_name, and this rank's place in its group.
  -at   only those made at this line, or in this file

As many rows are shown as `set print elements' says. Nothing is called in the program.

Example:
  mpi windows -at halo.c:77"""

    TYPE = "MPI_Win"
    NAME = "windows"
    NOUNS = ("window", "windows")
