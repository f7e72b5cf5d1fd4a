# SPDX-License-Identifier: BSD-3-Clause
"""set mpipp stages"""

import gdb

from ..settings import show_stages


class SetStages(gdb.Parameter):
    """A buffer is shown as its datatype's tree: a pair of braces for each stage, such as the
blocks of a vector, the elements of a block, or the base of a resized type.  When off, a
stage with just one element is left out: {16, "abc"} instead of {{{{16}, "abc"}}}.  In
an element address (`help mpi element') each stage has its index, also those.

Scripts that walk over the children of $mpi_buf should set it on.  The shape of a
buffer is then the same for every count, also for 1."""

    set_doc = "Set whether a buffer is shown with the stages of its datatype that have just one element."
    show_doc = "Show whether a buffer is shown with the stages of its datatype that have just one element."

    def __init__(self) -> None:
        super().__init__("mpipp stages", gdb.COMMAND_DATA, gdb.PARAM_BOOLEAN)
        self.value = False

    def get_set_string(self) -> str:
        """Called by gdb when it has been set."""
        show_stages(self.value)
        return ""

    def get_show_string(self, value: str) -> str:
        """Called by gdb."""
        return f"Showing stages of one element is {value}."
