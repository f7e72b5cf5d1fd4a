# SPDX-License-Identifier: BSD-3-Clause
"""Functions that the user does not want to see as the place of a call: wrappers of MPI (`mpipp run --skip-frames`)."""

import fnmatch
import os
import re
from typing import Optional, Tuple

# Equals SKIP_FRAMES_VARIABLE of cmd/findings/skip.h: a rank that --on-error holds passes it to its debugger.
_VARIABLE = "MPIPP_SKIP_FRAMES"

_patterns: Tuple[str, ...] = ()


def initial() -> str:
    """The patterns to begin with; empty if the variable contains an empty pattern."""
    text = os.environ.get(_VARIABLE, "")
    return text if use(text) else ""


def use(text: str) -> bool:
    """Takes patterns with commas between them; an empty text means no pattern. Returns False, and changes nothing, if one of
    several is empty."""
    global _patterns
    patterns = tuple(text.split(",")) if text else ()
    if "" in patterns:
        return False
    _patterns = patterns
    return True


def skips(function: Optional[str]) -> bool:
    """Whether a frame of this function is skipped. gdb's name of a C++ function includes the class and the arguments."""
    bare = re.sub(r"\(.*", "", function or "").rpartition("::")[2]
    return function is not None and any(fnmatch.fnmatchcase(bare, pattern) for pattern in _patterns)
