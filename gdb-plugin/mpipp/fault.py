# SPDX-License-Identifier: BSD-3-Clause
"""Errors that a user sees: one sentence, "mpipp: ...", never a traceback."""

import re
from contextlib import contextmanager
from typing import Iterator, Optional

import gdb

from . import _mpipp, core_file

# Exceptions of gdb and the core, which become a sentence. All others are defects of ours.
EXPECTED = (gdb.error, _mpipp.Error, RecursionError)


def fault(sentence: str) -> gdb.GdbError:
    """The exception for a sentence without its prefix."""
    return gdb.GdbError("mpipp: " + _mpipp.visible(sentence))


def sentence(error: Exception) -> str:
    """gdb's or the core's message as a sentence in our style: lower case, no full stop, names in single quotes."""
    if isinstance(error, RecursionError):
        return "the type is nested too deeply"
    text = str(error).strip().rstrip(".").replace('"', "'") or type(error).__name__
    if text[1:2].islower() or text[1:2] == " ":
        text = text[0].lower() + text[1:]
    why = _why_unreadable(error)
    return _mpipp.visible(" ".join(text.split()) + (f": {why}" if why else ""))


def _why_unreadable(error: Exception) -> Optional[str]:
    if isinstance(error, _mpipp.Unreadable):
        return core_file.why_missing(error.address)
    address = re.search(r"at address 0x([0-9a-f]+)", str(error)) if isinstance(error, gdb.MemoryError) else None
    return core_file.why_missing(int(address.group(1), 16)) if address else None


def let_quit(error: Exception) -> None:
    """Raises KeyboardInterrupt if gdb is being ended (SIGTERM, or its terminal is gone). gdb reports that once, by an
    ordinary error; a loop that ignored it would never end."""
    if isinstance(error, gdb.error) and str(error) == "SIGTERM":
        raise KeyboardInterrupt from error


@contextmanager
def sentences() -> Iterator[None]:
    """Turns exceptions of gdb and the core into one sentence for the user."""
    try:
        yield
    except EXPECTED as error:
        let_quit(error)
        raise fault(sentence(error)) from None
