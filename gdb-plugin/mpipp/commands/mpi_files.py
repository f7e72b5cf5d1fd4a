"""mpi files"""

from .handle_list import HandleList


class MpiFiles(HandleList):
    """List the open files of MPI, grouped by the line that opened them.

Usage: mpi files [-at FILE:LINE]

Those that MPI_File_close was not called for. A line for each: the handle, and this
rank's place among those that have opened it.
  -at   only those made at this line, or in this file

As many rows are shown as `set print elements' says. Nothing is called in the program.

Example:
  mpi files -at halo.c:77"""

    TYPE = "MPI_File"
    NAME = "files"
    NOUNS = ("file", "files")
