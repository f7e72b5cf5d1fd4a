# SPDX-License-Identifier: BSD-3-Clause
"""A type of the program, from the debug information, in the form in which the core compares a datatype with it.

The core gets only numbers (`Program.fields`, see _mpipp.compare()); names and bounds stay here, under the same indices.
"""

import re
from typing import Iterator, List, NamedTuple, Optional, Tuple

import gdb

from . import _mpipp, cxx_container, operands
from .calls import place_of
from .fault import fault, sentence
from .settings import is_fortran

OPEN = -1  # an unknown length

_REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)
_POINTERS = (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_MEMBERPTR, gdb.TYPE_CODE_METHODPTR) + _REFERENCES
_GROUPS = {gdb.TYPE_CODE_STRUCT: "group", gdb.TYPE_CODE_UNION: "union"}
_KEYWORDS = {gdb.TYPE_CODE_STRUCT: "struct", gdb.TYPE_CODE_UNION: "union", gdb.TYPE_CODE_ENUM: "enum"}
_NAME_MOST = 40
_BITS_MOST = 3

Dims = Tuple[Tuple[int, int], ...]


class Label(NamedTuple):
    """The name of a field: the text before its indices, and the lower bounds of its dimensions, in the order of memory."""

    name: str
    type_name: str
    lower: Tuple[int, ...]
    inside: int
    """the index of the field that contains it; for the outermost, its own"""


class Program:
    """The type of an expression, and the object if there is one."""

    def __init__(self, text: str, value: Optional[gdb.Value] = None) -> None:
        """value: that of the expression, if it is known. Raises gdb.GdbError or gdb.error: the text is no expression, or its
        value has no data."""
        self.text = text
        self.fortran = is_fortran()
        self.fields: "List[_mpipp.Field]" = []
        self.labels: List[Label] = []
        self.packed = True
        """the elements of the outermost array are contiguous in memory"""
        if value is None:
            _refuse_bit_field(text)
            value = _evaluate(text)
        of = value.type.strip_typedefs()
        dims: Optional[Dims] = None
        if of.code == gdb.TYPE_CODE_PTR:
            value = _pointed(text, value)
            dims = ((OPEN, value.type.strip_typedefs().sizeof),)
        elif self.fortran and (of.name or "").startswith("__class_"):  # class(...): gfortran's struct of data and table
            value = value["_data"].dereference()
        else:
            elements = cxx_container.elements(value)
            if elements is not None:
                value = _pointed(text, elements.first)
                dims = ((OPEN if elements.count is None else elements.count, value.type.strip_typedefs().sizeof),)
        self._check(value.type.strip_typedefs())
        if self.fortran:
            _refuse_absent(text, value)
            _refuse_without_bounds(text, value.type)
        self.address = place_of(value)
        if dims is not None and dims[0][0] == OPEN and _has_flexible_end(value.type):
            dims = None
        self._add(value.type, value, Place("", 0, 0), dims or ())
        self.open = any(dim[0] == OPEN for field in self.fields for dim in field[4])

    def _check(self, of: gdb.Type) -> None:
        if of.code == gdb.TYPE_CODE_VOID:
            raise fault(f"'{self.text}' has no value to compare with")
        if of.code in (gdb.TYPE_CODE_FUNC, gdb.TYPE_CODE_METHOD):
            raise fault(f"'{self.text}' is a function, not data")
        if of.code in _GROUPS and not of.sizeof:
            raise fault(f"the debug information does not say what is in '{type_name(of)}'")

    # --- fields

    def _add(self, declared: gdb.Type, value: Optional[gdb.Value], place: "Place", dims: Dims = ()) -> None:
        """Adds one field and all inside it; dims: those of an array that gdb does not know as one."""
        of = declared.strip_typedefs()
        lower = tuple(0 for _ in dims)
        element = declared
        outermost = not self.fields
        while True:
            inner = _array_in(of)
            if inner is not None:
                value = None if value is None else value[inner]
                of = inner.type.strip_typedefs()
            if of.code != gdb.TYPE_CODE_ARRAY:
                break
            length, first, stride = self._dimension(of, outermost and not dims, place.last)
            dims += ((length, stride),)
            lower += (first,)
            element = of.target()
            value = _first_element(value, first)
            of = element.strip_typedefs()
        if of.code == gdb.TYPE_CODE_STRING:
            element = of.target()
            dims += ((of.sizeof // max(element.sizeof, 1), element.sizeof),)
            lower += (1,)
            of = element.strip_typedefs()
        if outermost and self.fortran:
            dims = self._pack(dims, of.sizeof)
        mine = self.append(kind_of(element), place, of.sizeof, dims, type_name(element), lower)
        if of.code in _GROUPS:
            self._add_members(of, value, mine)
            self._close(mine)

    def append(self, kind: str, place: "Place", size: int, dims: Dims, name: str, lower: Tuple[int, ...]) -> int:
        """Adds one field, without those inside it; returns its index."""
        mine = len(self.fields)
        self.fields.append((kind, 0, place.offset, size, dims))
        self.labels.append(Label(place.name, name, lower, place.inside))
        return mine

    def _close(self, field: int) -> None:
        """To be called when all inside it has been added."""
        kind, _, offset, size, dims = self.fields[field]
        self.fields[field] = (kind, len(self.fields) - field - 1, offset, size, dims)

    @staticmethod
    def _dimension(of: gdb.Type, outermost: bool, last: bool) -> Tuple[int, int, int]:
        """Length, lower bound and distance of an array's elements."""
        target = of.target()
        try:
            first, final = of.range()
        except gdb.error:
            first, final = 0, -1
        if of.sizeof == 0 and target.sizeof:  # a[], a(*)
            return (OPEN if outermost or last else 0), first, target.sizeof
        length = final - first + 1
        return length, first, of.sizeof // length if length > 0 else target.sizeof

    def _pack(self, dims: Dims, size: int) -> Dims:
        """MPI gets a section of a Fortran array as contiguous elements (MPI-4.0, 19.1.12): the compiler copies them, or the
        MPI library handles it."""
        packed: Dims = ()
        for length, stride in reversed(dims):
            self.packed = self.packed and (length in (0, 1) or stride == size)
            packed = ((length, size),) + packed
            size *= length
        return packed

    def _add_members(self, of: gdb.Type, value: Optional[gdb.Value], inside: int) -> None:
        members = [member for member in of.fields() if hasattr(member, "bitpos")]  # the others are static
        plain = len(members) == 1 and (of.name or "").startswith("std::")  # std::complex
        bits = Bits(self, inside)
        for index, member in enumerate(members):
            offset = _offset(member, value, type_name(of))
            if member.bitsize:
                bits.add(member)
                continue
            bits.flush()
            end = of.sizeof if index + 1 == len(members) else _offset(members[index + 1], value, type_name(of))
            name = "" if plain else self._member_name(member, inside)
            last = inside == 0 and index + 1 == len(members) and not self.fields[0][4] and end == of.sizeof
            place = Place(name, offset, inside, last)
            if self.fortran and _is_descriptor(member.type):
                self.append("descriptor", place, end - offset, (), _descriptor_name(member.type), ())
            elif member.artificial and (member.name or "").startswith("_vptr"):
                self.append("vtable", place, member.type.sizeof, (), "virtual table *", ())
            else:
                self._add(member.type, _member_value(value, member), place)
        bits.flush()

    def _member_name(self, member: gdb.Field, inside: int) -> str:
        if member.is_base_class:  # "::" is completed with what is inside it
            return f".{member.name}::" if member.name and "<" not in member.name else ""
        if not member.name:
            return ""
        if self.fortran:
            return f"%{member.name}"
        return member.name if self.labels[inside].name.endswith("::") else f".{member.name}"

    @property
    def size(self) -> int:
        """Bytes from its first to its last; of one element, if the number of elements is not known."""
        _, _, _, size, dims = self.fields[0]
        return dims[0][0] * dims[0][1] if dims and dims[0][0] != OPEN else size

    def lengths(self, field: int) -> List[int]:
        """The number of elements in each dimension of a field, those of the fields around it first."""
        return [length for step in self._way(field) for length, _ in self.fields[step][4]]

    def is_lone_array(self, field: int) -> bool:
        """Whether a field is an array, and no field around it is one."""
        *around, own = self._way(field)
        return bool(self.fields[own][4]) and not any(self.fields[step][4] for step in around)

    # --- paths

    def at(self, offset: int) -> Optional[str]:
        """The innermost element that contains a byte of the object, in the form of path(); None if there is none."""
        field, ranges = 0, []
        while True:
            _, below, _, size, dims = self.fields[field]
            for length, stride in dims:
                index = offset // stride if stride else 0
                if index < 0 or length not in (OPEN, 0) and index >= length:
                    return None
                ranges.append((index, index, 1, 1, 1))
                offset -= index * stride
            if not 0 <= offset < size:
                return None
            inner = next((child for child in self.children(field, below) if self.holds(child, offset)), None)
            if inner is None:
                return self.path(field, tuple(ranges))
            offset -= self.fields[inner][2]
            field = inner

    def children(self, field: int, below: int) -> Iterator[int]:
        """The fields directly inside a field; below: how many are inside it at any depth."""
        child = field + 1
        while child <= field + below:
            yield child
            child += self.fields[child][1] + 1

    def holds(self, child: int, offset: int) -> bool:
        """Whether a byte of the surrounding field belongs to this field."""
        _, _, start, size, dims = self.fields[child]
        length = dims[0][0] * dims[0][1] if dims else size
        return start <= offset and (offset < start + length or bool(dims) and dims[0][0] == OPEN)

    def _way(self, field: int) -> List[int]:
        """The fields that contain it, the outermost first, and the field itself."""
        way = [field]
        while self.labels[way[-1]].inside != way[-1]:
            way.append(self.labels[way[-1]].inside)
        return way[::-1]

    def path(self, field: int, ranges: "Optional[Tuple[_mpipp.Range, ...]]") -> str:
        """The field as an expression after the object's: ".cells[0-9].x"; None: without its indices."""
        text, at = "", 0
        for step in self._way(field):
            lower = self.labels[step].lower
            text += self.labels[step].name
            if ranges is not None:
                text += self._indices(ranges[at : at + len(lower)], lower)
                at += len(lower)
        return text[:-2] if text.endswith("::") else text

    def _indices(self, ranges: "Tuple[_mpipp.Range, ...]", lower: Tuple[int, ...]) -> str:
        """Indices of the dimensions of one field; the core leaves out dimensions with just one index."""
        full = ranges + ((0, 0, 1, 1, 1),) * (len(lower) - len(ranges))
        texts = [_range(one, first, ":" if self.fortran else "-") for one, first in zip(full, lower)]
        if not texts:
            return ""
        return "(" + ",".join(reversed(texts)) + ")" if self.fortran else "".join(f"[{text}]" for text in texts)


class Place(NamedTuple):
    """The place of a field, and its name there."""

    name: str
    offset: int
    inside: int
    last: bool = False
    """nothing follows it, so that it may be longer than declared"""


class Bits:
    """Bit-fields that share bytes, as one field."""

    def __init__(self, program: Program, inside: int) -> None:
        self._program = program
        self._inside = inside
        self._names: List[str] = []
        self._start = self._end = 0

    def add(self, member: gdb.Field) -> None:
        """Adds one more."""
        start, end = member.bitpos // 8, (member.bitpos + member.bitsize + 7) // 8
        if self._names and start >= self._end:
            self.flush()
        if not self._names:
            self._start = start
        self._end = max(end, self._end)
        self._names.append(("%" if self._program.fortran else ".") + (member.name or ""))

    def flush(self) -> None:
        """To be called after the last one that shares bytes with these."""
        if not self._names:
            return
        more = " ..." if len(self._names) > _BITS_MOST else ""
        place = Place(" ".join(self._names[:_BITS_MOST]) + more, self._start, self._inside)
        self._program.append("bits", place, self._end - self._start, (), "bit-fields", ())
        self._names = []
        self._end = 0


# --- values


def _evaluate(text: str) -> gdb.Value:
    """The value of an expression, or, for the name of a type, a value without an address. For a pointer, p@n is n times
    what p points to, like a buffer and a count in MPI; for gdb it would be n pointers. (double[10][8][7]) *p gives p a
    shape, in Fortran (real(8)(7,8,10)) p."""
    text = cxx_container.without_calls(text)
    if operands.shaped(text) is not None:
        value = operands.evaluated(text)
        return value.dereference() if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR else value
    start, at, length = text.rpartition("@")
    if at and not start.lstrip().startswith("*") and _code_of(start) == gdb.TYPE_CODE_PTR:
        text = f"*({start})@({length})"
    try:
        value = gdb.parse_and_eval(text)
    except gdb.error as error:
        if "type name" not in str(error):
            raise
        value = gdb.parse_and_eval(f"*({text} *) 0")
    if value.type.strip_typedefs().code in _REFERENCES:
        value = value.referenced_value()
    return value


def _code_of(text: str) -> Optional[int]:
    try:
        return gdb.parse_and_eval(text).type.strip_typedefs().code
    except gdb.error:
        return None


def _refuse_bit_field(text: str) -> None:
    """Refuses bit-fields: gdb's value of one does not show that it is one."""
    parts = re.fullmatch(r"(.*?)(\.|->)\s*(\w+)", text, re.DOTALL)
    if parts is None:
        return
    try:
        of = gdb.parse_and_eval(parts.group(1)).type.strip_typedefs()
        while of.code in _POINTERS:
            of = of.target().strip_typedefs()
        fields = of.fields()
    except (gdb.error, TypeError):
        return  # a number, for example, and no member
    if any(field.name == parts.group(3) and field.bitsize for field in fields):
        raise fault(f"'{text}' is a bit-field: MPI has no type for it")


def _refuse_absent(text: str, value: gdb.Value) -> None:
    """Reports an array that does not exist, with gdb's text in the place of its elements."""
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY:
        shown = value.format_string(max_elements=1)
        if shown in ("<not allocated>", "<not associated>"):
            raise fault(f"'{text}' is {shown[1:-1]}")


def _refuse_without_bounds(text: str, declared: gdb.Type) -> None:
    """Refuses an array whose length gdb could not compute, such as b(n,*) if n is not available."""
    of = declared.strip_typedefs()
    while of.code == gdb.TYPE_CODE_ARRAY:
        target = of.target().strip_typedefs()
        if of.dynamic and target.code == gdb.TYPE_CODE_ARRAY and not target.sizeof:
            raise fault(f"the bounds of '{text}' are not known here")
        of = target


def _pointed(text: str, value: gdb.Value) -> gdb.Value:
    of = value.type.strip_typedefs().target().strip_typedefs()
    if of.code == gdb.TYPE_CODE_VOID:
        raise fault(f"'{text}' is a pointer to void: cast it to what it points to")
    if of.code == gdb.TYPE_CODE_FUNC:
        raise fault(f"'{text}' is a pointer to a function, not to data")
    if not of.sizeof and of.code in _GROUPS:
        raise fault(f"the debug information does not say what is in '{type_name(of)}'")
    return value.dereference()


def _array_in(of: gdb.Type) -> Optional[gdb.Field]:
    """The array in a std::array: it has the same bytes. None for other types, and for an array without elements."""
    if of.code != gdb.TYPE_CODE_STRUCT or not re.match(r"std::(__\w+::)?array<", of.name or ""):
        return None
    members = [member for member in of.fields() if hasattr(member, "bitpos")]
    only = members[0] if len(members) == 1 else None
    return only if only is not None and only.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY else None


def _first_element(value: Optional[gdb.Value], first: int) -> Optional[gdb.Value]:
    try:
        return None if value is None else value[first]
    except gdb.error:
        return None  # of an array without an address; only virtual bases need it


def _member_value(value: Optional[gdb.Value], member: gdb.Field) -> Optional[gdb.Value]:
    try:
        return None if value is None else value[member]
    except gdb.error:
        return None


def _offset(member: gdb.Field, value: Optional[gdb.Value], of: str) -> int:
    """The offset in bytes. For a virtual base only the object knows it."""
    if member.bitpos is not None:
        return int(member.bitpos) // 8
    try:
        if value is not None and value.address is not None:
            return int(value[member].address) - int(value.address)
    except gdb.error as error:
        raise fault(f"where '{member.name}', a virtual base, is in '{of}' cannot be told: {sentence(error)}") from None
    raise fault(f"where '{member.name}', a virtual base, is in '{of}' only an object in memory can tell")


def _has_flexible_end(of: gdb.Type) -> bool:
    """Whether the last member is an array without a length: then a pointer to the struct points to only one."""
    stripped = of.strip_typedefs()
    if stripped.code != gdb.TYPE_CODE_STRUCT:
        return False
    members = [member for member in stripped.fields() if hasattr(member, "bitpos")]
    last = members[-1].type.strip_typedefs() if members else None
    return last is not None and last.code == gdb.TYPE_CODE_ARRAY and last.sizeof == 0 and last.target().sizeof > 0


# --- types


def _descriptor_name(of: gdb.Type) -> str:
    """ "real(kind=8)(:,:)" """
    ranks = 0
    stripped = of.strip_typedefs()
    while stripped.code == gdb.TYPE_CODE_ARRAY:
        ranks += 1
        stripped = stripped.target()
    return f"{type_name(of)}({','.join(':' * ranks)})"


def _is_descriptor(of: gdb.Type) -> bool:
    """An allocatable or pointer array of Fortran: gdb would show the data, which is elsewhere."""
    return of.strip_typedefs().code in (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_STRING) and of.dynamic


def kind_of(declared: gdb.Type) -> str:
    """The core's name for the type of one element."""
    of = declared.strip_typedefs().unqualified()
    name = of.name or ""
    if of.code in _GROUPS:
        return _GROUPS[of.code]
    if of.code in _POINTERS:
        return "pointer"
    if of.code == gdb.TYPE_CODE_ENUM:
        return "enum"
    if of.code == gdb.TYPE_CODE_BOOL:
        return "logical" if name.startswith("logical") else "bool"
    if of.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR):
        return _integer_kind(declared, of, name)
    if of.code == gdb.TYPE_CODE_FLT:
        return _float_kind(name)
    if of.code == gdb.TYPE_CODE_COMPLEX:
        part = of.target()
        kind = _float_kind(part.name or "") if part.code == gdb.TYPE_CODE_FLT else "other"
        return {"float": "complex", "quad": "quad complex"}.get(kind, "other")
    return "other"


def _integer_kind(declared: gdb.Type, of: gdb.Type, name: str) -> str:
    while declared.code == gdb.TYPE_CODE_TYPEDEF:  # in C wchar_t is another name of int
        if declared.name == "wchar_t":
            return "wchar"
        declared = declared.target()
    if name == "wchar_t":
        return "wchar"
    if name in ("char", "character"):
        return "char"
    if name.startswith("character"):  # kind=4
        return "other"
    return "signed" if of.is_signed else "unsigned"


def _float_kind(name: str) -> str:
    if name == "__bf16":
        return "other"
    return "quad" if re.search(r"128|kind=16", name) else "float"


def type_name(declared: gdb.Type) -> str:
    """A type as it is written in a declaration, shortened."""
    of = declared.unqualified()
    if "::_" in (of.name or ""):  # an internal name of a library
        of = of.strip_typedefs()
    while of.code == gdb.TYPE_CODE_ARRAY:
        of = of.target()
    keyword = _KEYWORDS.get(of.code)
    if keyword is None:
        text = of.name or str(of)
    elif is_fortran():
        text = f"type({of.name})"
    elif not of.name:
        text = keyword + " {...}"
    else:
        text = of.name if gdb.current_language() == "c++" else f"{keyword} {of.name}"
    return text if len(text) <= _NAME_MOST else text[: _NAME_MOST - 3] + "..."


def _range(one: "_mpipp.Range", lower: int, to: str) -> str:
    """Indices of one dimension: "5", "0-9", "0-98 by 2", "0-2 to 90-92 by 10"; in Fortran "1:9:2"."""
    first, last, count, step, run = one
    first, last = first + lower, last + lower
    if first == last:
        return f"{first}"
    if count == 0:
        return f"{first}..{last}"
    if count == 1:
        return f"{first}{to}{last}"
    if run == 1:
        return f"{first}:{last}:{step}" if to == ":" else f"{first}-{last} by {step}"
    return f"{first}{to}{first + run - 1} to {last - run + 1}{to}{last} by {step}"
