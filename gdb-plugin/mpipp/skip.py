"""Functions that the user does not want to see as the place of a call: wrappers of MPI (`mpipp run --skip-frames`)."""

import fnmatch
import os
import re
from typing import Optional, Tuple

# As SKIP_FRAMES_VARIABLE of cmd/findings/skip.h: a rank that --on-error holds hands it to its debugger.
_VARIABLE = "MPIPP_SKIP_FRAMES"

_patterns: Tuple[str, ...] = ()


def initial() -> str:
    """The patterns to begin with; nothing where the variable has an empty one."""
    text = os.environ.get(_VARIABLE, "")
    return text if use(text) else ""


def use(text: str) -> bool:
    """Takes patterns with commas between them; an empty text is no pattern. Returns false, and changes nothing, if one of
    several is empty."""
    global _patterns
    patterns = tuple(text.split(",")) if text else ()
    if "" in patterns:
        return False
    _patterns = patterns
    return True


def skips(function: Optional[str]) -> bool:
    """Whether a frame of this function is passed over: gdb's name of it, which in C++ has the class and the arguments."""
    bare = re.sub(r"\(.*", "", function or "").rpartition("::")[2]
    return function is not None and any(fnmatch.fnmatchcase(bare, pattern) for pattern in _patterns)
