"""Types in a few words: for the rows of a listing and the nodes of a tree."""

import array
from typing import Dict, Tuple

from .. import _mpipp
from . import contiguous

# kind: its numbers, and what they are called in a row
_PARAMETERS: Dict[str, Tuple[Tuple[str, str], ...]] = {
    "CONTIGUOUS": (("count", "count"),),
    "VECTOR": (("count", "count"), ("blocklength", "blocklength"), ("stride", "stride")),
    "HVECTOR": (("count", "count"), ("blocklength", "blocklength"), ("stride_bytes", "stride")),
    "INDEXED": (("count", "count"),),
    "HINDEXED": (("count", "count"),),
    "INDEXED_BLOCK": (("count", "count"), ("blocklength", "blocklength")),
    "HINDEXED_BLOCK": (("count", "count"), ("blocklength", "blocklength")),
    "STRUCT": (("count", "count"),),
    "SUBARRAY": (),
    "DARRAY": (("size", "size"), ("rank", "rank")),
    "RESIZED": (("lb", "lb"), ("extent", "extent")),
    "F90_REAL": (("precision", "precision"), ("range", "range")),
    "F90_COMPLEX": (("precision", "precision"), ("range", "range")),
    "F90_INTEGER": (("range", "range"),),
}

_ARRAYS = {"SUBARRAY": ("sizes", "subsizes", "starts"), "DARRAY": ("gsizes",)}
_ARRAY_MOST = 4


def handle(of: "_mpipp.Type") -> str:
    """The handle in hex."""
    return f"0x{of.handle:x}"


def title(of: "_mpipp.Type") -> str:
    """What a user calls the type: its name, or its handle."""
    return of.name if of.name else handle(of)


def parameters(of: "_mpipp.Type") -> str:
    """ "VECTOR count 512, blocklength 1, stride 512" """
    words = [f"{label} {_number(of, name)}" for label, name in _PARAMETERS.get(of.kind, ())]
    for name in _ARRAYS.get(of.kind, ()):
        words.append(f"{name} {_numbers(of, name)}")
    if of.kind in _ARRAYS:
        words.append("order " + ("FORTRAN" if of.member("order") else "C"))
    kind = "UNKNOWN" if of.kind == "OPAQUE" else of.kind
    return f"{kind} {', '.join(words)}" if words else kind


def built(of: "_mpipp.Type") -> str:
    """The same, and what it is built on: "... of MPI_DOUBLE"."""
    if of.kind == "NAMED":
        return of.name or handle(of)
    if of.base is None:
        return parameters(of)
    base = of.base.name or of.base.kind
    return f"{parameters(of)} of {base}"


def line(of: "_mpipp.Type") -> str:
    """The same in a listing, which shows nothing else of it: "... = 3000000000 × MPI_FLOAT"."""
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
