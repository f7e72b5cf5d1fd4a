# SPDX-License-Identifier: BSD-3-Clause
"""The width of a text on a terminal."""

import unicodedata

_WIDE = frozenset("WF")


def _width(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in _WIDE else 1


def printable(text: str) -> str:
    """The text without characters that move the cursor or change colours: a name may contain any."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def part(text: str, first: int, width: int) -> str:
    """The text in the columns first..first+width-1; half of a wide letter becomes a blank."""
    shown, column = "", 0
    for letter in printable(text):
        size = _width(letter)
        if column >= first + width and size:
            break
        if column >= first and column + size <= first + width:
            shown += letter
        elif size == 2:
            shown += " "
        column += size
    return shown
