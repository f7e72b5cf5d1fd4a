# SPDX-License-Identifier: BSD-3-Clause
"""Calls that may be wrong by their time or their thread (check/detour.h), and the code of their wrappers for that."""

from __future__ import annotations

import re

from check_part import ANYWHERE, Entry, values
from mpi_header import Function


# Functions that register callbacks of the program with MPI.
CALLBACKS = re.compile(
    r"\w*[Cc]reate_(errhandler|keyval)$|Keyval_create$|Errhandler_create$|Op_create(_c)?$|Grequest_start$|Register_datarep(_c)?$"
)


def gives_callbacks(function: Function) -> str:
    return "    st_level_callbacks();\n" if CALLBACKS.match(function.name) else ""


def can_detour(function: Function) -> bool:
    return function.result == "int" and not ANYWHERE.match(function.name)


def bare_entry(function: Function) -> Entry:
    """The roles of a function that calls.table does not have."""
    return Entry(["-"] * len(function.parameters), [])


def look(function: Function, name: str) -> str:
    return f"{{\n        const uint64_t values[] = {{{values(function)}}};\n        {name}(&call, &form_{function.name}, values);\n    }}\n"


def detour_before(function: Function) -> str:
    return f"    if (st_detour_wanted(&call)) {look(function, 'st_check_detour')}"


def detour_after(function: Function) -> str:
    return f"    if (st_detour_wanted(&call)) {look(function, 'st_check_detour_after')}"
