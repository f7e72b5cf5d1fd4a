#!/usr/bin/env python3
"""Write the wrappers and the list of predefined types for one installed mpi.h.

usage: generate.py CPP_COMMAND... -- WRAPPERS.c PREDEFINED.c

CPP_COMMAND preprocesses a C file from standard input with that MPI's include path, for instance
`gcc -I/usr/include/mpich`. Every function of mpi.h that gives out a datatype must be known to the
tables below, or the build fails: a new constructor must not go unrecorded.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass

# A constructor's parameters in order. a0, a1, a2: the node's args. base, new: old and new type.
# offsets, lengths: arrays of args[0] members, kept in their own width; types: handles.
# dims: arrays of ndims numbers; distribs, dargs: the same, in numbers of our own. p, r: precision
# and range. The large-count form (_c) has the same roles.
CONSTRUCTORS = {
    "Type_contiguous": ("CONTIGUOUS", "a0 base new"),
    "Type_vector": ("VECTOR", "a0 a1 a2 base new"),
    "Type_create_hvector": ("HVECTOR", "a0 a1 a2 base new"),
    "Type_indexed": ("INDEXED", "a0 lengths offsets base new"),
    "Type_create_hindexed": ("HINDEXED", "a0 lengths offsets base new"),
    "Type_create_indexed_block": ("INDEXED_BLOCK", "a0 a1 offsets base new"),
    "Type_create_hindexed_block": ("HINDEXED_BLOCK", "a0 a1 offsets base new"),
    "Type_create_struct": ("STRUCT", "a0 lengths offsets types new"),
    "Type_create_subarray": ("SUBARRAY", "a0 dims dims dims order base new"),
    "Type_create_darray": ("DARRAY", "a0 a1 a2 dims distribs dargs dims order base new"),
    "Type_create_resized": ("RESIZED", "base a0 a1 new"),
    "Type_dup": ("DUP", "base new"),
    "Type_create_f90_real": ("F90_REAL", "p r new"),
    "Type_create_f90_complex": ("F90_COMPLEX", "p r new"),
    "Type_create_f90_integer": ("F90_INTEGER", "r new"),
    # removed by MPI-3.0, still exported
    "Type_hvector": ("HVECTOR", "a0 a1 a2 base new"),
    "Type_hindexed": ("HINDEXED", "a0 lengths offsets base new"),
    "Type_struct": ("STRUCT", "a0 lengths offsets types new"),
}

# Where these args are positive and the old type is a basic one that has data, lb and extent follow
# from the parameters, and MPI is not asked: these are most of the types. (A stride in bytes may end
# out of line, which Open MPI pads; and it lays out a stride of -1 byte otherwise.)
BOUNDS_FOLLOW = {"CONTIGUOUS": (0,), "VECTOR": (0, 1, 2)}

# Prototypes of functions that an mpi.h may hide while its library still exports them.
HIDDEN = """
int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                     MPI_Datatype *newtype);
int MPI_Type_hindexed(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                      MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_struct(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
                    MPI_Datatype array_of_types[], MPI_Datatype *newtype);
"""

# Other functions with a part in a datatype's life; @N is the N-th parameter. `before` and `after`
# run around the call, `after` when it succeeded and is the user's.
OTHERS = {
    "Type_commit": {"after": "st_record_commit(st_handle(*@0), &site);"},
    "Type_free": {
        "before": "struct st_freeing freeing = {.ordinal = ST_NO_NODE};\n"
        "    if (call.record && @0) {\n"
        "        struct st_site site;\n"
        "        st_site_of(call.pc, call.sp, call.caller, &site);\n"
        "        st_record_free_begin(st_handle(*@0), &site, &freeing);\n"
        "    }",
        "always": "st_record_free_end(&freeing, result == MPI_SUCCESS);",
    },
    "Type_set_name": {
        "after": "st_record_name(st_handle(@0), @1, strnlen(@1, MPI_MAX_OBJECT_NAME - 1));",
    },
    "Type_get_contents": {
        "after": "st_record_contents(st_handle(@0), @6, (uint64_t)@3, &site);",
    },
    "Type_get_contents_c": {
        "after": "st_record_contents(st_handle(@0), @8, (uint64_t)@4, &site);",
    },
    "Type_c2f": {"after": "st_record_fortran(st_handle(@0), result);", "returns": "value"},
    "Type_match_size": {"after": "st_predefined_found(*@2);"},
    "Type_get_value_index": {"after": "st_predefined_found(*@2);"},
    "File_get_view": {
        "after": "st_record_opaque(st_handle(*@2), &site);\n"
        "        st_record_opaque(st_handle(*@3), &site);",
    },
    # Where a call comes from does not matter from here on.
    "Comm_spawn": {
        "before": "struct st_spawn spawn;\n"
        "    st_spawn_begin(&spawn, &@0, &@1, @3, @4, @5);",
        "always": "st_spawn_end(&spawn);",
    },
    "Comm_spawn_multiple": {
        "before": "struct st_spawn spawn;\n"
        "    char **commands = (char **)(uintptr_t)@1;\n"
        "    char ***arguments = (char ***)(uintptr_t)@2;\n"
        "    st_spawn_multiple_begin(&spawn, @0, &commands, &arguments, @4, @5, @6);\n"
        "    @1 = commands;\n"
        "    @2 = arguments;",
        "always": "st_spawn_end(&spawn);",
    },
    "Init": {"always": "if (result == MPI_SUCCESS)\n        st_mpi_began(true);"},
    "Init_thread": {"always": "if (result == MPI_SUCCESS)\n        st_mpi_began(true);"},
    "Session_init": {"always": "if (result == MPI_SUCCESS)\n        st_mpi_began(false);"},
    "Finalize": {"always": "if (result == MPI_SUCCESS)\n        st_mpi_ended();"},
}

# Give out datatypes, predefined ones always.
NOT_CONSTRUCTORS = {"T_cvar_get_info", "T_pvar_get_info"}


class BuildError(Exception):
    """What the person who builds must know, in one sentence."""


@dataclass
class Parameter:
    text: str  # as declared
    name: str
    type: str  # without the name; an array is a pointer


@dataclass
class Function:
    result: str
    name: str  # without MPI_
    parameters: list[Parameter]

    @property
    def stem(self) -> str:
        return self.name[:-2] if self.name.endswith("_c") else self.name

    def declaration(self, prefix: str) -> str:
        inside = ", ".join(p.text for p in self.parameters) or "void"
        return f"{self.result} {prefix}{self.name}({inside})"


def parse_parameter(text: str) -> Parameter:
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
    """All functions MPI_* that `source` (preprocessed C) declares, by their name without MPI_."""
    found = {}
    flat = re.sub(r"\s+", " ", source)
    for match in re.finditer(r"\b(\w+) MPI_(\w+) ?\(([^;{}]*?)\) ?;", flat):
        result, name, inside = match.groups()
        if name not in CONSTRUCTORS and name not in OTHERS and "MPI_Datatype *" not in inside:
            continue
        texts = [] if inside.strip() in ("", "void") else inside.split(",")
        found[name] = Function(result, name, [parse_parameter(text) for text in texts])
    return found


def gives_datatype(function: Function) -> bool:
    return any(p.type == "MPI_Datatype *" and "[" not in p.text for p in function.parameters)


def is_64_bit(parameter: Parameter) -> str:
    """A C expression: whether the members of an array parameter have eight bytes."""
    element = parameter.type.replace("const", "").replace("*", "").strip()
    return f"sizeof({element}) == 8"


def element_bytes(parameter: Parameter) -> str:
    return "sizeof(" + parameter.type.replace("const", "").replace("*", "").strip() + ")"


def constructor_body(function: Function) -> str:
    combiner, roles_text = CONSTRUCTORS[function.stem]
    roles = roles_text.split()
    if len(roles) != len(function.parameters):
        raise BuildError(
            f"mpi.h: 'MPI_{function.name}' has {len(function.parameters)} parameters,"
            f" the table in generate.py knows {len(roles)}"
        )
    args = {}
    columns = []
    flags = []
    base = new = ""
    before = ""
    for role, parameter in zip(roles, function.parameters):
        name, width = parameter.name, element_bytes(parameter)
        if role in ("a0", "a1", "a2"):
            args[int(role[1])] = name
        elif role in ("p", "r"):
            args[0 if role == "p" else 1] = f"st_f90_argument({name})"
        elif role == "base":
            base = name
        elif role == "new":
            new = name
        elif role == "order":
            flags.append(f"st_order({name})")
        elif role in ("offsets", "lengths"):
            flag = f"ST_{role.upper()}_64"
            flags.append(f"({is_64_bit(parameter)} ? {flag} : 0)")
            columns.append((role, f"{{.data = {name}, .width = {width}, .stored = {width}}}"))
        elif role == "types":
            text = f"{{.data = {name}, .width = {width}, .stored = 4, .handles = true}}"
            columns.append((role, text))
        else:
            translate = {"distribs": "st_distribution", "dargs": "st_distribution_argument"}
            more = f", .translate = {translate[role]}" if role in translate else ""
            columns.append((role, f"{{.data = {name}, .width = {width}, .stored = 8{more}}}"))
    # The registry's order: offsets before lengths before types; dimensions as they come.
    order = {"offsets": 0, "lengths": 1, "types": 2}
    columns.sort(key=lambda column: order.get(column[0], 0))

    bounds = not combiner.startswith("F90_")
    if bounds:
        before = "        int64_t lb = 0, extent = ST_EXTENT_UNKNOWN;\n"
        if combiner in BOUNDS_FOLLOW:
            positive = "".join(f"{args[i]} > 0 && " for i in BOUNDS_FOLLOW[combiner])
            before += f"        if (!({positive}st_record_has_data(st_handle({base}))))\n    "
        before += f"        st_query_extent(*{new}, &lb, &extent);\n"
    if combiner.startswith("F90_"):
        flags += ["ST_PREDEFINED", "ST_COMMITTED"]
        before = (
            "        struct st_measures measures;\n"
            f"        st_query_measures(*{new}, &measures);\n"
        )
        args[2] = "measures.size"
        args.setdefault(0, "ST_F90_UNDEFINED")

    lines = [before] if before else []
    if columns:
        lines.append("        const struct st_column columns[] = {\n")
        lines += [f"            {text},\n" for _, text in columns]
        lines.append("        };\n")
    lines.append("        st_record_made(&call, &(struct st_made){\n")
    lines.append(f"            .handle = st_handle(*{new}),\n")
    lines.append(f"            .combiner = ST_{combiner},\n")
    if flags:
        lines.append(f"            .flags = (uint8_t)({' | '.join(flags)}),\n")
    if base:
        lines.append(f"            .base = st_handle({base}),\n")
    if args:
        values = ", ".join(args.get(i, "0") for i in range(max(args) + 1))
        lines.append(f"            .args = {{{values}}},\n")
    if bounds:
        lines.append("            .lb = lb,\n            .extent = extent,\n")
    else:
        lines.append("            .extent = ST_EXTENT_UNKNOWN,\n")
    if columns:
        rows = args[2] if combiner == "DARRAY" else args[0]
        lines.append("            .columns = columns,\n")
        lines.append(f"            .column_count = {len(columns)},\n")
        lines.append(f"            .rows = (uint64_t){rows},\n")
    lines.append("        });\n")
    return "".join(lines)


def other_parts(function: Function) -> dict[str, str]:
    def fill(text: str) -> str:
        return re.sub(r"@(\d)", lambda m: function.parameters[int(m.group(1))].name, text)

    return {key: fill(text) for key, text in OTHERS[function.name].items()}


def struct_out(function: Function) -> str:
    """The name of the new type's parameter, where it may lie in the array of the old types."""
    roles = CONSTRUCTORS.get(function.stem, ("", ""))[1].split()
    return function.parameters[-1].name if "types" in roles else ""


def wrapper(function: Function, hidden: bool) -> str:
    name, result = function.name, function.result
    parts = other_parts(function) if function.name in OTHERS else {}
    if parts:
        recorded = ""
        if "after" in parts:
            needs_site = "&site" in parts["after"]
            recorded += "        struct st_site site;\n" if needs_site else ""
            recorded += "        st_site_of(call.pc, call.sp, call.caller, &site);\n" if needs_site else ""
            recorded += f"        {parts['after']}\n"
    else:
        recorded = constructor_body(function)
    by_value = parts.get("returns") == "value"
    new = struct_out(function)
    types = ", ".join(p.type for p in function.parameters) or "void"
    arguments = [p.name for p in function.parameters]
    declared = "".join(f", {p.text}" for p in function.parameters)
    passed = "".join(f", {p.name}" for p in function.parameters)
    lines = [f"\n/* --- MPI_{name} */\n"]
    if hidden:
        lines += [f"#undef MPI_{name}\n", f"#undef PMPI_{name}\n"]
    lines += [
        f"static {result} wrap_{name}(enum st_entry entry, const void *pc, "
        f"const void *sp{declared})\n{{\n",
        f'    static struct st_function function = {{.name = "PMPI_{name}"}};\n',
        f"    typedef {result} real({types});\n",
        "    struct st_call call;\n",
        "    real *next = (real *)st_call_begin(&call, &function, entry, pc, sp);\n",
        "    if (!next)\n",
        f"        return {'-1' if by_value else 'MPI_ERR_OTHER'};\n",
    ]
    if "before" in parts:
        lines.append(f"    {parts['before']}\n")
    if new:
        # The program may let MPI write the new type over one of the old ones (&types[0]).
        lines.append(f"    MPI_Datatype made = {new} ? *{new} : st_datatype(0);\n")
        arguments[-1] = f"{new} ? &made : NULL"
        recorded = recorded.replace(f"*{new}", "made")
    lines.append(f"    {result} result = next({', '.join(arguments)});\n")
    lines.append("    st_call_end(&call);\n")
    if "always" in parts:
        lines.append(f"    {parts['always']}\n")
    if recorded:
        condition = "call.record" if by_value else "result == MPI_SUCCESS && call.record"
        lines += [f"    if ({condition}) {{\n", recorded, "    }\n"]
    if new:
        lines += [f"    if ({new})\n", f"        *{new} = made;\n"]
    lines += ["    return result;\n", "}\n\n"]
    for prefix, entry in (("MPI_", "ST_ENTRY_MPI"), ("PMPI_", "ST_ENTRY_PMPI")):
        if hidden:
            lines.append(f"{function.declaration(prefix)};\n")
        lines += [
            f"ST_EXPORT {function.declaration(prefix)}\n{{\n",
            f"    return wrap_{name}({entry}, __builtin_return_address(0), "
            f"__builtin_dwarf_cfa(){passed});\n}}\n\n",
        ]
    return "".join(lines)


def wrappers(source: str) -> str:
    declared = parse_functions(source)
    hidden = {name: f for name, f in parse_functions(HIDDEN).items() if name not in declared}
    unknown = sorted(
        name
        for name, function in declared.items()
        if gives_datatype(function)
        and function.stem not in CONSTRUCTORS
        and name not in OTHERS
        and name not in NOT_CONSTRUCTORS
    )
    if unknown:
        raise BuildError(
            f"mpi.h: 'MPI_{unknown[0]}' gives out a datatype and the tables in generate.py do not"
            " know it: add it to CONSTRUCTORS, OTHERS or NOT_CONSTRUCTORS"
        )
    text = '#define _GNU_SOURCE\n#include "runtime/mpi_side.h"\n\n#include <string.h>\n\n'
    text += '#include "runtime/spawn.h"\n'
    for name, function in sorted((declared | hidden).items()):
        if name in OTHERS or function.stem in CONSTRUCTORS:
            text += wrapper(function, name in hidden)
    return text


# Handles with two names of the standard: the one that MPI_Type_get_name says.
PREFERRED_NAMES = ("MPI_LONG_LONG_INT", "MPI_C_COMPLEX", "MPI_CXX_FLOAT_COMPLEX")
# Removed names whose objects Open MPI still has, though its mpi.h hides them.
HIDDEN_OBJECTS = {"MPI_LB": "ompi_mpi_lb", "MPI_UB": "ompi_mpi_ub"}


def predefined(macros: str) -> str:
    values = {}  # handle or symbol → names
    for line in macros.splitlines():
        match = re.match(r"#define (MPIX?_\w+) (.*MPI_Datatype.*)", line)
        if not match:
            continue
        name, definition = match.groups()
        number = re.search(r"\(MPI_Datatype\)\s*(0x[0-9a-fA-F]+)", definition)
        symbol = re.search(r"OMPI_PREDEFINED_GLOBAL\(\s*MPI_Datatype,\s*(\w+)\)", definition)
        if number:
            values.setdefault(number.group(1), []).append(name)
        elif symbol:
            values.setdefault(symbol.group(1), []).append(name)
        elif "MPI_DATATYPE_NULL" not in definition:
            raise BuildError(f"mpi.h: '{name}' is a datatype in a form that is not known")
    # Second names: #define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX
    for line in macros.splitlines():
        match = re.match(r"#define (MPIX?_\w+) (MPIX?_\w+)$", line)
        for names in values.values():
            if match and match.group(2) in names:
                names.append(match.group(1))
    if not values:
        raise BuildError("mpi.h: no predefined datatype found")
    for name, symbol in HIDDEN_OBJECTS.items():
        if any(not value.startswith("0x") for value in values):
            values.setdefault(symbol, []).append(name)

    def best(names: list[str]) -> str:
        return min(names, key=lambda n: (n not in PREFERRED_NAMES, n.startswith("MPIX"), n))

    rows = [(best(names), value) for value, names in values.items()]
    # MPI_DATATYPE_NULL is the first.
    rows.sort(key=lambda row: (row[0] != "MPI_DATATYPE_NULL", row[0]))
    text = '#include "runtime/mpi_side.h"\n\nconst struct st_predefined st_predefined[] = {\n'
    for name, value in rows:
        is_number = value.startswith("0x")
        text += f'    {{"{name}", NULL, {value}u}},\n' if is_number else (
            f'    {{"{name}", "{value}", 0}},\n'
        )
    text += "};\n\nconst unsigned st_predefined_count ="
    return text + " sizeof st_predefined / sizeof st_predefined[0];\n"


def preprocess(command: list[str], *options: str) -> str:
    run = subprocess.run(
        [*command, "-E", "-x", "c", *options, "-"],
        input="#include <mpi.h>\n",
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise BuildError(f"cannot preprocess mpi.h: {run.stderr.strip().splitlines()[0]}")
    return run.stdout


def main(arguments: list[str]) -> int:
    if "--" not in arguments or len(arguments) - arguments.index("--") != 3:
        print(__doc__, file=sys.stderr)
        return 2
    split = arguments.index("--")
    command, (wrappers_path, predefined_path) = arguments[:split], arguments[split + 1 :]
    try:
        wrappers_text = wrappers(preprocess(command, "-P", "-D__attribute__(x)="))
        predefined_text = predefined(preprocess(command, "-dM"))
    except BuildError as error:
        print(f"generate.py: {error}", file=sys.stderr)
        return 1
    for path, text in ((wrappers_path, wrappers_text), (predefined_path, predefined_text)):
        with open(path, "w", encoding="utf-8") as out:
            out.write(f"/* Written by generate.py from the installed mpi.h. */\n{text}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
