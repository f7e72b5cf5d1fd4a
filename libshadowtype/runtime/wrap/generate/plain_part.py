# SPDX-License-Identifier: BSD-3-Clause
"""Functions whose wrapper has next to no code of its own (check/plain_call.h), and their wrapper."""

from __future__ import annotations

import check_part
import quick_part
from call_part import is_shown, stored
from check_part import Entry
from detour_part import gives_callbacks
from mpi_header import Function
from record_part import CONSTRUCTORS, OTHERS
from synchronous_part import synchronous


def is_plain(function: Function, entry: Entry) -> bool:
    """Whether the form says all that its calls need: nothing is recorded, and there is no quick path."""
    if function.name in OTHERS or function.stem in CONSTRUCTORS:
        return False
    is_own = (
        quick_part.quick_condition(function, entry)
        or quick_part.completes_quick(function, entry) >= 0
        or check_part.begins_access(function, entry)
        or gives_callbacks(function)
    )
    is_seen = is_shown(function) and all(stored(p) == check_part.value(p) for p in function.parameters)
    return is_seen and not is_own


def plain_body(function: Function, entry: Entry) -> str:
    """The body of such a wrapper."""
    arguments = check_part.with_statuses(entry, [p.name for p in function.parameters], "plain.checked")
    return (
        f"    typedef int real({', '.join(p.type for p in function.parameters) or 'void'});\n"
        f"    const uint64_t values[] = {{{check_part.values(function)}}};\n"
        "    struct st_plain_call plain;\n"
        f"    real *next = (real *)st_plain_call_begin(&plain, &form_{function.name}, entry, pc, sp, values);\n"
        "    if (!next)\n        return MPI_ERR_OTHER;\n"
        f"{synchronous(function, entry, 'plain.call')}"
        f"    return st_plain_call_end(&plain, next({', '.join(arguments)}));\n"
    )
