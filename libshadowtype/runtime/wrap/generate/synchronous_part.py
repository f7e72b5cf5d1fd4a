# SPDX-License-Identifier: BSD-3-Clause
"""The effect of 'mpipp run --synchronous' on a call (runtime/check/synchronous.h)."""

from __future__ import annotations

import re

from check_part import Entry
from mpi_header import Function

# Standard sends: MPI may buffer their messages, and return before there is a receive.
SENDS = re.compile(r"(Send|Isend|Send_init)(_c)?$")
# Blocking collective calls that may return in a rank before all members have come.
COLLECTS = re.compile(
    r"(Bcast|Gatherv?|Scatterv?|Allgatherv?|Alltoall[vw]?|Reduce|Allreduce|Reduce_scatter(_block)?|Scan|Exscan"
    r"|Neighbor_all(gatherv?|toall[vw]?))(_c)?$"
)


def synchronous_slot(function: Function) -> str:
    """The declaration where the wrapper of a standard send keeps the function that waits for the receive."""
    return f"static _Atomic(void *) synchronous_{function.name};\n" if SENDS.match(function.name) else ""


def synchronous(function: Function, entry: Entry | None, call: str = "call") -> str:
    """The code of the wrapper right before MPI is called. call: the struct st_call."""
    name, wanted = function.name, f"    if (st_synchronous_is_wanted(&{call}))\n"
    if SENDS.match(name):
        other = name.replace("Isend", "Issend").replace("Send", "Ssend")
        return f'{wanted}        next = (real *)st_synchronous_send(&synchronous_{name}, "PMPI_{other}", (void *)next);\n'
    if entry and COLLECTS.match(name):
        return f"{wanted}        st_synchronous_meet({function.parameters[entry.collective].name});\n"
    return ""
