# SPDX-License-Identifier: BSD-3-Clause
"""The names of the program's functions, by their addresses."""

import re
from typing import Optional

import gdb

_MOST = 200


def of(address: int) -> str:
    """Returns the name of the function that begins at the address: "add"; the address if it is not known."""
    name = _of_debug_information(address) or _of_symbol(address)
    return name[:_MOST] if name is not None else f"0x{address:x}"


def _of_debug_information(address: int) -> Optional[str]:
    try:
        block = gdb.block_for_pc(address)
    except (gdb.error, OverflowError):
        return None
    while block is not None and block.function is None:
        block = block.superblock
    return block.function.print_name if block is not None and block.start == address else None


def _of_symbol(address: int) -> Optional[str]:
    """Does the same for a function without debug information."""
    try:
        text = gdb.format_address(address, gdb.current_progspace(), gdb.selected_inferior().architecture())
    except (gdb.error, OverflowError, UnicodeError):
        return None
    match = re.fullmatch(r"0x[0-9a-f]+ <(.*)>", text)
    return match.group(1) if match and not re.search(r"\+\d+$", match.group(1)) else None
