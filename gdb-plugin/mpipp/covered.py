# SPDX-License-Identifier: BSD-3-Clause
"""The part of an array of the program that a datatype covers, in the program's own indices."""

from typing import Dict, FrozenSet, Iterator, List, NamedTuple, Optional, Set, Tuple

from . import _mpipp
from .fault import let_quit
from .program import Program
from .whole_object import WholeObject, find_objects

_PARTS_MOST = 3
_OUTSIDE = {"before": "before the start", "beyond": "beyond the end"}

Box = Tuple[Tuple[int, int, int, int, int], ...]
"""indices, a _mpipp.Range for each dimension"""


class _Covered(NamedTuple):
    """The covered part of a field."""

    boxes: List[Box]
    more: int
    """number of boxes that are left out"""
    is_whole: Optional[bool]
    """every byte of these elements is covered; None: not counted, because elements of other types lie across"""


class Known(NamedTuple):
    """A comparison that has been made: of a datatype at the start of an object."""

    program: Program
    found: "_mpipp.Comparison"

    def of(self, one: WholeObject) -> "Optional[_mpipp.Comparison]":
        """The same for an object; None: it is another one, or the buffer begins elsewhere in it."""
        mine, other = self.program, one.program
        is_same = one.start == 0 and mine.address == other.address and mine.fields == other.fields
        return self.found if is_same else None


def line(
    of: "_mpipp.Type",
    count: Optional[int],
    text: str,
    address: int,
    is_brief: bool = False,
    known: Optional[Known] = None,
) -> Optional[str]:
    """ "covers grid[1-4][1-5][6], whole elements": for the smallest object that contains all of the buffer, else for the
    largest one that it begins in; None if there is no such text. text: the buffer's expression. is_brief: only if it is
    about one field, or about whole elements. known: a comparison of the same, which need not be made again."""
    answer = None
    for one in find_objects(text, address):
        found = _compare(of, 1 if count is None else count, one, known)
        fields = _fields(found) if found is not None else None
        if found is None or fields is None:
            continue
        outer = _whole_elements(fields, one.program)
        answer = None if is_brief and outer is None and len(fields) > 1 else _text(found, one, fields, outer)
        if not any(row.finding in _OUTSIDE for row in found.rows):
            break
    return answer


def boxes(of: "_mpipp.Type", count: Optional[int], one: WholeObject) -> List[Box]:
    """The covered elements of an array, whole or in part; none if indices cannot describe them."""
    found = _compare(of, 1 if count is None else count, one)
    fields = _fields(found) if found is not None else None
    depth = len(one.program.labels[0].lower)
    all_ = (box for field in (fields or {}).values() for box in field.boxes)
    return list(dict.fromkeys((box + ((0, 0, 1, 1, 1),) * depth)[:depth] for box in all_))


def _compare(
    of: "_mpipp.Type", count: int, one: WholeObject, known: Optional[Known] = None
) -> "Optional[_mpipp.Comparison]":
    """None: some of it is not known."""
    program = one.program
    try:
        found = known.of(one) if known is not None else None
        if found is None:
            found = _mpipp.compare(of, program.fields, count, program.address or 0, one.start)
    except _mpipp.Error as error:  # too many dimensions, for example: not worth an error
        let_quit(error)
        return None
    return found if found.complete and not found.absolute and not found.unknown else None


def _fields(found: "_mpipp.Comparison") -> Optional[Dict[int, _Covered]]:
    """For each field the covered part; None: indices cannot describe it."""
    rows: "Dict[int, List[_mpipp.ComparedRow]]" = {}
    for row in found.rows:
        if row.field is None or row.finding == "not sent" or row.kind == "padding":
            continue
        if row.where is None or any(_is_irregular(one) for box in row.where for one in box):
            return None
        rows.setdefault(row.field, []).append(row)
    return {field: _together(same) for field, same in rows.items()}


def _is_irregular(one: "_mpipp.Range") -> bool:
    """Whether only the first and the last index are known."""
    return one[2] == 0


def _together(rows: "List[_mpipp.ComparedRow]") -> _Covered:
    """The rows of one field."""
    boxes: List[Box] = list(dict.fromkeys(box for row in rows for box in row.where or ()))
    more = max(row.boxes - len(row.where or ()) for row in rows)
    is_whole: Optional[bool] = None
    halves = {row.part for row in rows}
    if all(row.finding in ("match", "bytes") for row in rows) and (
        halves == {""} or (halves == {"real", "imaginary"} and len({row.where for row in rows}) == 1)
    ):
        is_whole = True
    elif any(row.finding == "piece" for row in rows) or (len(rows) == 1 and rows[0].part):
        is_whole = False
    return _Covered(boxes, more, is_whole)


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


def _text(
    found: "_mpipp.Comparison", one: WholeObject, fields: Dict[int, _Covered], outer: Optional[List[Box]]
) -> Optional[str]:
    if outer is not None:
        parts = [one.name + one.program.path(0, box) for box in outer]
        more, whole = max(field.more for field in fields.values()), ", whole elements"
    else:
        parts = [one.name + one.program.path(number, box) for number, field in fields.items() for box in field.boxes]
        more = sum(field.more for field in fields.values())
        whole = _of_fields(fields, one.program)
    if not parts:
        return None
    more += max(len(parts) - _PARTS_MOST, 0)
    inside = ", ".join(parts[:_PARTS_MOST]) + (f" and {more} more" if more else "") + whole
    return f"covers {'; '.join([inside, *_outside(found, one.name)])}"


def _of_fields(fields: Dict[int, _Covered], program: Program) -> str:
    """Whether the elements of an array are covered as a whole: of one in a struct, and not of one in each of several structs."""
    if any(field.is_whole is False for field in fields.values()):
        return ", not whole elements"
    is_one = len(fields) == 1 and all(one.is_whole and program.is_lone_array(number) for number, one in fields.items())
    return ", whole elements" if is_one else ""


def _outside(found: "_mpipp.Comparison", name: str) -> Iterator[str]:
    for finding, where in _OUTSIDE.items():
        elements = sum(row.elements for row in found.rows if row.finding == finding)
        if elements:
            yield f"{elements} element{'' if elements == 1 else 's'} {where} of {name}"
