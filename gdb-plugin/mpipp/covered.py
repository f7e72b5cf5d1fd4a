"""What a datatype covers of an array of the program, and where a byte is in it, as the program would write it.

A buffer is often given as a part of an array: `&grid[1][0][0]`. The coordinates are those of the whole array, `grid`.
"""

import re
from typing import Dict, FrozenSet, Iterator, List, NamedTuple, Optional, Set, Tuple

import gdb

from . import _mpipp, operands
from .calls import no_calls
from .fault import let_quit
from .program import Program
from .settings import is_fortran

_PARTS_MOST = 3
_ARRAYS = (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_STRING)
_OUTSIDE = {"before": "before the start", "beyond": "beyond the end"}
_MASK = (1 << 64) - 1
_CHANGES = re.compile(r"\+\+|--|(?<![=<>!])=(?!=)")

Box = Tuple[Tuple[int, int, int, int, int], ...]
"""indices, a _mpipp.Range for each dimension"""


class Object(NamedTuple):
    """The object that a buffer lies in."""

    program: Program
    name: str
    """what is written before its indices"""
    start: int
    """of the buffer, in bytes from the object's first"""

    def at(self, displacement: int) -> Optional[str]:
        """The program's name of the element that holds a byte, counted from the buffer; None: no element has it, or the
        object is a row of numbers, of which the byte says enough."""
        _, below, _, _, dims = self.program.fields[0]
        if not below and len(dims) < 2:
            return None
        path = self.program.at(self.start + displacement)
        return None if path is None else self.name + path


def object_of(text: str, address: int) -> Optional[Object]:
    """The object that a buffer's expression is about; None: nothing is known of it but its address. The expression has
    been evaluated once: it is not again, if that could change something."""
    if _CHANGES.search(text):
        return None
    with no_calls():
        return _object_of(text, address)


def _object_of(text: str, address: int) -> Optional[Object]:
    for name in _wholes(text):
        try:
            program = Program(name)
        except (gdb.error, gdb.GdbError) as error:
            let_quit(error)
            continue
        if program.address is None or not program.packed or not _has_elements(program):
            continue
        start = (address - program.address) & _MASK
        if start < 1 << 62 and (program.open or start <= program.size):
            return Object(program, _before_indices(name), start)
    return None


def line(of: "_mpipp.Type", count: Optional[int], object_: Optional[Object], is_brief: bool = False) -> Optional[str]:
    """ "covers grid[1-4][1-5][6], whole elements"; None: it cannot be said. is_brief: only what is covered of one field,
    or of whole elements."""
    if object_ is None:
        return None
    program = object_.program
    number = 1 if count is None else count
    found = _mpipp.compare(of, program.fields, number, program.address or 0, object_.start)
    if not found.complete or found.absolute or found.unknown:
        return None
    fields = _fields(found)
    if fields is None:
        return None
    outer = _whole_elements(fields, program)
    if is_brief and outer is None and len(fields) > 1:
        return None
    return _text(found, object_, fields, outer)


# --- the object


def _wholes(text: str) -> List[str]:
    """The expressions that may be the whole of what a buffer is a part of, the largest first."""
    text = _bare(text)
    names = [text]
    for shorter in _without_indices(text):
        try:
            of = gdb.parse_and_eval(shorter).type.strip_typedefs()
        except gdb.error as error:
            let_quit(error)
            break
        names.insert(0, shorter)
        if of.code not in _ARRAYS:
            break  # a pointer, a vector: what they are in does not hold the data
    return names


def _bare(text: str) -> str:
    """Without the & and the parentheses around it."""
    text = text.strip()
    while text.startswith("&") or (text.startswith("(") and _closes_at_end(text)):
        text = (text[1:] if text.startswith("&") else text[1:-1]).strip()
    return text


def _closes_at_end(text: str) -> bool:
    depth = 0
    for index, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return index == len(text) - 1
    return False


def _without_indices(text: str) -> Iterator[str]:
    """The text without its last index, without the one before, ..."""
    index = re.compile(r"\([^()]*\)\Z" if is_fortran() else r"\[[^\[\]]*\]\Z")
    while True:
        shorter = index.sub("", text).rstrip()
        if shorter == text or not shorter:
            return
        yield shorter
        text = shorter


def _before_indices(name: str) -> str:
    """ "p" of a pointer with a shape, (double[10][8][7]) *p, and of p@100"""
    pointer = operands.shaped(name)
    if pointer is not None:
        name = pointer[1]
    elif not name.lstrip().startswith("*"):
        name = name.partition("@")[0].strip()
    return name if re.fullmatch(r"[\w$.:,%>\-\[\]()]+", name) and name[0] != "(" else f"({name})"


def _has_elements(program: Program) -> bool:
    """Whether it has a shape, or fields: to say byte 52 of a row of characters once more helps nobody."""
    kind, below, _, size, dims = program.fields[0]
    return bool(below) or len(dims) > 1 or (len(dims) == 1 and (size > 1 or kind not in ("char", "unsigned", "signed")))


# --- what is covered


class _Covered(NamedTuple):
    """What is covered of a field."""

    boxes: List[Box]
    more: int
    is_whole: bool


def _text(
    found: "_mpipp.Comparison", object_: Object, fields: Dict[int, _Covered], outer: Optional[List[Box]]
) -> Optional[str]:
    if outer is not None:
        parts = [object_.name + object_.program.path(0, box) for box in outer]
        more, whole = max(one.more for one in fields.values()), ", whole elements"
    else:
        parts = [object_.name + object_.program.path(field, box) for field, one in fields.items() for box in one.boxes]
        more, whole = sum(one.more for one in fields.values()), ""
        if not all(one.is_whole for one in fields.values()):
            whole = ", not whole elements"
    more += max(len(parts) - _PARTS_MOST, 0)
    texts = [", ".join(parts[:_PARTS_MOST]) + (f" and {more} more" if more else "") + whole] if parts else []
    return f"covers {'; '.join(texts + list(_outside(found, object_.name)))}" if texts else None


def _fields(found: "_mpipp.Comparison") -> Optional[Dict[int, _Covered]]:
    """By field, what is sent of it; None: of one no ranges of indices say it."""
    fields: Dict[int, _Covered] = {}
    for row in found.rows:
        if row.field is None or row.finding == "not sent" or row.kind == "padding":
            continue
        if row.where is None or any(_is_irregular(one) for box in row.where for one in box):
            return None
        is_whole = row.finding in ("match", "bytes") or (row.finding == "wrong type" and row.sent == row.size)
        before = fields.get(row.field, _Covered([], 0, True))
        boxes = before.boxes + list(row.where)
        more = before.more + row.boxes - len(row.where)
        fields[row.field] = _Covered(boxes, more, before.is_whole and is_whole)
    return fields


def _is_irregular(one: "_mpipp.Range") -> bool:
    """Whether only the first and the last index are known."""
    return one[2] == 0


def _whole_elements(fields: Dict[int, _Covered], program: Program) -> Optional[List[Box]]:
    """The elements of the outermost array that are covered from their first field to their last; None: others are
    covered in part."""
    leaves = [index for index, field in enumerate(program.fields) if not field[1]]
    if set(fields) != set(leaves) or not all(one.is_whole for one in fields.values()):
        return None
    depth = len(program.labels[0].lower)
    seen: Set[FrozenSet[Box]] = set()
    for field, one in fields.items():
        lengths = program.lengths(field)
        full = [box + ((0, 0, 1, 1, 1),) * (len(lengths) - len(box)) for box in one.boxes]
        for box in full:
            for (first, last, count, _, _), length in zip(box[depth:], lengths[depth:]):
                if (first, last) != (0, length - 1) or (count != 1 and length > 1):
                    return None
        seen.add(frozenset(box[:depth] for box in full))
    if len(seen) != 1:
        return None
    return sorted(seen.pop())


def _outside(found: "_mpipp.Comparison", name: str) -> Iterator[str]:
    for finding, where in _OUTSIDE.items():
        elements = sum(row.elements for row in found.rows if row.finding == finding)
        if elements:
            yield f"{elements} element{'' if elements == 1 else 's'} {where} of {name}"


