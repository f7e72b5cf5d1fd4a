"""A display for what opens windows, with tests/gdb/lib/display.py."""

import contextlib
import os
import sys
import tempfile
from typing import Iterator

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "gdb", "lib"))
import display as server  # noqa: E402


@contextlib.contextmanager
def display(size: str = "800x560") -> "Iterator[server.Display]":
    """A display of so many pixels, which the environment names as long as it is there."""
    with tempfile.TemporaryDirectory() as folder:
        process = server.start(folder, size)
        try:
            yield server.Display(folder)
        finally:
            process.terminate()
            process.wait()
            del os.environ["DISPLAY"], os.environ["XAUTHORITY"]
