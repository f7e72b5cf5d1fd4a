"""Nothing of the rank's is called, and nothing is written there, unless the user's own expression says so."""

from contextlib import contextmanager
from typing import Iterator, Optional

import gdb

_ADDRESS_MASK = (1 << 64) - 1


@contextmanager
def no_calls() -> Iterator[None]:
    """What gdb evaluates meanwhile calls no function of the program: a call is a gdb.error."""
    before = gdb.parameter("may-call-functions")
    gdb.execute("set may-call-functions off", to_string=True)
    try:
        yield
    finally:
        gdb.execute(f"set may-call-functions {'on' if before else 'off'}", to_string=True)


def place_of(value: gdb.Value) -> Optional[int]:
    """Where a value lies; None for one that is not in memory. To give an array a place, be it a text or one that was
    optimised away, gdb would call malloc in the rank, while all ranks run, and write there."""
    if value.type.strip_typedefs().code in (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_STRING):
        with no_calls():
            address = value.address
    else:
        address = value.address
    return None if address is None else int(address) & _ADDRESS_MASK
