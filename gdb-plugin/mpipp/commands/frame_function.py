# SPDX-License-Identifier: BSD-3-Clause
"""frame function, select-frame function, info frame function"""

from typing import Iterator, Optional, Tuple

import gdb


class _ByFunction(gdb.Command):
    """Replaces a command of gdb, which crashes gdb 13 in a session with several inferiors: it takes the function's address in
    another inferior for one of the selected inferior. The errors are gdb's own, without "mpipp:"."""

    _level = ""

    def __init__(self, name: str) -> None:
        super().__init__(name, gdb.COMMAND_STACK, gdb.COMPLETE_SYMBOL)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by gdb."""
        name = argument.strip()
        if not name:
            raise gdb.GdbError("Missing function name argument")
        if not gdb.selected_thread():
            raise gdb.GdbError("No stack.")
        frame = _frame_in(name)
        if frame is None and not _is_function(name):
            raise gdb.GdbError(f'Function "{name}" not defined.')
        if frame is None:
            raise gdb.GdbError(f'No frame for function "{name}".')
        gdb.execute(f"{self._level} {frame.level()}", from_tty)


class FrameFunction(_ByFunction):
    """Select and print a stack frame by function name.

Usage: frame function NAME

The innermost frame that visited function NAME is selected."""

    _level = "frame level"

    def __init__(self) -> None:
        super().__init__("frame function")


class SelectFrameFunction(_ByFunction):
    """Select a stack frame by function name.

Usage: select-frame function NAME

The innermost frame that visited function NAME is selected."""

    _level = "select-frame level"

    def __init__(self) -> None:
        super().__init__("select-frame function")


class InfoFrameFunction(_ByFunction):
    """Print information about a stack frame selected by function name.

Usage: info frame function NAME

The innermost frame that visited function NAME is selected."""

    _level = "info frame level"

    def __init__(self) -> None:
        super().__init__("info frame function")


def _split(name: str) -> Tuple[str, str]:
    """The file, or "", and the function of FUNCTION or FILE:FUNCTION."""
    file, _, function = name.rpartition(":") if "::" not in name else ("", "", name)
    return file, function


def _frame_in(name: str) -> Optional[gdb.Frame]:
    """The innermost frame of a function; name: as for _split()."""
    file, function = _split(name)
    frame: Optional[gdb.Frame] = gdb.newest_frame()
    while frame is not None:
        if function in _names(frame) and _is_in(frame, file):
            return frame
        frame = frame.older()
    return None


def _names(frame: gdb.Frame) -> Iterator[str]:
    """What a user may call a frame's function: with parameters or without them, and without its namespaces."""
    symbol = frame.function()
    for name in (frame.name(), symbol.linkage_name if symbol is not None else None):
        if name is None:
            continue
        bare = name.partition("(")[0]
        yield from (name, bare, bare.rpartition("::")[2])


def _is_in(frame: gdb.Frame, file: str) -> bool:
    symbol = frame.function()
    if not file:
        return True
    path = symbol.symtab.filename if symbol is not None and symbol.symtab is not None else ""
    return f"/{path}".endswith(f"/{file}")


def _is_function(name: str) -> bool:
    """Whether the selected inferior has such a function, in no frame."""
    try:
        return gdb.parse_and_eval(_split(name)[1]).type.strip_typedefs().code == gdb.TYPE_CODE_FUNC
    except gdb.error:
        return False
