# SPDX-License-Identifier: BSD-3-Clause
"""Convenience functions: values for expressions, in every language and frontend."""

from .mpi_buf import MpiBuf
from .mpi_handle import MpiHandle
from .measures import MpiCount, MpiExtent, MpiSize
from .mpi_elem import MpiElem
from .mpi_match import MpiMatchFunction
from .mpi_type import MpiType


def install() -> None:
    """Registers the functions."""
    MpiBuf()
    MpiHandle()
    MpiCount()
    MpiElem()
    MpiExtent()
    MpiMatchFunction()
    MpiSize()
    MpiType()
