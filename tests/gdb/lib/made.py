"""In gdb: $made(), how many structs of types and lists of statuses the plugin has made since $made() was asked last."""

from typing import Callable

import gdb
from mpipp import record, statuses


class Made(gdb.Function):
    """Starts again."""

    number = 0

    def invoke(self) -> int:
        """Called by gdb."""
        number, Made.number = Made.number, 0
        return number


def counted(make: Callable[..., object]) -> Callable[..., object]:
    """The same function, whose calls are counted."""

    def make_one(*arguments: object) -> object:
        Made.number += 1
        return make(*arguments)

    return make_one


record.of_type = counted(record.of_type)  # type: ignore[assignment]
statuses.members = counted(statuses.members)  # type: ignore[assignment]
Made("made")
