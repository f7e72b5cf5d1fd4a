# SPDX-License-Identifier: BSD-3-Clause
"""mpi groups"""

from .handle_list import HandleList


class MpiGroups(HandleList):
    """List the live groups of the program, grouped by the line that made them.

Usage: mpi groups [-at FILE:LINE]

Live means: not freed. Each line has the handle. The ranks of a group are not recorded.
  -at   only those made at this line, or in this file

`set print elements' limits the number of rows. Nothing is called in the program.

Example:
  mpi groups -at halo.c:77"""

    TYPE = "MPI_Group"
    NAME = "groups"
    NOUNS = ("group", "groups")
