# SPDX-License-Identifier: BSD-3-Clause
"""Texts, remarks, hexadecimal and open numbers, bytes and Fortran logicals."""

from typing import Optional

import gdb

from .. import frame_texts, record
from ..settings import braces, enclosed
from .base import Leaf, Text


class ValuePrinter(Leaf):
    """A value that is shown as a text."""

    def __init__(self, value: gdb.Value) -> None:
        super().__init__()
        self._value = value


class QuotedPrinter(Leaf):
    """A text in quotes, in the way of the language. `set print elements' is for data, and does not shorten names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._quoted = text
        self._simple = braces() and text.isascii() and text.isprintable() and not set('"\\') & set(text)

    def display_hint(self) -> Optional[str]:
        """Called by gdb."""
        return None if self._simple else "string"

    def _text(self) -> Text:
        return f'"{self._quoted}"' if self._simple else self._quoted


def text_printer(value: gdb.Value) -> Leaf:
    """mpipp_text"""
    return QuotedPrinter(value["text"].string("utf-8", "replace"))


class ArgumentPrinter(ValuePrinter):
    """An argument of a call, as a text."""

    def _text(self) -> Text:
        return frame_texts.text(self._value)


class WordPrinter(ValuePrinter):
    """mpipp_word: shown as it is."""

    def _text(self) -> Text:
        return self._value["text"].string("utf-8", "replace")


class TooDeepPrinter(Leaf):
    """A value at such a depth that gdb, which prints by recursion, would run out of stack: shown as below `max-depth`."""

    def _text(self) -> Text:
        return enclosed("...")


class OpenPrinter(ValuePrinter):
    """mpipp_open: a number, or MPI_UNDEFINED."""

    def _text(self) -> Text:
        if int(self._value) == record.OPEN:
            return "MPI_UNDEFINED"
        return self._value.cast(self._value.type.strip_typedefs())


class HexPrinter(ValuePrinter):
    """mpipp_hex: 0x12345 in every language."""

    def _text(self) -> Text:
        return f"0x{int(self._value):x}"


class BytePrinter(ValuePrinter):
    """mpipp_byte: 0x1f."""

    def _text(self) -> Text:
        return f"0x{int(self._value['value']):02x}"


class LogicalPrinter(ValuePrinter):
    """mpipp_logical*: as gdb shows a Fortran LOGICAL."""

    def _text(self) -> Text:
        number = int(self._value["value"])
        return {0: ".FALSE.", 1: ".TRUE."}.get(number, str(number))
