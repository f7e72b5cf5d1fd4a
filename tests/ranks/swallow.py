#!/usr/bin/env python3
"""swallow.py [--below] NAMES... < the preprocessed mpi.h: a tool that keeps collective calls from MPI, in C.

Each MPI_NAME, MPI_NAME_c and MPI_NAME_init of the library returns success and does nothing while `swallow'
is set, and is handed on to PMPI_NAME otherwise. So a program can make calls on which MPI would hang or abort.
With --below it is PMPI_NAME that does so, as if it were MPI's own: another tool keeps mpipp from its quick path.
"""

from __future__ import annotations

import re
import sys


def main(names: list[str]) -> None:
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", re.sub(r"(?m)^#.*$", "", sys.stdin.read()))
    wanted = {form for name in names for form in (name, name + "_c", name + "_init")}
    below = names[:1] == ["--below"]
    print("#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <mpi.h>\n\nint swallow;")
    for name, parameters in sorted(set(re.findall(r"\bint\s+MPI_(\w+)\s*\(([^()]*)\)\s*;", text))):
        if name not in wanted:
            continue
        arguments = [re.search(r"(\w+)(?:\[[^\]]*\])*\s*$", one)[1] for one in parameters.split(",")]
        given = " ".join(parameters.split())
        if below:
            print(f"\nint PMPI_{name}({given})\n{{\n    static int (*next)({given});")
            print(f'    if (!next)\n        *(void **)&next = dlsym(RTLD_NEXT, "PMPI_{name}");')
            print(f"    return swallow ? MPI_SUCCESS : next({', '.join(arguments)});\n}}")
            continue
        print(f"\nint MPI_{name}({given})\n{{")
        print(f"    return swallow ? MPI_SUCCESS : PMPI_{name}({', '.join(arguments)});\n}}")


if __name__ == "__main__":
    main(sys.argv[1:])
