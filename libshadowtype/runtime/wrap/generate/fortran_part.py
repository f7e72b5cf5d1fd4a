# SPDX-License-Identifier: BSD-3-Clause
"""Wrappers of Fortran's functions, where those of MPI's bindings call no function of C that is wrapped: the functions of
attributes, and in Open MPI those that create keyvals and error handlers. A Fortran wrapper passes the call on to the wrapper of
the C function, which calls Fortran's real function."""

from __future__ import annotations

from check_part import base_type, is_pointer
from mpi_header import Function, Parameter

NAMES = [f"{kind}_{verb}_attr" for kind in ("Comm", "Type", "Win") for verb in ("get", "set")] + ["Attr_get", "Attr_put"]
# MPICH's bindings create keyvals and error handlers by the functions of C.
OPEN_MPI_NAMES = [
    *(f"{kind}_create_keyval" for kind in ("Comm", "Type", "Win")),
    "Keyval_create",
    *(f"{kind}_create_errhandler" for kind in ("Comm", "Win", "File")),
]
# The name that MPI-1 gave to a function, if mpi.h has it no longer.
MPI_1_NAMES = {"Comm_create_errhandler": "Errhandler_create"}


def is_made(parameter: Parameter) -> bool:
    """True for a handle that the function returns, and that has another size in Fortran."""
    return is_pointer(parameter) and base_type(parameter) == "MPI_Errhandler"


def converted(parameter: Parameter) -> str:
    """Fortran's argument as one of C."""
    base = base_type(parameter)
    if is_made(parameter):
        return "&made"
    if is_pointer(parameter) or "function" in base:
        return f"({parameter.type})a[{{}}]"
    if base.startswith("MPI_"):
        return f"st_fortran_{base[4:].lower()}(a[{{}}])"
    return "*(const MPI_Fint *)a[{}]"


def fortran(function: Function) -> str:
    """The code for a function; empty for the others."""
    name = function.name
    if name not in NAMES + OPEN_MPI_NAMES:
        return ""
    passed = "".join(", " + converted(p).format(i) for i, p in enumerate(function.parameters))
    declared = ", ".join(p.type for p in function.parameters)
    low = name.lower()
    count = len(function.parameters)
    arguments = ", ".join(f"a[{i}]" for i in range(count))
    made = next((i for i, p in enumerate(function.parameters) if is_made(p)), -1)
    converted_back = f"    if (unused{made} && error == MPI_SUCCESS)\n        *unused{made} = st_fortran_errhandler(a[{made}]);\n"
    text = (
        f"static int fortran_next_{name}({', '.join(f'{p.type} unused{i}' for i, p in enumerate(function.parameters))})\n{{\n"
        + "".join(f"    (void)unused{i};\n" for i in range(count) if i != made)
        + "    void *const *a = st_fortran_call.arguments;\n    MPI_Fint error = MPI_SUCCESS;\n"
        f"    ((void (*)({'void *, ' * count}MPI_Fint *))st_fortran_call.real)({arguments}, &error);\n"
        + (converted_back if made >= 0 else "")
        + "    return error;\n}\n\n"
        f"static void fortran_{name}(struct st_fortran *function, const void *pc, const void *sp, void *const *a, MPI_Fint *error)\n{{\n"
        f"    int (*const next)({declared}) = fortran_next_{name};\n"
        + ("    MPI_Errhandler made = (MPI_Errhandler)0;\n" if made >= 0 else "")
        + "    int result = MPI_ERR_OTHER;\n"
        "    if (st_fortran_begin(function, pc, a)) {\n"
        f"        atomic_store_explicit(&function_{name}.next[ST_ENTRY_FORTRAN], (void *)next, memory_order_release);\n"
        f"        result = wrap_{name}(ST_ENTRY_FORTRAN, pc, sp{passed});\n"
        "    } else if (st_fortran_call.real) {\n"
        f"        result = next({', '.join('0' for _ in range(count))});\n    }}\n"
        "    if (error)\n        *error = result;\n}\n\n"
    )
    spelt = [low, MPI_1_NAMES[name].lower()] if name in MPI_1_NAMES else [low]
    names = [f"{p}mpi_{each}{end}" for each in spelt for p in ("", "p") for end in ("_", "__")]
    if not name.startswith(("Attr_", "Keyval_")):
        names += [f"{p}mpi_{low}_f08_" for p in ("", "p")]
    parameters = ", ".join(f"void *a{i}" for i in range(count))
    for symbol in names:
        heading = f"void {symbol}({parameters}, MPI_Fint *error)"
        text += (
            f"ST_EXPORT {heading};\nST_EXPORT {heading}\n{{\n"
            f'    static struct st_fortran function = {{.name = "{symbol}"}};\n'
            f"    fortran_{name}(&function, __builtin_return_address(0), __builtin_dwarf_cfa(), "
            f"(void *[ST_FORTRAN_MOST]){{{', '.join(f'a{i}' for i in range(count))}}}, error);\n}}\n\n"
        )
    return f"#ifdef OPEN_MPI\n{text}#endif\n\n" if name in OPEN_MPI_NAMES else text
