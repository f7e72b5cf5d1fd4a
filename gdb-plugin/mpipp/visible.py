"""Texts of the program that do not come through _mpipp: what gdb knows of it, and the checker's records."""

import re

# As st_text_acts() of libshadowtype/report/writer.h; and bytes of file names that are no UTF-8.
_ACTS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """The text, where what acts on a terminal instead of being seen is replaced."""
    return _ACTS.sub("\ufffd", text)
