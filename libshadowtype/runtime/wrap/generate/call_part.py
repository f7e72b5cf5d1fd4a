# SPDX-License-Identifier: BSD-3-Clause
"""What a debugger sees of a running call: its arguments, and the line that says what they are.

The lines of all functions are one text (core/model/registry.h, root.forms); a call refers to its line by the
offset in that text.
"""

from __future__ import annotations

import re

from check_part import Entry, collective_comm, is_pointer, value
from mpi_header import BuildError, Function, Parameter
from quick_part import completed, completes_quick, sends_quick

MOST = 16  # equals ST_CALL_VALUES

# Functions that may wait for other ranks, but are not in calls.table or have nothing to check.
WATCHED = re.compile(
    r"Init$|Init_thread$|Finalize$|Abort$|Session_(?!\w*2[cf]$)|Barrier|Buffer_(de|at)tach(_c)?$"
    r"|Win_(?!c2f|f2c|\w*_fn$|dup_fn|null)|File_(?!c2f|f2c)|Comm_(accept|connect|disconnect|join|get_parent)$"
    # Only MPI can tell whether their arguments are wrong.
    r"|Dims_create$|Add_error_|Error_(class|string)$|Register_datarep|Status_set_cancelled$"
    r"|Grequest_|Pready|Parrived|Lookup_name$|(Un)?[Pp]ublish_name$|Open_port$|Close_port$"
)


def is_watched(function: Function) -> bool:
    """Whether calls of the function are shown, though nothing is checked or recorded."""
    return function.result == "int" and bool(WATCHED.match(function.name))


def is_shown(function: Function) -> bool:
    """Whether a user may look for a call of the function. Conversions of handles are excluded: Open MPI's Fortran
    bindings call them all the time (and MPI_Fint is an int)."""
    return function.result == "int" and not function.name.endswith(("_c2f", "_f2c"))


def described(role: str, parameter: Parameter) -> str:
    """ "write|void *|buf"; an array is a pointer."""
    kind = " ".join(parameter.type.replace("*", " * ").split()).replace("* *", "**")
    return f"{role}|{kind}|{parameter.name.rstrip('_')}"


def line(function: Function, entry: Entry | None) -> str:
    """ "MPI_Wait:done|MPI_Request *|request,-|MPI_Status *|status\\n" """
    if len(function.parameters) > MOST:
        raise BuildError(f"mpi.h: '{function.public}' has more than {MOST} parameters")
    roles = entry.roles if entry else ["-"] * len(function.parameters)
    rows = [described(role, p) for role, p in zip(roles, function.parameters)]
    text = f"{function.public}:{','.join(rows)}\n"
    if text.count(",") != max(len(rows) - 1, 0) or text.count("|") != 2 * len(rows) or not text.isascii():
        raise BuildError(f"mpi.h: cannot describe the parameters of '{function.public}'")
    return text


class Forms:
    """The lines written so far."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._bytes = 0

    def add(self, function: Function, entry: Entry | None) -> int:
        """The offset of a function's line."""
        start = self._bytes
        self._lines.append(line(function, entry))
        self._bytes += len(self._lines[-1])
        return start

    def text(self) -> str:
        """The text as C."""
        rows = "\n".join('    "{}\\n"'.format(row[:-1].replace('"', '\\"')) for row in self._lines)
        return (
            f"const char st_forms[] =\n{rows};\n"
            "const uint32_t st_forms_bytes = sizeof st_forms - 1;\n"
        )


def stores(function: Function, indent: str) -> str:
    """Statements that store the arguments in `shown`."""
    return "".join(
        f"{indent}shown->values[{i}] = {stored(p)};\n" for i, p in enumerate(function.parameters)
    )


def stored(parameter: Parameter) -> str:
    """A parameter as a 64-bit number."""
    if not is_pointer(parameter) and "function" in parameter.type:
        return f"(uint64_t)(uintptr_t){parameter.name}"
    return value(parameter)


def runs(form: int, site: str, pc: str, sp: str) -> str:
    return f"st_thread_call_runs(shown, {form}u, {site}, {pc}, {sp});\n"


def begin(function: Function, form: int) -> str:
    """For the wrapper: the call is the user's, and MPI has not been called yet."""
    return (
        "    struct st_thread_call *shown = call.record ? st_thread_call_begin(sp) : NULL;\n"
        "    if (shown) {\n"
        f"{stores(function, '        ')}        st_thread_call_through(shown, &call);\n        {runs(form, 'st_thread_call_site(&call)', 'pc', 'sp')}    }}\n"
    )


# Right after the call of MPI: what the call used is still known then.
REFUSED = (
    "    if (shown && __builtin_expect(result != MPI_SUCCESS, 0))\n"
    "        st_fatal_refused(shown, result);\n"
)
END = "    if (shown)\n        st_thread_call_returned(shown, result);\n"


def counts(comm: str, indent: str) -> str:
    """For a function that is collective on this communicator: counts the call."""
    return f"{indent}struct st_comm *counted = st_collective_begins({comm});\n" if comm else ""


def compared_quick(name: str, comm: str, indent: str) -> str:
    """For a counted call: compares it with those of other ranks."""
    if not comm:
        return ""
    return (
        f"{indent}if (st_concurrent_is_wanted(counted))\n"
        f"{indent}    st_check_concurrent_quick(&form_{name}, counted, __builtin_return_address(0), "
        "__builtin_dwarf_cfa(), shown->values);\n"
        f"{indent}if (st_collective_is_compared(counted))\n"
        f"{indent}    st_collective_compared_quick(&form_{name}, counted, __builtin_return_address(0), "
        "__builtin_dwarf_cfa(), shown->values);\n"
    )


HERE = "__builtin_return_address(0), __builtin_dwarf_cfa()"


def message_quick(function: Function, entry: Entry) -> tuple[str, str]:
    """The code before and after MPI's function in a call that sends or receives a message (check/messages.h)."""
    if not sends_quick(function, entry):
        return "", ""
    call = f"&form_{function.name}, {HERE}, shown->values"
    own, status, statuses = "", "NULL", [p.name for p, role in zip(function.parameters, entry.roles) if role == "status"]
    if statuses:
        own = (
            "            MPI_Status filled;\n"
            f"            const bool fills = followed && {statuses[0]} == MPI_STATUS_IGNORE;\n"
            f"            if (fills)\n                {statuses[0]} = &filled;\n"
        )
        status = "fills ? &filled : NULL"
    before = (
        "            const bool followed = st_messages_are_on();\n"
        f"            const uint32_t receive = followed ? st_message_begins_quick({call}) : ST_NO_RECEIVE;\n{own}"
    )
    after = (
        "            if (followed)\n"
        f"                st_message_ends_quick({call}, receive, {status}, result == MPI_SUCCESS);\n"
    )
    return before, after


def completion_quick(function: Function, entry: Entry) -> tuple[str, str]:
    """The same for a call that completes requests; it is `completes` if it has been checked already."""
    before = "            if (completes)\n                st_request_completing(&checked);\n"
    after = (
        f"            if (completes && (result != MPI_SUCCESS || ({completed(function, entry)})))\n"
        "                st_check_after(&checked, result == MPI_SUCCESS);\n"
    )
    return before, after


def quick(function: Function, entry: Entry, form: int) -> str:
    """The code that calls MPI at once, as `next`. A function that does not communicate is not refused there, and is
    cheapest without a look at its result."""
    refused = (
        "            if (__builtin_expect(result != MPI_SUCCESS, 0))\n"
        "                st_fatal_refused(shown, result);\n"
    )
    names = ", ".join(p.name for p in function.parameters)
    comm = collective_comm(function, entry)
    is_completion = completes_quick(function, entry) >= 0
    before, after = completion_quick(function, entry) if is_completion else message_quick(function, entry)
    return (
        "            st_thread_call_opens(shown);\n"
        f"{stores(function, '            ')}"
        f"            {runs(form, 'ST_NO_SITE', '__builtin_return_address(0)', '__builtin_dwarf_cfa()')}"
        f"{counts(comm, '            ')}{compared_quick(function.name, comm, '            ')}{before}"
        f"            {function.result} result = next({names});\n"
        f"{refused if entry.parts or is_completion else ''}{after}"
        "            st_thread_call_returned(shown, result);\n"
        "            return result;\n"
    )
