# SPDX-License-Identifier: BSD-3-Clause
"""Types that are only copies of another one, side by side; large ones must be built in pieces, because a count is an int."""

from typing import Optional

from .. import _mpipp
from ..settings import unicode_terminal

_INT_MAX = 2**31 - 1


def in_effect(of: "_mpipp.Type") -> Optional[str]:
    """ "3000000000 × MPI_FLOAT, as BigMPI builds it: 1 chunk of 2147483647, then 852516353"; None: it is no repetition, or
    the type itself says so."""
    found = _mpipp.contiguous(of)
    if found is None:
        return None
    text = _product(found)
    if found.bigmpi:
        chunks = f"{found.chunks} chunk{'' if found.chunks == 1 else 's'} of {found.chunk}"
        text += f", as BigMPI builds it: {chunks}" + (f", then {found.remainder}" if found.remainder else "")
    return text


def if_large(of: "_mpipp.Type") -> str:
    """ " = 3000000000 × MPI_FLOAT" for a summary in a line, if the count exceeds an int; else an empty text."""
    if of.elements is not None and of.elements <= _INT_MAX:
        return ""
    found = _mpipp.contiguous(of)
    return "" if found is None or found.count <= _INT_MAX else f" = {_product(found)}"


def _product(found: "_mpipp.Contiguous") -> str:
    unit = found.unit.name or found.unit.kind
    return f"{found.count} {'×' if unicode_terminal() else 'x'} {unit}"
