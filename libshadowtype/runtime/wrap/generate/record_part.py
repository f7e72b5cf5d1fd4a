# SPDX-License-Identifier: BSD-3-Clause
"""What the recorder needs to know of a call: the arguments that make a datatype's node.

The tables below must contain every function of mpi.h that returns a datatype, or the build fails:
so no new constructor goes unrecorded.
"""

from __future__ import annotations

import re

from mpi_header import BuildError, Function, Parameter

# The parameters of each constructor in order. a0, a1, a2: the node's args. base, new: old and new type.
# offsets, lengths: arrays of args[0] members, stored in their own width; types: handles.
# dims: arrays of ndims numbers; distribs, dargs: the same, translated to our numbers. p, r: precision
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

# If these args are positive and the old type is a basic one with data, lb and extent follow from the
# parameters, and MPI is not asked. Most types are such. (A stride in bytes is not among them: it may end
# unaligned, which Open MPI pads; and Open MPI lays out a stride of -1 byte differently.)
BOUNDS_FOLLOW = {"CONTIGUOUS": (0,), "VECTOR": (0, 1, 2)}

HIDDEN = "if (result == MPI_SUCCESS)\n        st_fatal_hide(@1);"

# Other functions that affect the life of a datatype; @N is the N-th parameter. `before` and `after`
# run around the call, `after` only if it succeeded and is the user's.
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
    "Type_set_attr": {"before": "st_record_attributes();"},
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
    # Applies to all callers, not only to the user.
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
    # MPI's error handlers that end the job are replaced by others (check/fatal.h).
    "Errhandler_set": {"before": "@1 = st_fatal_set(@0, @1);"},
    "Comm_set_errhandler": {"before": "@1 = st_fatal_set(@0, @1);"},
    "Win_set_errhandler": {"before": "@1 = st_fatal_stand_in(ST_KIND_WIN, @1);"},
    "File_set_errhandler": {"before": "@1 = st_fatal_stand_in(ST_KIND_FILE, @1);"},
    "Session_set_errhandler": {"before": "@1 = st_fatal_stand_in(ST_KIND_NONE, @1);"},
    "Comm_create_from_group": {"before": "@3 = st_fatal_stand_in(ST_KIND_COMM, @3);"},
    "Intercomm_create_from_groups": {"before": "@6 = st_fatal_stand_in(ST_KIND_COMM, @6);"},
    "Errhandler_get": {"always": HIDDEN},
    "Comm_get_errhandler": {"always": HIDDEN},
    "Win_get_errhandler": {"always": HIDDEN},
    "File_get_errhandler": {"always": HIDDEN},
    "Session_get_errhandler": {"always": HIDDEN},
    "Errhandler_free": {
        "before": "MPI_Errhandler *const freed = @0, own;\n"
        "    if (@0)\n        st_check_frees_late(ST_KIND_ERRHANDLER, ST_VALUE(*@0));\n"
        "    if (st_fatal_lent(@0, &own))\n        @0 = &own;",
        "always": "if (@0 != freed && result == MPI_SUCCESS)\n        *freed = own;",
    },
    "Errhandler_create": {"before": "st_buffers_may_be_left();"},
    "Comm_create_errhandler": {"before": "st_buffers_may_be_left();"},
    "Win_create_errhandler": {"before": "st_buffers_may_be_left();"},
    "File_create_errhandler": {"before": "st_buffers_may_be_left();"},
    "Init": {
        "before": "st_check_init_again(&call, &form_Init,\n"
        "                        (const uint64_t[]){ST_VALUE(@0), ST_VALUE(@1)});\n"
        "    st_progress_before_init();",
        "always": "if (result == MPI_SUCCESS)\n        st_mpi_began(true);",
    },
    "Init_thread": {
        "before": "st_check_init_again(&call, &form_Init_thread,\n"
        "                        (const uint64_t[]){ST_VALUE(@0), ST_VALUE(@1),\n"
        "                                           (uint64_t)(int64_t)@2, ST_VALUE(@3)});\n"
        "    st_progress_before_init();",
        "always": "if (result == MPI_SUCCESS)\n        st_mpi_began(true);",
    },
    "Session_init": {
        "always": "if (result == MPI_SUCCESS) {\n        st_mpi_began(false);\n"
        "        st_fatal_adopt(ST_KIND_NONE, ST_VALUE(*@2));\n    }",
    },
    "Abort": {"before": "st_mpi_aborts();"},
    "Info_free": {"before": "if (@0)\n        st_check_frees_late(ST_KIND_INFO, ST_VALUE(*@0));"},
    "Finalize": {"always": "if (result == MPI_SUCCESS)\n        st_mpi_ended();"},
}

# Functions that return only predefined datatypes.
NOT_CONSTRUCTORS = {"T_cvar_get_info", "T_event_get_info", "T_pvar_get_info"}


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
            f"mpi.h: '{function.public}' has {len(function.parameters)} parameters,"
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
    # The registry's order: offsets, lengths, types; dimensions in the order of the parameters.
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
    """The name of the new type's parameter, if it may be in the array of the old types."""
    roles = CONSTRUCTORS.get(function.stem, ("", ""))[1].split()
    return function.parameters[-1].name if "types" in roles else ""
