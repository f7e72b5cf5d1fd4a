# SPDX-License-Identifier: BSD-3-Clause
"""The arguments of a call in readable form: constants and datatypes by name, buffers through their types."""

import struct
from typing import Iterator, List, Tuple

import gdb

from . import _mpipp, objects, statuses, synth
from .call import Found
from .call_buffers import Block, Buffers, described
from .call_parts import Part, place_of
from .call_requests import Requests
from .call_values import ADDRESSES, HANDLES, SIGNED, Values, has_many_statuses, named_address, named_number, signed
from .commands import summary
from .entry_names import buffer_of, find_by_address
from .fault import let_quit, sentence
from .printers.buffer import buffer_text
from .rank import Rank
from .settings import cut_list, enclosed, print_settings

# Pointers to data that the program filled in before the call; all others are meaningful only after it has returned.
_IN = frozenset(
    "commit type- done dones start starts cancel release ask pready counts displs types sizes array extents subsizes"
    " starts_at dims distribs dargs grid bases".split()
)
# Arrays with a member for each of `n`, `size`, `ndims`.
_OF_N = frozenset("dones starts sizes array extents subsizes starts_at dims distribs dargs grid bases".split())
_OF_RANKS = frozenset(("counts", "displs", "types"))
# Arrays of which only the address is shown.
_ARRAYS = frozenset("list members ranges translated neighbours coords cartdims givendims nodeindex edges".split())
_MOST_TEXT = 200


def arguments(rank: Rank, found: Found) -> List[Tuple[str, str]]:
    """(name, text) of each argument."""
    return _Arguments(rank, found).all()


class _Arguments:
    """Those of one call."""

    def __init__(self, rank: Rank, found: Found) -> None:
        self._rank = rank
        self._found = found
        self._form = found.form
        self._values = found.values
        self._of = Values(rank, found.form, found.values)
        self._buffers = Buffers(rank, self._of)
        self._requests = Requests(rank)
        self._most = print_settings().elements
        self._parts = {part.buffer: part for part in self._buffers.parts}

    def all(self) -> List[Tuple[str, str]]:
        return [(one.name, self._guarded(index)) for index, one in enumerate(self._form.parameters)]

    def _guarded(self, index: int) -> str:
        """An argument that cannot be read is shown as its address, and why."""
        try:
            return self._text(index)
        except (gdb.error, _mpipp.Error) as error:
            let_quit(error)
            return f"{self._address(self._values[index])}  <{sentence(error)}>"

    def _text(self, index: int) -> str:
        parameter, value = self._form.parameters[index], self._values[index]
        role = parameter.role.split(":")[0]
        if index in self._parts:
            return self._buffer(self._parts[index])
        if "*" in parameter.type or "function" in parameter.type:
            return self._pointer(index, role)
        return self._plain(parameter.type, role, value)

    # --- numbers and handles -------------------------------------------------------------------

    def _plain(self, of: str, role: str, value: int) -> str:
        if of == "MPI_Datatype":
            return self._type(value)
        if of in HANDLES:
            return self._handle(of, value)
        return named_number(self._of, of, role, value) or str(signed(value) if of in SIGNED else value)

    def _handle(self, of: str, value: int) -> str:
        return self._of.name(of, value) or objects.long(self._rank, of, value)

    def _type(self, handle: int) -> str:
        state, of = self._rank.registry.find(handle)
        if of is None:
            return f"0x{handle:x} <no datatype>"
        if of.kind == "NAMED":
            return of.name or f"0x{handle:x}"
        text = f"{summary.title(of)} = {summary.built(of)}"
        return f"{text} <freed>" if state == "freed" else text

    def _address(self, value: int) -> str:
        return f"0x{value:x}" if value else "NULL"

    # --- pointers ------------------------------------------------------------------------------

    def _pointer(self, index: int, role: str) -> str:
        value = self._values[index]
        of = self._form.parameters[index].type
        base = of.replace("const", "").strip()
        if base == "MPI_Status *":
            return self._status(role, index)
        name = named_address(self._of, role, value)
        if name is not None:
            return name
        if not value or base.count("*") != 1 or "function" in of:
            return self._address(value)
        base = base[:-1].strip()
        if base == "char":
            return self._string(value, of)
        if base in ("void",) or not (role in _IN or self._found.returned()) or self._of.width(base) is None:
            return self._address(value)
        if self._is_bindings(base):
            return self._address(value)
        if role not in _OF_N | _OF_RANKS:
            is_array = role in ("-", *ADDRESSES) and self._form.parameters[index].name.endswith("s")  # sourceweights
            if is_array or role in _ARRAYS:
                return self._address(value)
            return f"{self._address(value)}  {self._pointed_to(value, base, role)}"
        length = self._length(role)
        if length == 0:
            return f"{self._address(value)}  its length is not known"
        array = self._array(value, base, role, length)
        return self._address(value) + (array if array.startswith("\n") else f"  {array}")

    def _is_bindings(self, base: str) -> bool:
        """Whether these are handles in memory of a binding that has returned: it had converted them for MPI."""
        is_handle = base == "MPI_Datatype" or base in HANDLES
        return is_handle and self._found.state == "returned" and not self._found.returned()

    def _pointed_to(self, address: int, base: str, role: str) -> str:
        member = self._of.read(address, base, 0, 1)[0]
        text = self._plain(base, role, member)
        request = self._requests.text(address, member) if base == "MPI_Request" else None
        return text if request is None else f"{text}  {request}"

    def _string(self, value: int, of: str) -> str:
        if not (of.startswith("const") or self._found.returned()):
            return self._address(value)
        data = bytearray()
        while len(data) < _MOST_TEXT:
            byte = bytes(self._rank.read(value + len(data), 1))
            if byte == b"\0":
                return '"' + data.decode("utf-8", "replace") + '"'
            data += byte
        return '"' + data.decode("utf-8", "replace") + '"...'

    def _length(self, role: str) -> int:
        """The number of members of an array; 0: not known."""
        if role in _OF_RANKS:
            return self._of.ranks()
        number = place_of(self._form, "n", "ndims", "size")
        return max(signed(self._values[number]), 0) if number is not None else 0

    def _array(self, address: int, base: str, role: str, length: int) -> str:
        shown = length if self._most < 0 else min(length, self._most)
        members = self._of.read(address, base, 0, shown)
        texts = [self._member(base, role, one) for one in members]
        width = self._of.width(base) or 0
        slots = [(address + i * width, one) for i, one in enumerate(members)] if base == "MPI_Request" else []
        rows = self._requests.rows(slots)
        if any(row is not None for row in rows):
            more = [f"<{length - shown} more>"] if shown < length else []
            lines = [f"[{i}]  " + "  ".join(filter(None, (texts[i], row))) for i, row in enumerate(rows)]
            return "".join(f"\n    {line}" for line in lines + more)
        return enclosed(cut_list(texts, shown == length))

    def _member(self, base: str, role: str, value: int) -> str:
        if base in HANDLES:
            return self._of.name(base, value) or f"0x{value:x}"
        return self._plain(base, role, value)

    # --- statuses ------------------------------------------------------------------------------

    def _status(self, role: str, index: int) -> str:
        value = self._values[index]
        many = has_many_statuses(self._form, index)
        ignored = self._of.name("statuses" if many else "status", value)
        if ignored is not None:
            return ignored
        if not self._found.returned():
            return self._address(value)
        if not many:
            return f"{self._address(value)}  {self._one_status(value)}"
        length = self._length("dones")
        shown = length if self._most < 0 else min(length, self._most)
        texts = [self._one_status(value + i * self._rank.registry.status.size) for i in range(shown)]
        return f"{self._address(value)}  {{{', '.join(texts)}{'...' if shown < length else ''}}}"

    def _one_status(self, address: int) -> str:
        layout = self._rank.registry.status
        if not layout.size:
            return "?"
        data = bytes(self._rank.read(address, layout.size))
        order = synth.types().order

        def member(name: str, at: int) -> str:
            number = struct.unpack_from(order + "i", data, at)[0] if at + 4 <= layout.size else 0
            return f"{name} = {statuses.named(self._of, name, number, bool(self._found.result))}"

        places = (("MPI_SOURCE", layout.source), ("MPI_TAG", layout.tag), ("MPI_ERROR", layout.error))
        return f"{{{', '.join(member(*place) for place in places)}}}"

    # --- buffers -------------------------------------------------------------------------------

    def _buffer(self, part: Part) -> str:
        value = self._values[part.buffer]
        name = self._buffers.constant(part)
        if name == "MPI_IN_PLACE":
            return name
        shown = name or self._address(value)
        if not self._buffers.is_significant(part):
            return f"{shown}  not significant in this rank"
        texts = list(self._data(part))
        return f"{shown}  {', '.join(texts)}" if texts else shown

    def _data(self, part: Part) -> Iterator[str]:
        """The texts of its blocks: one, except in a call with an array of counts."""
        blocks = self._buffers.length(part)
        if blocks == 0:
            several = "this rank has neighbours" if self._of.has_neighbours() else "the communicator has ranks"
            yield f"its blocks are not known: as many as {several}"
        elif not self._buffers.has_blocks(part):
            whole = self._buffers.whole(part)
            assert whole is not None
            yield self._block(whole)
        else:
            shown = blocks if self._most < 0 else min(blocks, self._most)
            for number, block in enumerate(self._buffers.blocks(part, 0, shown)):
                yield f"[{number}] = {self._block(block)}"
            if shown < blocks:
                yield "..."

    def _block(self, block: Block) -> str:
        of, why = described(self._rank, block)
        if of is None:
            return why
        try:
            place = _mpipp.Place(of, block.address, block.count)
            entries = find_by_address(buffer_of(self._rank, of, block.address, block.count), place)
            return buffer_text(place, self._rank, print_settings(), entries)
        except _mpipp.Unreadable as error:
            return f"{error.partial or ''}  <{sentence(error)}>".strip()
