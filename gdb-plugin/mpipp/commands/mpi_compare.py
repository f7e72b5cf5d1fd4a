# SPDX-License-Identifier: BSD-3-Clause
"""mpi compare"""

import re
from itertools import groupby
from typing import Iterator, List, NamedTuple, Optional, Tuple

import gdb

from .. import _mpipp, covered, operands
from ..fault import fault
from ..program import Program
from ..rank import ranks
from ..settings import line_limit
from ..whole_object import has_elements
from .base import Command

_NAME = re.compile(r"[$\w.\[\]>-]+|\"[^\"]*\"|'[^']*'|\$mpi_type\s*\(.*\)")
_NUMBER = re.compile(r"(\d+)")
_USAGE = "usage: mpi compare TYPE [COUNT], EXPRESSION"

_OUTSIDE = {"before": "before the start", "beyond": "beyond the end", "elsewhere": "elsewhere in memory"}
_BYTES = {
    "padding": "padding, as bytes",
    "pointer": "a pointer, as bytes: it means nothing on another rank",
    "vtable": "the pointer to the virtual table, as bytes: it means nothing on another rank",
    "descriptor": "an array descriptor, as bytes, not the array",
}
_NO_TYPE = {
    "pointer": "a pointer sent as data",
    "vtable": "the pointer to the virtual table sent as data",
    "descriptor": "an array descriptor sent as data, not the array",
    "bits": "bit-fields: MPI has no type for them",
}


class MpiCompare(Command):
    """Compare a datatype with a type of the program, field by field.

Usage: mpi compare TYPE [COUNT], EXPRESSION

TYPE is an expression, or a name that MPI_Type_set_name gave; COUNT is how many of
it are sent.  EXPRESSION is the buffer: a variable, an element or a slice of an
array, a pointer P (what it points to, as far as TYPE reaches) or P@N (N of it), or
the name of a type.  Its type in the debug information says what each byte is.
(double[10][8][7]) *P gives a pointer P the shape that the program means; in Fortran
(real(8)(7,0:7,10)) A gives an array or a type(c_ptr) A one, with the bounds of a
declaration, and (cell(4,5)) A one of a derived type.

For an array, a line says which of its elements the datatype covers, in the program's
own indices: `covers grid[1-4][1-5][6], whole elements'.

For each field: what the program has there, what MPI sends from there, and what is
wrong: another basic type, another offset, padding or a pointer sent as data, data
beyond the end.  Integers agree by size and sign: MPI_INT64_T and MPI_LONG both
describe a long of 8 bytes.  MPI_BYTE and MPI_PACKED agree with anything.
Equal elements of an array are one row.  `set print elements' limits the rows.

Examples:
  mpi compare struDT, particles[0]
  mpi compare column, grid
  mpi compare cell_t 100, cells@100
  mpi compare ghost, (double[10][8][7]) *p
  mpi compare ghost, (real(8)(7,0:7,10)) given"""

    def __init__(self) -> None:
        super().__init__("mpi compare", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument: str) -> None:
        rank = ranks.current()
        words = _operands(argument)
        if len(words) != 2 or len(words[0]) > 2:
            raise fault(f"{_wrong(words)}: {_USAGE}")
        of = operands.datatype(rank, words[0][0])
        if of.name == "MPI_DATATYPE_NULL" and of.predefined:
            raise fault(f"'{words[0][0]}' is MPI_DATATYPE_NULL: it describes no data")
        if of.kind == "OPAQUE":
            raise fault(f"what is inside '{words[0][0]}' is not known: MPI made it")
        count = operands.count(words[0][1]) if len(words[0]) == 2 else 1
        program = Program(" ".join(words[1]))
        found = _mpipp.compare(of, program.fields, count, program.address or 0)
        Report(words[0][0], of, count, program, found).write()


def _operands(argument: str) -> List[List[str]]:
    """The words of each operand; commas of template arguments belong to the expression."""
    words = operands.split(argument)
    if len(words) > 2 and any("<" in word for word in words[1]):
        words[1:] = [[", ".join(" ".join(operand) for operand in words[1:])]]
    return words


def _wrong(words: List[List[str]]) -> str:
    if len(words) > 2:
        return "more than two operands (put an expression with commas into parentheses)"
    if not words:
        return "no type given"
    return "no expression given" if len(words) == 1 else "more than a type and a count"


class Line(NamedTuple):
    """A line of the table."""

    field: str
    offset: str = ""
    program: str = ""
    basic: str = ""
    element: str = ""
    note: str = ""


class Report:
    """The result as text: a verdict, a table, remarks."""

    def __init__(
        self, title: str, of: "_mpipp.Type", count: int, program: Program, found: "_mpipp.Comparison"
    ) -> None:
        self._title = title
        self._of = of
        self._count = count
        self._program = program
        self._found = found
        self._covers = self._covered_array()

    def _covered_array(self) -> Optional[str]:
        """The covered part of an array; left out for a single element, which the user has named."""
        program = self._program
        if program.address is None or not program.fields[0][4] or not has_elements(program):
            return None
        known = covered.Known(program, self._found)
        return covered.line(self._of, self._count, program.text, program.address, is_brief=True, known=known)

    def write(self) -> None:
        """Writes it line by line, so that gdb's pager and Ctrl-C work between them."""
        gdb.write(self._verdict() + "\n")
        if not self._count or self._of.size == 0:
            return
        if self._covers is not None:
            gdb.write(self._covers + "\n")
        rows = _sent_first(self._found.rows)[: line_limit()]
        lines = [Line("field", "offset", "program", "MPI")] if rows else []
        lines += [line for row in rows for line in self._lines(row)]
        if len(rows) < len(self._found.rows):
            lines.append(Line(f"<{len(self._found.rows) - len(rows)} more>"))
        width = [max((len(line[column]) for line in lines), default=0) for column in range(5)]
        for line in lines:
            text = f"  {line.field:<{width[0]}}  {line.offset:>{width[1]}}  {line.program:<{width[2]}}"
            text += f"  {line.basic:<{width[3]}}  {line.element:<{width[4]}}  {line.note}"
            gdb.write(text.rstrip() + "\n")
        for remark in self._remarks():
            gdb.write(remark + "\n")

    # --- the verdict

    def _verdict(self) -> str:
        found = self._found
        wrong = []
        if found.different and found.fields == 1:
            wrong.append(f"'{self._program.text}' differs")
        elif found.different:
            verb = "differs" if found.different == 1 else "differ"
            wrong.append(f"{found.different} of {found.fields} fields {verb}")
        if found.padding:
            wrong.append("padding is sent")
        for finding in ("before", "beyond"):
            elements = sum(row.elements for row in found.rows if row.finding == finding)
            if elements:
                wrong.append(f"{_plural(elements, 'element')} {_OUTSIDE[finding]} of '{self._program.text}'")
        if wrong:
            return "no match: " + ", ".join(wrong)
        if not found.complete:
            return "undecided: no difference so far"
        if not self._count or self._of.size == 0:
            return f"no data: '{self._title}' sends nothing"
        if found.not_sent == found.fields:
            if found.unknown:
                return f"undecided: what is inside '{self._title}' is not known"
            return f"no data: nothing of '{self._title}' lies in '{self._program.text}'"
        head = "match as far as is known" if found.unknown else "match"
        return f"{head}: {self._sent()}"

    def _sent(self) -> str:
        found = self._found
        sent = found.fields - found.not_sent
        if found.fields == 1:
            what, verb = ("a part of it" if found.in_part else "all of it"), "is"
        else:
            all_ = "both" if found.fields == 2 else f"all {found.fields}"
            what = f"{sent} of {found.fields} fields" if found.not_sent else f"{all_} fields"
            verb = "is" if sent == 1 and found.not_sent else "are"
        if found.as_bytes == sent:
            how = "as bytes"
        else:
            how = "as declared" + (f", {found.as_bytes} as bytes" if found.as_bytes else "")
        text = f"{what} {verb} sent {how}"
        if found.in_part and found.fields > 1:
            text += ", in part" if found.in_part == sent else f", {found.in_part} of them in part"
        return text + (f"; {found.not_sent} {'is' if found.not_sent == 1 else 'are'} not" if found.not_sent else "")

    def _remarks(self) -> Iterator[str]:
        found, of = self._found, self._of
        if not found.complete:
            of_all = "" if of.elements is None else f" of {of.elements * self._count}"
            yield f"compared: {found.compared}{of_all} elements of '{self._title}'; the rest would take too long"
        if found.unknown:
            yield f"not known: {_plural(found.unknown, 'part')} of '{self._title}'"
        if found.absolute:
            yield f"'{self._title}' holds absolute addresses: compared as it is sent from MPI_BOTTOM"
        if self._program.open:
            yield f"the length of '{self._program.text}' is not known: compared as far as '{self._title}' reaches"
        if not self._program.packed:
            what = f"'{self._program.text}' is not contiguous"
            yield f"{what}: its elements are compared one after the other, as MPI gets them"
        if self._walks_off():
            yield (
                f"extent {of.extent}, sizeof {found.element}: of two or more of '{self._title}' in a row only the"
                " first is in its place (MPI_Type_create_resized)"
            )

    def _walks_off(self) -> bool:
        """Whether a second item of the datatype would not match a second element."""
        extent, found = self._of.extent, self._found
        derived = self._of.basic is None and not found.absolute and found.compared > 0
        return derived and extent is not None and found.element > 0 and extent % found.element != 0

    # --- the table

    def _lines(self, row: "_mpipp.ComparedRow") -> Iterator[Line]:
        fields = self._fields(row)
        basic = self._basic(row)
        note = ", ".join(part for part in self._notes(row) if part)
        offset = f"{row.offset}"
        if row.finding == "elsewhere" and self._program.address is not None:
            offset = f"0x{self._program.address + row.offset:x}"
        yield Line(fields[0], offset, self._declared(row), basic, self._element(row), note)
        for field in fields[1:]:
            yield Line(field)

    def _fields(self, row: "_mpipp.ComparedRow") -> List[str]:
        """The row's elements: as an expression for each box."""
        if row.field is None:
            return [f"({_OUTSIDE[row.finding]})"]
        program = self._program
        paths: List[str] = [program.path(row.field, box) for box in row.where or ()] or [program.path(row.field, None)]
        if row.kind == "padding":
            paths = [f"{path} (padding)".strip() for path in paths]
        elif paths == [""]:
            paths = [program.text]
        if row.boxes > len(paths):
            paths.append(f"... ({row.boxes - len(paths)} more)")
        return paths

    def _declared(self, row: "_mpipp.ComparedRow") -> str:
        if row.field is None or row.kind == "padding":
            return _plural(row.size, "byte")
        return self._program.labels[row.field].type_name

    @staticmethod
    def _basic(row: "_mpipp.ComparedRow") -> str:
        if row.basic is None:
            return "-"
        return row.basic.name + ("" if row.member is None else (".first", ".second")[row.member])

    def _element(self, row: "_mpipp.ComparedRow") -> str:
        """The address of the MPI element, or from the first one to the last: "T{0-9}[1]"."""
        if row.first is None:
            return ""
        title = self._title if _NAME.fullmatch(self._title) else f"({self._title})"
        more = " ..." if row.elements > 1 else ""
        if row.last is None or row.last == row.first:
            return f"{title}{row.first}{more}"
        first, last = (_NUMBER.split(address) for address in (row.first, row.last))
        if len(first) != len(last) or first[::2] != last[::2]:
            return f"{title}{row.first}{more}"
        return title + "".join(one if one == other else f"{one}-{other}" for one, other in zip(first, last))

    def _notes(self, row: "_mpipp.ComparedRow") -> Iterator[Optional[str]]:
        if row.field is None:
            yield _plural(row.elements, "element")
            return
        yield _finding(row)
        if row.where is None:
            yield f"at {'least' if row.finding == 'not sent' else 'most'} {row.elements} of {row.all}"
        elif row.elements != row.all:
            yield f"{row.elements} of {row.all}"
        yield "sent more than once" if row.again else None


def _sent_first(rows: "List[_mpipp.ComparedRow]") -> "List[_mpipp.ComparedRow]":
    """For each field, what is sent comes first: that is what the user looks for."""
    return [row for _, same in groupby(rows, lambda row: row.field) for row in sorted(same, key=_is_not_sent)]


def _is_not_sent(row: "_mpipp.ComparedRow") -> bool:
    return row.finding == "not sent"


def _finding(row: "_mpipp.ComparedRow") -> Optional[str]:
    """The remark for a row; None: it matches."""
    if row.finding in ("unknown", "not sent"):
        return "a basic type that mpipp does not know" if row.finding == "unknown" else "not sent"
    if row.finding == "bytes":
        return _BYTES.get(row.kind, "as bytes")
    if row.finding == "match":
        return "a complex number for two" if row.half else f"the {row.part} part" if row.part else None
    if row.finding == "no type":
        return _NO_TYPE.get(row.kind, "MPI has no type for it")
    if row.finding == "piece":
        which = f"byte {row.begin}" if row.end == row.begin + 1 else f"bytes {row.begin} to {row.end - 1}"
        return f"only {which} of {row.size}, as bytes"
    return _misplaced(row)


def _misplaced(row: "_mpipp.ComparedRow") -> str:
    before = row.offset - row.displacement
    begins = f"begins {_plural(abs(before), 'byte')} " + ("before" if before > 0 else "after its start")
    if row.finding == "padding":
        return "padding sent" + (f": {begins}" if before > 0 else "")
    if row.finding == "wrong offset":
        return f"wrong offset: {begins}"
    if row.finding == "inside":
        return f"under an element of another type that {begins}"
    why = {
        "size": f": {row.sent} bytes for {row.size}",
        "sign": ": signed for unsigned" if row.basic.class_ == "signed" else ": unsigned for signed",
        "format": f": another format of {row.size} bytes",
    }
    return "wrong basic type" + why.get(row.why, "") + (f", {begins}" if before else "")


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
