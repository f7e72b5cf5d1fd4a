# SPDX-License-Identifier: BSD-3-Clause
"""The buffers of a call: which of its parameters belong together (libshadowtype/runtime/wrap/calls.table)."""

from typing import List, NamedTuple, Optional

from . import _mpipp

BUFFERS = frozenset(("read", "write", "bcast", "swap"))


class Part(NamedTuple):
    """A buffer and its description, as numbers of parameters. count None: one element."""

    buffer: int
    role: str
    """read, write, bcast, swap"""
    where: str
    """in which ranks it is significant: "", "root", "leaf", "member" """
    count: Optional[int]
    displs: Optional[int]
    type: int


def parts(form: "_mpipp.Form") -> List[Part]:
    """The buffers of a call. The parameters after a buffer, up to the next type, belong to it; if several buffers precede
    a type, to all of them."""
    found: List[Part] = []
    waiting: List[Part] = []
    count: Optional[int] = None
    displs: Optional[int] = None
    for index, parameter in enumerate(form.parameters):
        role, *qualifiers = parameter.role.split(":")
        if role in BUFFERS or role == "there":
            if role == "there":
                waiting = []  # at the target, whose memory is in another process
            else:
                where = next((word for word in qualifiers if not word.startswith("inplace")), "")
                waiting.append(Part(index, role, where, None, None, -1))
            count = displs = None
        elif role in ("count", "counts"):
            count = index
        elif role == "displs":
            displs = index
        elif role in ("type", "types"):
            found += [part._replace(count=count, displs=displs, type=index) for part in waiting]
            waiting = []
    return found


def place_of(form: "_mpipp.Form", *roles: str) -> Optional[int]:
    """The number of the first parameter with one of these roles."""
    return next((i for i, one in enumerate(form.parameters) if one.role.split(":")[0] in roles), None)
