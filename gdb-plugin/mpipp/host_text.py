# SPDX-License-Identifier: BSD-3-Clause
"""Text of gdb that contains file names. A file name is bytes: if they are invalid in the host's character set, gdb's
Python raises a UnicodeDecodeError."""

import os
from contextlib import contextmanager
from typing import Callable, Iterator, Optional

import gdb


def shown(command: str) -> str:
    """The output of a command, like `decoded`. The command may run twice: it must change nothing."""
    try:
        return gdb.execute(command, to_string=True) or ""
    except UnicodeDecodeError:
        pass
    import tempfile  # rarely needed, and takes as long to load as a tenth of the package

    with tempfile.TemporaryFile() as file:
        gdb.execute(f"pipe {command} | cat >/proc/{os.getpid()}/fd/{file.fileno()}")
        file.seek(0)
        return os.fsdecode(file.read())


def quietly(command: str) -> None:
    """Runs a command and discards its output. Raises gdb.error."""
    try:
        gdb.execute(command, to_string=True)
    except UnicodeDecodeError:
        pass  # gdb decodes the text when the command has ended


def decoded(read: Callable[[], Optional[str]]) -> Optional[str]:
    """The result of `read`. Invalid bytes become surrogates, so that os.fsencode and open restore them."""
    try:
        return read()
    except UnicodeDecodeError:
        pass
    with _latin_1():
        text = read()
    return None if text is None else os.fsdecode(text.encode("iso-8859-1"))


@contextmanager
def _latin_1() -> Iterator[None]:
    """In this character set every byte is valid."""
    before = gdb.parameter("host-charset")
    gdb.execute("set host-charset ISO-8859-1")
    try:
        yield
    finally:
        gdb.execute(f"set host-charset {before}")
