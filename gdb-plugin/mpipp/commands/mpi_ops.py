# SPDX-License-Identifier: BSD-3-Clause
"""mpi ops"""

from .handle_list import HandleList


class MpiOps(HandleList):
    """List the program's own reduction operations, grouped by the line that made them.

Usage: mpi ops [-at FILE:LINE]

Lists operations of MPI_Op_create that were not freed. Each line has the handle. The
function is not recorded: see the line that made it.
  -at   only those made at this line, or in this file

`set print elements' limits the number of rows. Nothing is called in the program.

Example:
  mpi ops -at halo.c:77"""

    TYPE = "MPI_Op"
    NAME = "ops"
    NOUNS = ("operation", "operations")
