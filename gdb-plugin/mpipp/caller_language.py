# SPDX-License-Identifier: BSD-3-Clause
"""The language in which the data of a call is shown: that of the calling program, unless the user has set one. The selected
frame may be in MPI, which is written in C."""

import re
from contextlib import contextmanager
from typing import Iterator, Optional

import gdb

from . import fortran_line
from .settings import is_fortran, language

_AUTOMATIC = ("auto", "local")


@contextmanager
def of_frame(caller: Optional[gdb.Frame]) -> Iterator[None]:
    """Selects the caller's frame meanwhile, whose language gdb then uses. None: the selected frame stays."""
    before = gdb.selected_frame()
    if caller is not None:
        caller.select()
    try:
        yield
    finally:
        before.select()


@contextmanager
def of_place(place: str) -> Iterator[None]:
    """Sets the language of a call's place meanwhile, "halo.f90:58 in exchange": its frame need not exist any more."""
    file = re.match(r"(.+):\d+\b", place)
    if file is None or gdb.parameter("language") not in _AUTOMATIC:
        yield
        return
    in_fortran = fortran_line.is_fortran(file.group(1))
    if in_fortran == is_fortran():
        yield
        return
    with language("fortran" if in_fortran else "c"):
        yield
