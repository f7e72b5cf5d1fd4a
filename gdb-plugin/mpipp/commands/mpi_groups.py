"""mpi groups"""

from .handle_list import HandleList


class MpiGroups(HandleList):
    """List the live groups of the program, grouped by the line that made them.

Usage: mpi groups [-at FILE:LINE]

Those that live, that is, were not freed; the handle of each. Which ranks a group has is
not recorded.
  -at   only those made at this line, or in this file

As many rows are shown as `set print elements' says. Nothing is called in the program.

Example:
  mpi groups -at halo.c:77"""

    TYPE = "MPI_Group"
    NAME = "groups"
    NOUNS = ("group", "groups")
