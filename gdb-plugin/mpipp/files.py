# SPDX-License-Identifier: BSD-3-Clause
"""Files that a command writes: completely, or not at all."""

import os
import stat
from contextlib import contextmanager, suppress
from typing import BinaryIO, Iterator, List

from .fault import fault


def name_in(words: List[str], usage: str) -> str:
    """The file name of an operand; quotes keep blanks, and ~ is the home directory, as in gdb's `dump'."""
    name = " ".join(words)
    if len(name) > 1 and name[0] in "\"'" and name[-1] == name[0]:
        name = name[1:-1]
    if not name:
        raise fault(f"no file given: {usage}")
    return os.path.expanduser(name)


def _is_like(path: str, beginning: bytes) -> bool:
    """Whether the file is empty, or begins like this. Anything but a regular file is."""
    if not os.path.isfile(path):
        return True
    with open(path, "rb") as file:
        found = file.read(len(beginning))
    return found in (b"", beginning)


@contextmanager
def replaced(path: str, ending: str, beginning: bytes) -> Iterator[BinaryIO]:
    """A file to write into, which finally replaces `path`. If anything fails meanwhile (also Ctrl-C), it is removed, and `path`
    stays unchanged. Anything but a regular file, such as /dev/null or a pipe, is written to directly.

    A file that is there is replaced if its name ends in `ending`, or if it begins with `beginning`, as what is written does.
    Others are refused: the program's source may have been named by mistake."""
    try:
        if not path.endswith(ending) and not _is_like(path, beginning):
            raise fault(f"'{path}' is there, and is another kind of file: give a name that ends in '{ending}'")
        with _written(os.path.realpath(path)) as file:
            yield file
    except OSError as error:
        raise fault(f"cannot write '{path}': {(error.strerror or str(error)).lower()}") from None


@contextmanager
def _written(path: str) -> Iterator[BinaryIO]:
    mode = _mode(path)
    if not stat.S_ISREG(mode):
        with open(path, "wb") as file:
            yield file
        return
    if os.path.exists(path) and not os.access(path, os.W_OK):
        open(path, "r+b").close()  # raises the reason
    import tempfile  # see host_text.py

    descriptor, name = tempfile.mkstemp(prefix=".mpipp-", dir=os.path.dirname(path))
    try:
        with open(descriptor, "wb") as file:
            os.fchmod(descriptor, stat.S_IMODE(mode))
            yield file
        os.replace(name, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name)
        raise


def _mode(path: str) -> int:
    """Kind and permissions of a file; those of a new file if it does not exist."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return stat.S_IFREG | (0o666 & ~mask)
