# SPDX-License-Identifier: BSD-3-Clause
"""The desktop's own viewer for a picture."""

import os
import shutil
import subprocess
from typing import Optional

_PROGRAM = "xdg-open"  # starts the program that the user has chosen for SVG, usually a web browser

# The shell ends at once, so that gdb has no child that it does not know. The viewer may live longer than gdb.
_BEHIND = '"$0" "$1" >/dev/null 2>&1 </dev/null &'


def why_none() -> Optional[str]:
    """Why no picture can be opened; None if one can."""
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return "no display ($DISPLAY is not set)"
    if shutil.which(_PROGRAM) is None:
        return f"no such program: '{_PROGRAM}'"
    return None


def show(path: str) -> None:
    """Opens a file, beside gdb."""
    program = shutil.which(_PROGRAM) or _PROGRAM
    subprocess.run(["/bin/sh", "-c", _BEHIND, program, os.path.abspath(path)], check=False, start_new_session=True)
