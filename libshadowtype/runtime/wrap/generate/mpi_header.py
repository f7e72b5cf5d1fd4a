# SPDX-License-Identifier: BSD-3-Clause
"""The functions that an installed mpi.h declares."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass

# Prototypes of functions that an mpi.h may hide while its library still exports them.
HIDDEN = """
int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                     MPI_Datatype *newtype);
int MPI_Type_hindexed(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                      MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_struct(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                    MPI_Datatype array_of_types[], MPI_Datatype *newtype);
"""


class BuildError(Exception):
    """An error that the person who builds must know about, in one sentence."""


@dataclass
class Parameter:
    text: str  # as declared
    name: str
    type: str  # without the parameter's name; an array is a pointer


@dataclass
class Function:
    result: str
    name: str  # without MPI_; for an extension the whole name: MPIX_Barrier_init
    parameters: list[Parameter]

    @property
    def stem(self) -> str:
        return self.name[:-2] if self.name.endswith("_c") else self.name

    @property
    def public(self) -> str:
        return self.name if self.name.startswith("MPIX_") else f"MPI_{self.name}"

    def declaration(self, prefix: str) -> str:
        """prefix: "" or "P"."""
        inside = ", ".join(p.text for p in self.parameters) or "void"
        return f"{self.result} {prefix}{self.public}({inside})"


# Names that the wrappers use: a parameter with such a name gets a "_".
TAKEN = re.compile(r"(.*?)\b(result|function|call|next|entry|pc|sp|values|checked|wanted|made|site|shown)\b(\W*)$")


def parse_parameter(text: str) -> Parameter:
    text = TAKEN.sub(r"\1\2_\3", text.strip())
    match = re.fullmatch(r"(.*?)(\w+)\s*((?:\[\w*\])*)", text.strip())
    if not match:
        raise BuildError(f"mpi.h: cannot read the parameter '{text}'")
    kind, name, arrays = match.groups()
    if arrays.count("[") > 1:
        kind = f"{kind.strip()} (*)" + arrays[arrays.index("]") + 1 :]
    elif arrays:
        kind = kind.strip() + " *"
    return Parameter(text.strip(), name, kind.strip())


def parse_functions(source: str) -> dict[str, Function]:
    """All functions MPI_* and MPIX_* that `source` (preprocessed C) declares, by Function.name."""
    found = {}
    flat = re.sub(r"\s+", " ", source)
    for match in re.finditer(r"\b(\w+) (?:MPI_)?((?<=MPI_)\w+|MPIX_\w+) ?\(([^;{}()]*?)\) ?;", flat):
        result, name, inside = match.groups()
        texts = [] if inside.strip() in ("", "void") else inside.split(",")
        if "typedef" in (result, *inside.split()) or "..." in inside:
            continue
        found[name] = Function(result, name, [parse_parameter(text) for text in texts])
    return found


# mpi.h, and the other headers of Open MPI.
HEADERS = """#include <mpi.h>
#if defined(OPEN_MPI) && defined(__has_include)
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif
"""


def preprocess(command: list[str], *options: str) -> str:
    run = subprocess.run(
        [*command, "-E", "-x", "c", *options, "-"],
        input=HEADERS,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise BuildError(f"cannot preprocess mpi.h: {run.stderr.strip().splitlines()[0]}")
    return run.stdout
