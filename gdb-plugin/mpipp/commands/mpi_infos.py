# SPDX-License-Identifier: BSD-3-Clause
"""mpi infos"""

from .handle_list import HandleList


class MpiInfos(HandleList):
    """List the live info objects of the program, grouped by the line that made them.

Usage: mpi infos [-at FILE:LINE]

Live means: not freed. Each line has the handle. Keys and values are not recorded.
  -at   only those made at this line, or in this file

`set print elements' limits the number of rows. Nothing is called in the program.

Example:
  mpi infos -at halo.c:77"""

    TYPE = "MPI_Info"
    NAME = "infos"
    NOUNS = ("info object", "info objects")
