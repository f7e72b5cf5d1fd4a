# SPDX-License-Identifier: BSD-3-Clause
"""The predefined handles of an mpi.h: datatypes, communicators, operations, ..."""

from __future__ import annotations

import re

from mpi_header import BuildError

# For handles with two names in the standard: the one that MPI_Type_get_name returns.
PREFERRED_NAMES = ("MPI_LONG_LONG_INT", "MPI_C_COMPLEX", "MPI_CXX_FLOAT_COMPLEX")
# Removed names whose objects Open MPI still has, though its mpi.h hides them.
HIDDEN_OBJECTS = {"MPI_LB": "ompi_mpi_lb", "MPI_UB": "ompi_mpi_ub"}

# The checker's kind for each C type of handles.
KINDS = {
    "MPI_Comm": "COMM",
    "MPI_Group": "GROUP",
    "MPI_Op": "OP",
    "MPI_Win": "WIN",
    "MPI_File": "FILE",
    "MPI_Info": "INFO",
    "MPI_Errhandler": "ERRHANDLER",
    "MPI_Request": "REQUEST",
    "MPI_Message": "MESSAGE",
}


def named_values(macros: str, c_type: str) -> list[tuple[str, str]]:
    """(name, value) of the constants of a handle type. A value is a number, or the symbol of the
    object whose address the handle is."""
    values: dict[str, list[str]] = {}
    for line in macros.splitlines():
        match = re.match(rf"#define (MPIX?_\w+) (.*\b{c_type}\b.*)", line)
        if not match:
            continue
        name, definition = match.groups()
        number = re.search(rf"\({c_type}\)\s*\(?(0x[0-9a-fA-F]+|\d+)\)?", definition)
        symbol = re.search(rf"OMPI_PREDEFINED_GLOBAL\(\s*{c_type},\s*(\w+)\)", definition)
        if number:
            values.setdefault(number.group(1), []).append(name)
        elif symbol:
            values.setdefault(symbol.group(1), []).append(name)
        elif c_type == "MPI_Datatype" and "MPI_DATATYPE_NULL" not in definition:
            raise BuildError(f"mpi.h: '{name}' is a datatype in a form that is not known")
    # Second names: #define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX
    for line in macros.splitlines():
        match = re.match(r"#define (MPIX?_\w+) (MPIX?_\w+)$", line)
        for names in values.values():
            if match and match.group(2) in names:
                names.append(match.group(1))
    if c_type == "MPI_Datatype":
        if not values:
            raise BuildError("mpi.h: no predefined datatype found")
        for name, symbol in HIDDEN_OBJECTS.items():
            if any(not value.startswith("0x") for value in values):
                values.setdefault(symbol, []).append(name)

    def best(names: list[str]) -> str:
        return min(names, key=lambda n: (n not in PREFERRED_NAMES, n.startswith("MPIX"), n))

    return [(best(names), value) for value, names in values.items()]


def initializer(name: str, value: str) -> str:
    is_number = value[0].isdigit()
    return f'"{name}", NULL, {value}u' if is_number else f'"{name}", "{value}", 0'


def predefined(macros: str) -> str:
    rows = named_values(macros, "MPI_Datatype")
    # MPI_DATATYPE_NULL comes first.
    rows.sort(key=lambda row: (row[0] != "MPI_DATATYPE_NULL", row[0]))
    text = '#include "runtime/wrap/mpi_side.h"\n\nconst struct st_predefined st_predefined[] = {\n'
    text += "".join(f"    {{{initializer(*row)}}},\n" for row in rows)
    text += "};\n\nconst unsigned st_predefined_count ="
    text += " sizeof st_predefined / sizeof st_predefined[0];\n"
    text += '\n#include "runtime/wrap/constants.h"\n\n'
    text += "const struct st_constant st_constants[] = {\n"
    for c_type, kind in KINDS.items():
        for name, value in sorted(named_values(macros, c_type)):
            text += f"    {{{initializer(name, value)}, ST_KIND_{kind}}},\n"
    return text + "    {NULL, NULL, 0, ST_KIND_NONE}};\n"
