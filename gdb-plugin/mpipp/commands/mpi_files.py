# SPDX-License-Identifier: BSD-3-Clause
"""mpi files"""

from .handle_list import HandleList


class MpiFiles(HandleList):
    """List the open files of MPI, grouped by the line that opened them.

Usage: mpi files [-at FILE:LINE]

Open means: MPI_File_close was not called. Each line has the handle, and this rank's
number among those that have opened the file.
  -at   only those made at this line, or in this file

`set print elements' limits the number of rows. Nothing is called in the program.

Example:
  mpi files -at halo.c:77"""

    TYPE = "MPI_File"
    NAME = "files"
    NOUNS = ("file", "files")
