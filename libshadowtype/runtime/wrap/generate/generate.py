#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write the wrappers and the list of predefined handles for one installed mpi.h.

usage: generate.py CPP_COMMAND... -- WRAPPERS.c PREDEFINED.c

CPP_COMMAND preprocesses a C file from standard input with that MPI's include path, for instance
`gcc -I/usr/include/mpich`. A wrapper checks the arguments of the call (check_part.py, calls.table), calls
MPI, and records the result (record_part.py).
"""

from __future__ import annotations

import os
import sys

import call_part
import check_part
import quick_part
from constants import predefined
from detour_part import bare_entry, can_detour, detour_after, detour_before, gives_callbacks
from fortran_part import fortran
from mpi_header import HEADERS, HIDDEN, BuildError, Function, parse_functions, preprocess
from plain_part import is_plain, plain_body
from record_part import (
    CONSTRUCTORS,
    NOT_CONSTRUCTORS,
    OTHERS,
    constructor_body,
    gives_datatype,
    other_parts,
    struct_out,
)
from synchronous_part import synchronous, synchronous_slot

# Headers that the wrappers include.
INCLUDED = (
    "check/check",
    "check/concurrent",
    "check/detour",
    "check/failed",
    "check/fatal",
    "check/level",
    "check/messages",
    "check/plain_call",
    "check/quick",
    "check/quick_arrays",
    "check/refused",
    "check/synchronous",
    "objects/collectives",
    "objects/gatherings",
    "ranks/collective",
    "ranks/partners",
    "wrap/fortran",
    "wrap/inside",
    "wrap/progress",
    "wrap/spawn",
    "wrap/statuses",
    "wrap/threads",
)
TABLE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "calls.table")


def gives_request(function: Function, entry: check_part.Entry, quick: str) -> bool:
    """Whether its calls on the quick path make a request, of which something must be kept (check/quick_request.c)."""
    return bool(quick) and check_part.lasts(function, entry) == "ST_LASTS_REQUEST"


def check_before(function: Function, entry: check_part.Entry) -> str:
    name = function.name
    before = f"st_check_before(&checked, &form_{name}, &call, values);\n"
    quick = quick_part.quick_condition(function, entry)
    text = (
        f"    const uint64_t values[] = {{{check_part.values(function)}}};\n    struct st_checked checked;\n"
        "    checked.facts.found = 0;\n    checked.statuses = NULL;\n"
        f"    const uint8_t checks = st_check_wanted(&call, &function_{name});\n"
    )
    if check_part.begins_access(function, entry):
        return (
            f"{text}    const bool quick = checks == ST_CHECKS_QUICK &&\n"
            f"        st_quick_access_before(&checked, &form_{name}, &call, values);\n"
            f"    if (!quick && checks != ST_CHECKS_OFF)\n        {before}"
        )
    if not gives_request(function, entry, quick):
        wanted = f"checks == ST_CHECKS_QUICK ? !({quick}) : checks != ST_CHECKS_OFF" if quick else "checks != ST_CHECKS_OFF"
        if quick_part.sends_quick(function, entry):
            wanted = f"checks == ST_CHECKS_QUICK && !st_messages_are_on() ? !({quick}) : checks != ST_CHECKS_OFF"
        return f"{text}    const bool wanted = {wanted};\n    if (wanted)\n        {before}"
    return (
        f"{text}    const bool quick = checks == ST_CHECKS_QUICK && {quick};\n"
        f"    if (quick)\n        st_quick_request_before(&checked, &form_{name}, &call, values);\n"
        f"    else if (checks != ST_CHECKS_OFF)\n        {before}"
    )


def check_after(function: Function, entry: check_part.Entry) -> str:
    quick = quick_part.quick_condition(function, entry)
    after = "        st_check_after(&checked, result == MPI_SUCCESS);\n"
    if check_part.begins_access(function, entry):
        return (
            "    if (quick)\n        st_quick_access_after(&checked, result == MPI_SUCCESS);\n"
            f"    else if (checks != ST_CHECKS_OFF)\n{after}"
        )
    if not gives_request(function, entry, quick):
        return f"    if (wanted)\n{after}"
    request = function.parameters[-1].name
    return (
        "    if (quick)\n        st_quick_request_after(&checked, result == MPI_SUCCESS, "
        f"(uint64_t)(uintptr_t){request},\n                             ST_VALUE(*{request}));\n"
        f"    else if (checks != ST_CHECKS_OFF)\n{after}"
    )


def quick_call(
    function: Function, entry: check_part.Entry, entry_name: str, condition: str, form: int
) -> str:
    """The code before the wrapper of a function that has nothing to do after the call of MPI."""
    types = ", ".join(p.type for p in function.parameters)
    requests = quick_part.completes_quick(function, entry)
    completes = ""
    if requests >= 0:
        completes = (
            f"        const uint64_t values[] = {{{check_part.values(function)}}};\n"
            "        const struct st_call call = {.pc = __builtin_return_address(0), .sp = __builtin_dwarf_cfa(),\n"
            "            .caller = ST_CALLER_USER, .record = true};\n"
            "        struct st_checked checked;\n"
            f"        const bool completes = {condition} &&\n"
            f"            st_quick_completion(&checked, &function_{function.name}, &form_{function.name}, &call, values, {requests});\n"
        )
        condition = "completes"
    return (
        "    struct st_thread_call *shown = st_thread_call_outermost();\n"
        f"    if (__builtin_expect(shown != NULL, 1)) {{\n{completes}"
        f"        {function.result} (*next)({types}) = ({function.result} (*)({types}))st_quick_next(\n"
        f"            &function_{function.name}, {entry_name}, __builtin_return_address(0), {condition});\n"
        "        if (__builtin_expect(next != NULL, 1)) {\n"
        f"{call_part.quick(function, entry, form)}        }}\n    }}\n"
    )


def recording(function: Function, parts: dict[str, str]) -> str:
    """The code that records what a successful call has made."""
    if function.stem in CONSTRUCTORS:
        return constructor_body(function)
    if "after" not in parts:
        return ""
    site = ""
    if "&site" in parts["after"]:
        site = "        struct st_site site;\n        st_site_of(call.pc, call.sp, call.caller, &site);\n"
    return f"{site}        {parts['after']}\n"


def own_body(function: Function, entry: check_part.Entry | None, parts: dict[str, str], shown: int | None) -> str:
    """The body of a wrapper with code of its own."""
    name, result = function.name, function.result
    recorded = recording(function, parts)
    by_value = parts.get("returns") == "value"
    new = struct_out(function)
    types = ", ".join(p.type for p in function.parameters) or "void"
    arguments = [p.name for p in function.parameters]
    lines = [
        f"    typedef {result} real({types});\n",
        "    struct st_call call;\n",
        f"    real *next = (real *)st_call_begin(&call, &function_{name}, entry, pc, sp);\n",
        "    if (!next)\n",
        f"        return {'-1' if by_value else 'MPI_ERR_OTHER'};\n",
    ]
    if shown is not None:
        lines.append(call_part.begin(function, shown))
    detours = can_detour(function)
    lines.append(gives_callbacks(function))
    lines.append(detour_before(function) if detours else "")
    if entry and entry.collective >= 0:
        lines.append(
            "    struct st_comm *counted =\n        call.record ? "
            f"st_collective_begins({check_part.collective_comm(function, entry)}) : NULL;\n"
        )
    if entry:
        lines.append(check_before(function, entry))
    if entry and entry.collective >= 0:
        lines.append(
            "    if (call.record && st_concurrent_is_wanted(counted))\n"
            f"        st_check_concurrent(&form_{name}, counted, &call, values);\n"
            "    if (call.record && st_collective_is_compared(counted))\n"
            f"        st_collective_compared(&form_{name}, counted, &call, values, checked.facts.found);\n"
        )
    if entry and entry.identity in ("MEMBERS", "PAIR"):
        lines.append(
            "    if (call.record) {\n"
            f"        st_gathering_begins(&form_{name}, &call, values, checked.facts.found);\n"
            f"        st_partners_compared(&form_{name}, &call, values, checked.facts.found);\n"
            "    }\n"
        )
    if "before" in parts:
        lines.append(f"    {parts['before']}\n")
    if new:
        # The program may let MPI write the new type over one of the old ones (&types[0]).
        lines.append(f"    MPI_Datatype made = {new} ? *{new} : st_datatype(0);\n")
        arguments[-1] = f"{new} ? &made : NULL"
        recorded = recorded.replace(f"*{new}", "made")
    if entry:
        arguments = check_part.with_statuses(entry, arguments)
    lines.append(synchronous(function, entry))
    lines.append(f"    {result} result = next({', '.join(arguments)});\n")
    lines.append("    st_call_end(&call);\n")
    if shown is not None:
        lines.append(call_part.REFUSED)
    if "always" in parts:
        lines.append(f"    {parts['always']}\n")
    if recorded:
        condition = "call.record" if by_value else "result == MPI_SUCCESS && call.record"
        lines += [f"    if ({condition}) {{\n", recorded, "    }\n"]
    if new:
        lines += [f"    if ({new})\n", f"        *{new} = made;\n"]
    if entry:
        lines.append(check_after(function, entry))
    lines.append(detour_after(function) if detours else "")
    if shown is not None:
        lines.append(call_part.END)
    lines.append("    return result;\n")
    return "".join(lines)


def quick_path(function: Function, entry: check_part.Entry, parts: dict[str, str]) -> str:
    """The condition on which a call is made at once, in C; "" if it never is."""
    if not check_part.needs_after(entry) and not parts and not recording(function, parts):
        return quick_part.quick_condition(function, entry)
    if quick_part.completes_quick(function, entry) >= 0:
        return quick_part.completion_condition(function, entry)
    return ""


def wrapper(
    function: Function, hidden: bool, entry: check_part.Entry | None, number: int, shown: int | None
) -> str:
    """number: the entry's index among the forms. shown: the offset of the function's line in the text of forms;
    None: a debugger does not see its calls."""
    name, public = function.name, function.public
    parts = other_parts(function) if name in OTHERS else {}
    declared = "".join(f", {p.text}" for p in function.parameters)
    passed = "".join(f", {p.name}" for p in function.parameters)
    lines = [f"\n/* --- {public} */\n"]
    if entry or can_detour(function):
        described = entry or bare_entry(function)
        lines.append(
            check_part.form(function, described, number, shown or 0, quick_part.sends_quick(function, described))
        )
    lines += [  # mpi.h may have a macro of that name, too
        f"#undef {public}\n",
        f"#undef P{public}\n",
        f'static struct st_function function_{name} = {{.name = "P{public}"}};\n',
        synchronous_slot(function),
        f"__attribute__((noinline)) static {function.result} wrap_{name}(enum st_entry entry, const void *pc, "
        f"const void *sp{declared})\n{{\n",
        plain_body(function, entry) if entry and is_plain(function, entry) else own_body(function, entry, parts, shown),
        "}\n\n",
    ]
    quick = quick_path(function, entry, parts) if entry else ""
    for prefix, entry_name in (("", "ST_ENTRY_MPI"), ("P", "ST_ENTRY_PMPI")):
        if hidden:
            lines.append(f"{function.declaration(prefix)};\n")
        lines += [
            f"ST_EXPORT {function.declaration(prefix)}\n{{\n",
            quick_call(function, entry, entry_name, quick, shown) if quick else "",
            f"    return wrap_{name}({entry_name}, __builtin_return_address(0), "
            f"__builtin_dwarf_cfa(){passed});\n}}\n\n",
        ]
    return "".join(lines)


def wrappers(source: str) -> str:
    declared = parse_functions(source)
    hidden = {name: f for name, f in parse_functions(HIDDEN).items() if name not in declared}
    table = check_part.read_table(TABLE)
    unknown = sorted(
        name
        for name, function in declared.items()
        if gives_datatype(function)
        and function.public != name
        and function.stem not in CONSTRUCTORS
        and name not in OTHERS
        and name not in NOT_CONSTRUCTORS
    )
    if unknown:
        raise BuildError(
            f"mpi.h: 'MPI_{unknown[0]}' gives out a datatype and the tables in record_part.py do"
            " not know it: add it to CONSTRUCTORS, OTHERS or NOT_CONSTRUCTORS"
        )
    for name in check_part.unknown_functions(table, declared):
        print(f"generate.py: note: 'MPI_{name}' is not in calls.table: it is not checked",
              file=sys.stderr)
    text = f'#define _GNU_SOURCE\n#include "runtime/wrap/mpi_side.h"\n\n#include <string.h>\n{HEADERS}\n'
    text += "".join(f'#include "runtime/{header}.h"\n' for header in INCLUDED)
    forms = call_part.Forms()
    entries: list[str] = []  # names of functions with a form
    for name, function in sorted((declared | hidden).items()):
        recorded = name in OTHERS or function.stem in CONSTRUCTORS
        entry = check_part.entry_of(table, function, recorded)
        if recorded or entry or call_part.is_watched(function) or can_detour(function):
            shown = forms.add(function, entry) if call_part.is_shown(function) else None
            text += wrapper(function, name in hidden, entry, len(entries), shown) + fortran(function)
        if entry or can_detour(function):
            entries.append(name)
    for table, prefix in (("const struct st_form *const st_form_table", "form"),
                          ("struct st_function *const st_form_functions", "function")):
        rows = ",\n    ".join(f"&{prefix}_{name}" for name in entries)
        text += f"\n{table}[] = {{\n    {rows}}};\n"
    text += f"const uint16_t st_form_count = {len(entries)};\nuint32_t st_form_groups[{len(entries)}];\n"
    return text + "\n" + forms.text()


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
