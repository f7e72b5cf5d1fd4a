#!/usr/bin/env python3
"""swallow.py NAMES... < the preprocessed mpi.h: a tool that keeps collective calls from MPI, in C.

Each MPI_NAME, MPI_NAME_c and MPI_NAME_init of the library returns success and does nothing while `swallow'
is set, and is handed on to PMPI_NAME otherwise. So a program can make calls on which MPI would hang or abort.
"""

from __future__ import annotations

import re
import sys


def main(names: list[str]) -> None:
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", re.sub(r"(?m)^#.*$", "", sys.stdin.read()))
    wanted = {form for name in names for form in (name, name + "_c", name + "_init")}
    print("#include <mpi.h>\n\nint swallow;")
    for name, parameters in sorted(set(re.findall(r"\bint\s+MPI_(\w+)\s*\(([^()]*)\)\s*;", text))):
        if name not in wanted:
            continue
        arguments = [re.search(r"(\w+)(?:\[[^\]]*\])*\s*$", one)[1] for one in parameters.split(",")]
        print(f"\nint MPI_{name}({' '.join(parameters.split())})\n{{")
        print(f"    return swallow ? MPI_SUCCESS : PMPI_{name}({', '.join(arguments)});\n}}")


if __name__ == "__main__":
    main(sys.argv[1:])
