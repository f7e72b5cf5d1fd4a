# SPDX-License-Identifier: BSD-3-Clause
"""Prevents that functions of the rank are called, and that its memory is written, unless the user's own expression does so."""

from contextlib import contextmanager
from typing import Iterator, Optional

import gdb

_ADDRESS_MASK = (1 << 64) - 1


@contextmanager
def no_calls() -> Iterator[None]:
    """Meanwhile expressions that gdb evaluates call no function of the program: a call raises gdb.error."""
    before = gdb.parameter("may-call-functions")
    gdb.execute("set may-call-functions off", to_string=True)
    try:
        yield
    finally:
        gdb.execute(f"set may-call-functions {'on' if before else 'off'}", to_string=True)


def place_of(value: gdb.Value) -> Optional[int]:
    """The address of a value; None if it is not in memory. To give an array an address (also a text, or an array that was
    optimised away), gdb would call malloc in the rank, while all ranks run, and write there."""
    if value.type.strip_typedefs().code in (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_STRING):
        with no_calls():
            address = value.address
    else:
        address = value.address
    return None if address is None else int(address) & _ADDRESS_MASK
