# SPDX-License-Identifier: BSD-3-Clause
"""The array or struct of the program that contains a buffer: `grid` for the buffer `&grid[1][0][0]`."""

import re
from typing import Iterator, List, NamedTuple, Optional, Tuple

import gdb

from . import cxx_container, operands
from .calls import no_calls
from .fault import let_quit
from .program import Program
from .settings import is_fortran

_IN_MEMORY = (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_STRING, gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
_REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
_MASK = (1 << 64) - 1
_FAR = 1 << 62  # no object is so long: a byte at a greater distance is before it
_CHANGES = re.compile(r"\+\+|--|(?<![=<>!])=(?!=)")  # i++, i = 2


class WholeObject(NamedTuple):
    """An array or struct in which a buffer begins."""

    program: Program
    name: str
    """the text before its indices"""
    start: int
    """offset of the buffer, in bytes from the object's first"""

    def at(self, displacement: int) -> Optional[str]:
        """The program's name of the element that contains a byte, counted from the buffer; None: no element contains it, or the
        object is a row of numbers, for which the byte number is enough."""
        _, below, _, _, dims = self.program.fields[0]
        if not below and len(dims) < 2:
            return None
        path = self.program.at(self.start + displacement)
        return None if path is None else self.name + path


def find_objects(text: str, address: int) -> List[WholeObject]:
    """The objects that the buffer's expression refers to, each a part of the next; empty: only its address is known. The
    expression has been evaluated once; it is not evaluated again if that could change something."""
    if _CHANGES.search(re.sub(r"\bkind\s*=", "", text, flags=re.IGNORECASE)):  # real(kind=8)
        return []
    found: List[WholeObject] = []
    with no_calls():
        for name in _expressions(text):
            program = _program(name)
            if program is None or program.address is None:
                continue
            if not program.packed:
                return []  # MPI gets a copy of a section that is not contiguous
            start = (address - program.address) & _MASK
            is_inside = start < _FAR and (program.open or start <= program.size)
            if is_inside and has_elements(program) and not _is_section(name):
                found.append(WholeObject(program, _before_indices(name), start))
    return found


def path_at(text: str, address: int, displacement: int) -> Optional[str]:
    """The program's name of the element that contains a byte, counted from the buffer: "grid[1][1][6].vel.x"; None: see
    WholeObject.at()."""
    found = find_objects(text, address)
    return found[-1].at(displacement) if found else None


def _program(name: str) -> Optional[Program]:
    try:
        return Program(name)
    except (gdb.error, gdb.GdbError) as error:
        let_quit(error)
        return None


def has_elements(program: Program) -> bool:
    """Whether it has a shape, or fields: another name for byte 52 of a row of characters does not help."""
    kind, below, _, size, dims = program.fields[0]
    return bool(below) or len(dims) > 1 or (len(dims) == 1 and (size > 1 or kind not in ("char", "unsigned", "signed")))


# --- expressions


def _expressions(text: str) -> Iterator[str]:
    """The expression, and the expressions that contain it, as long as they contain its bytes: for &p->cells[2].x these are
    p->cells[2].x, p->cells[2], p->cells and p; for rows[2] only rows[2] if that is a pointer."""
    is_place, text = _without_address_of(cxx_container.around(text))
    is_place = is_place or (is_fortran() and operands.shaped(text) is None)
    shorter: Optional[str] = text
    while shorter is not None:
        try:
            value = operands.evaluated(shorter)
        except gdb.error as error:
            let_quit(error)
            return
        code = _code_of(value)
        is_elsewhere = code == gdb.TYPE_CODE_PTR or cxx_container.elements(value) is not None
        if not is_place and not is_elsewhere and code not in _IN_MEMORY:
            return  # a number that is an address
        if not (is_elsewhere and is_place and shorter == text):
            yield shorter
            if is_elsewhere:
                return
        is_place = True
        shorter = _without_last(shorter) if shorter != text or _is_path(text) else None


def _is_section(name: str) -> bool:
    """Whether it is a section such as grid(:,2), which counts its own elements from 1."""
    return is_fortran() and name.endswith(")") and ":" in name[_opening(name) or 0 :]


def _code_of(value: gdb.Value) -> int:
    of = value.type.strip_typedefs()
    return of.target().strip_typedefs().code if of.code in _REFERENCES else of.code


def _without_address_of(text: str) -> Tuple[bool, str]:
    """Whether an & precedes it, and the text without that and without the parentheses around it."""
    text = text.strip()
    is_address = False
    while text.startswith("&") or (text.startswith("(") and _opening(text) == 0):
        is_address = is_address or text.startswith("&")
        text = (text[1:] if text.startswith("&") else text[1:-1]).strip()
    return is_address, text


def _is_path(text: str) -> bool:
    """Whether it is a name, or something in parentheses, with indices and members after it."""
    shorter: Optional[str] = text
    while shorter is not None:
        text = shorter
        shorter = _without_last(text)
    return bool(re.fullmatch(r"[\w$:]+", text)) or _opening(text) == 0


def _without_last(text: str) -> Optional[str]:
    """Without its last index or member; None if it has none."""
    start = _opening(text)
    if text.endswith(")") and not (is_fortran() and start and re.match(r"\w", text[start - 1])):
        start = None  # not an index of Fortran
    if start is None:
        member = re.fullmatch(f"(.+){'%' if is_fortran() else '(?:->|[.])'}\\s*[A-Za-z_]\\w*", text, re.DOTALL)
        return member.group(1).rstrip() if member else None
    return text[:start].rstrip() or None


def _opening(text: str) -> Optional[int]:
    """The position of the bracket or parenthesis that the last letter closes; None if the last letter is neither."""
    depth = 0
    for index in range(len(text) - 1, -1, -1):
        depth += (text[index] in ")]") - (text[index] in "([")
        if depth <= 0:
            return index if index < len(text) - 1 else None
    return None


def _before_indices(name: str) -> str:
    """ "p" for a pointer with a shape, (double[10][8][7]) *p, in Fortran (real(8)(7,8,10)) p, and for p@100"""
    pointer = operands.shaped(name)
    if pointer is not None:
        name = cxx_container.without_access(pointer[1])
        if is_fortran() and name.endswith(")"):
            return f"({name})"  # an element of an array
    elif not name.lstrip().startswith("*"):
        name = name.partition("@")[0].strip()
    return name if _is_path(name) else f"({name})"
