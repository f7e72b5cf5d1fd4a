# SPDX-License-Identifier: BSD-3-Clause
"""gdb's `print ...` settings, in the form that the core needs."""

import re
from contextlib import contextmanager
from typing import Dict, Iterator, NamedTuple, Optional, Sequence

import gdb

UNLIMITED = -1

_BRACES = frozenset(("c", "c++", "objective-c", "opencl", "asm", "minimal", "d", "go"))

_UINT_MAX = 2**32 - 1  # the value for "unlimited" in gdb.print_options()


class PrintSettings(NamedTuple):
    """The settings of the same names; -1 is unlimited. format: a letter, or None."""

    elements: int
    repeats: int
    max_depth: int
    pretty: bool
    array: bool
    array_indexes: bool
    format: Optional[str]
    stages: bool
    """`mpipp stages'"""
    brief: bool
    """the text ends after some thousand letters"""

    def options(self) -> Dict[str, object]:
        """The same for gdb.Value.format_string."""
        options: Dict[str, object] = {
            "max_elements": max(self.elements, 0),
            "repeat_threshold": max(self.repeats, 0),
            "max_depth": self.max_depth,
        }
        if self.format is not None:
            options["format"] = self.format
        return options


def limit(name: str) -> int:
    """A numeric setting; gdb returns None for unlimited."""
    value = gdb.parameter(name)
    return UNLIMITED if value is None else int(value)


_stages = False


def show_stages(shown: bool) -> None:
    """Sets whether buffers are shown with their stages of one element."""
    global _stages
    _stages = shown


def shows_stages() -> bool:
    """Whether they are: `show mpipp stages'."""
    return _stages


_brief = False


@contextmanager
def brief_texts(is_brief: bool) -> Iterator[None]:
    """Limits the texts of buffers meanwhile: for a row of a frontend, or what it shows at the mouse pointer."""
    global _brief
    before, _brief = _brief, is_brief or _brief
    try:
        yield
    finally:
        _brief = before


def print_settings() -> PrintSettings:
    """The current settings, with the options of the running `print`."""
    options = gdb.print_options()
    elements, repeats, max_depth = (
        UNLIMITED if options[name] == _UINT_MAX else options[name]
        for name in ("max_elements", "repeat_threshold", "max_depth")
    )
    return PrintSettings(
        elements,
        repeats,
        max_depth,
        pretty=options["pretty_structs"],
        array=options["pretty_arrays"],
        array_indexes=options["array_indexes"],
        format=options.get("format"),
        stages=shows_stages(),
        brief=_brief,
    )


def line_limit() -> int:
    """The number of rows that a listing shows."""
    elements = limit("print elements")
    return 2**31 if elements == UNLIMITED else elements


def unicode_terminal() -> bool:
    """Whether the host's character set has box-drawing characters."""
    return "UTF-8" in gdb.execute("show host-charset", to_string=True).upper()


def largest_value() -> int:
    """`max-value-size` in bytes; unlimited: 2^63."""
    size = gdb.parameter("max-value-size")
    return 2**63 if size is None or size < 0 else int(size)


@contextmanager
def values_of(size: int) -> Iterator[None]:
    """Raises `max-value-size` for a value of so many bytes, and restores it."""
    if size <= largest_value():
        yield
        return
    shown = gdb.execute("show max-value-size", to_string=True)
    before = re.search(r"(\d+) bytes|unlimited", shown)
    gdb.execute("set max-value-size unlimited", to_string=True)
    try:
        yield
    finally:
        size_before = before.group(1) if before and before.group(1) else "unlimited"
        gdb.execute(f"set max-value-size {size_before}", to_string=True)


def braces() -> bool:
    """Whether gdb writes a struct in the way in which we write values in every language: {a = 1, b = 2}."""
    return gdb.current_language() in _BRACES


def is_fortran() -> bool:
    """Whether to show values as in Fortran: parentheses, .TRUE., (1,2), 'text'."""
    return gdb.current_language() == "fortran"


def enclosed(content: str, labelled: bool = False) -> str:
    """A list as the core writes it: {1, 2}, in Fortran (1, 2); labelled: {a = 1, b = 2}, in Fortran ( a = 1, b = 2 )."""
    if not is_fortran():
        return f"{{{content}}}"
    return f"( {content} )" if labelled else f"({content})"


def cut_list(texts: Sequence[str], are_all: bool) -> str:
    """The content of such a list: "1, 2"; of one that goes on "1, 2..." or in Fortran "1, 2, ..."."""
    more = "" if are_all else ", ..." if is_fortran() and texts else "..."
    return ", ".join(texts) + more


@contextmanager
def core_language() -> Iterator[None]:
    """Makes gdb format as in C meanwhile, for a frame in a language that is neither C's nor Fortran's: the core writes
    braces in every language, and gdb's part must fit."""
    if gdb.current_language() in ("c", "c++", "fortran"):
        yield
        return
    with language("c"):
        yield


@contextmanager
def language(name: str) -> Iterator[None]:
    """Sets gdb's language meanwhile."""
    before = gdb.parameter("language")
    gdb.execute(f"set language {name}", to_string=True)
    try:
        yield
    finally:
        gdb.execute(f"set language {before}", to_string=True)
