# SPDX-License-Identifier: BSD-3-Clause
"""Types in a few words: for the rows of a listing and the nodes of a tree."""

import array

from .. import _mpipp
from . import contiguous

# Left out, because a row must be short.
_LEFT_OUT = ("ndims", "distribs", "dargs", "psizes")
_ARRAY_MOST = 4


def handle(of: "_mpipp.Type") -> str:
    """The handle in hex."""
    return f"0x{of.handle:x}"


def title(of: "_mpipp.Type") -> str:
    """The user's name of the type, or its handle."""
    return of.name if of.name else handle(of)


def parameters(of: "_mpipp.Type") -> str:
    """ "VECTOR count 512, blocklength 1, stride 512" """
    if of.kind == "OPAQUE":
        return "UNKNOWN"
    numbers, arrays = _mpipp.COMBINERS[of.kind]
    words = [f"{name} {_number(of, name)}" for name in numbers if name not in _LEFT_OUT]
    if "ndims" in numbers:
        words += [f"{name} {_numbers(of, name)}" for name in arrays if name not in _LEFT_OUT]
        words.append("order " + ("FORTRAN" if of.member("order") else "C"))
    return f"{of.kind} {', '.join(words)}" if words else of.kind


def built(of: "_mpipp.Type") -> str:
    """The same, and its old type: "... of MPI_DOUBLE"."""
    if of.kind == "NAMED":
        return of.name or handle(of)
    if of.base is None:
        return parameters(of)
    base = of.base.name or of.base.kind
    return f"{parameters(of)} of {base}"


def line(of: "_mpipp.Type") -> str:
    """The same for a listing, which shows nothing else of the type: "... = 3000000000 × MPI_FLOAT"."""
    return built(of) + contiguous.if_large(of)


def _number(of: "_mpipp.Type", name: str) -> str:
    value = of.member(name)
    return "open" if value is None else str(value)


def _numbers(of: "_mpipp.Type", name: str) -> str:
    if of.elided:
        return "(not kept)"
    shown = array.array("q", of.array(name, 0, min(of.entries, _ARRAY_MOST)))
    more = ", ..." if of.entries > _ARRAY_MOST else ""
    return "(" + ", ".join(map(str, shown)) + more + ")"
