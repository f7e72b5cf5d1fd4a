# SPDX-License-Identifier: BSD-3-Clause
"""Values that are shown as a text, and that gdb takes for numbers: arguments of frames (frame_arguments.py)."""

from typing import Dict

import gdb

from . import synth

_MOST = 10000  # texts of lists of frames that a frontend may still show

_texts: Dict[int, str] = {}
_numbers: Dict[str, int] = {}
_last = 0


def value(text: str) -> gdb.Value:
    """The value that is shown as this text."""
    global _last
    if text not in _numbers:
        if len(_numbers) >= _MOST:
            _texts.clear()
            _numbers.clear()
        _last += 1
        _numbers[text] = _last
        _texts[_last] = text
    return gdb.Value(_numbers[text]).cast(synth.types()["mpipp_argument"])


def text(of: gdb.Value) -> str:
    """The text of such a value."""
    return _texts.get(int(of), "<not known any more>")
