"""The arguments of a call as a user reads them: constants and datatypes by name, buffers through their types."""

import struct
from typing import Dict, Iterator, List, Optional, Tuple

import gdb

from . import _mpipp, synth
from .call import Found
from .call_parts import Part, parts, place_of
from .commands import summary
from .fault import let_quit, sentence
from .printers.buffer import buffer_text
from .rank import Rank
from .settings import print_settings

_HANDLES = frozenset(
    "MPI_Comm MPI_Group MPI_Op MPI_Win MPI_File MPI_Info MPI_Errhandler MPI_Request MPI_Message MPI_Session".split()
)
_SIGNED = frozenset(("int", "MPI_Aint", "MPI_Count", "MPI_Offset", "MPI_Fint"))
_RANKS = {
    "dest": ("rank",),
    "source": ("rank", "source"),
    "target": ("rank",),
    "root": ("rank", "root"),
    "anytag": ("tag",),
    "order": ("order",),
    "distribs": ("distribs",),
    "dargs": ("dargs",),
}
# Pointers to what the program filled in before the call; all others say something when it has returned.
_IN = frozenset(
    "commit type- done dones start starts cancel release ask pready counts displs types sizes array extents subsizes"
    " starts_at dims distribs dargs grid bases".split()
)
# Arrays with a member for each of `n`, `size`, `ndims`.
_OF_N = frozenset("dones starts sizes array extents subsizes starts_at dims distribs dargs grid bases".split())
_OF_RANKS = frozenset(("counts", "displs", "types"))
_MOST_TEXT = 200

Names = Dict[Tuple[str, int], str]


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
        self._names: Names = {(one.type, one.value): one.name for one in reversed(rank.registry.names())}
        self._most = print_settings().elements
        self._parts = {part.buffer: part for part in parts(found.form)}

    def all(self) -> List[Tuple[str, str]]:
        return [(one.name, self._guarded(index)) for index, one in enumerate(self._form.parameters)]

    def _guarded(self, index: int) -> str:
        """An argument that cannot be read is its address, and why."""
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
        if of in _HANDLES:
            return self._handle(of, value)
        number = _signed(value) if of in _SIGNED else value
        for kind in _RANKS.get(role, ()):
            name = self._names.get((kind, value))
            if name is not None:
                return name
        return str(number)

    def _handle(self, of: str, value: int) -> str:
        return self._names.get((of, value)) or f"0x{value:x}"

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
        if not value or base.count("*") != 1 or "function" in of:
            return self._address(value)
        base = base[:-1].strip()
        if base == "char":
            return self._string(value, of)
        if base in ("void",) or not (role in _IN or self._found.returned()) or self._width(base) is None:
            return self._address(value)
        if role not in _OF_N | _OF_RANKS:
            if role == "-" and self._form.parameters[index].name.endswith("s"):  # coords, array_of_indices
                return self._address(value)
            return f"{self._address(value)}  {self._plain(base, role, self._read(value, base, 0, 1)[0])}"
        length = self._length(role)
        if length == 0:
            return f"{self._address(value)}  its length is not known"
        return f"{self._address(value)}  {self._array(value, base, role, length)}"

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
        """How many members an array has; 0: not known."""
        if role in _OF_RANKS:
            return self._ranks()
        number = place_of(self._form, "n", "ndims", "size")
        return max(_signed(self._values[number]), 0) if number is not None else 0

    def _ranks(self) -> int:
        """How many ranks the call's communicator has; 0: not known."""
        number = place_of(self._form, "comm", "intra")
        if number is None or "eighbor_" in self._form.function:
            return 0
        name = self._names.get(("MPI_Comm", self._values[number]))
        return {"MPI_COMM_WORLD": self._rank.registry.world_size or 0, "MPI_COMM_SELF": 1}.get(name or "", 0)

    def _array(self, address: int, base: str, role: str, length: int) -> str:
        shown = length if self._most < 0 else min(length, self._most)
        texts = [self._plain(base, role, one) for one in self._read(address, base, 0, shown)]
        return "{" + ", ".join(texts) + ("...}" if shown < length else "}")

    def _width(self, base: str) -> Optional[int]:
        registry = self._rank.registry
        if base in ("MPI_File", "MPI_Aint"):
            return registry.pointer_bytes
        if base == "MPI_Datatype" or base in _HANDLES:
            return registry.handle_bytes
        return {"int": 4, "MPI_Fint": 4, "MPI_Count": 8, "MPI_Offset": 8}.get(base)

    def _read(self, address: int, base: str, start: int, stop: int) -> List[int]:
        """Members of an array, as a call has its values."""
        width = self._width(base) or 8
        data = bytes(self._rank.read(address + start * width, (stop - start) * width))
        letter = {4: "i", 8: "q"}[width] if base in _SIGNED else {4: "I", 8: "Q"}[width]
        numbers = struct.unpack(f"{synth.types().order}{stop - start}{letter}", data)
        return [number & (1 << 64) - 1 for number in numbers]

    # --- statuses ------------------------------------------------------------------------------

    def _status(self, role: str, index: int) -> str:
        value = self._values[index]
        many = place_of(self._form, "dones") is not None and self._form.parameters[index].name.startswith("array_of")
        ignored = self._names.get(("statuses" if many else "status", value))
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

        def member(at: int, role: str) -> str:
            number = struct.unpack_from(order + "i", data, at)[0] if at + 4 <= layout.size else 0
            return self._plain("int", role, number & (1 << 64) - 1)

        return (
            f"{{MPI_SOURCE = {member(layout.source, 'source')}, MPI_TAG = {member(layout.tag, 'anytag')},"
            f" MPI_ERROR = {member(layout.error, '')}}}"
        )

    # --- buffers -------------------------------------------------------------------------------

    def _buffer(self, part: Part) -> str:
        value = self._values[part.buffer]
        name = self._names.get(("address", value))
        if name == "MPI_IN_PLACE":
            return name
        shown = name or self._address(value)
        if not self._is_significant(part):
            return f"{shown}  not significant in this rank"
        texts = list(self._data(part))
        return f"{shown}  {', '.join(texts)}" if texts else shown

    def _is_significant(self, part: Part) -> bool:
        """False: it is known not to be."""
        root, comm = place_of(self._form, "root"), place_of(self._form, "comm")
        if part.where not in ("root", "leaf") or root is None or comm is None:
            return True
        if part.where == "leaf" or self._names.get(("MPI_Comm", self._values[comm])) != "MPI_COMM_WORLD":
            return True
        return _signed(self._values[root]) == self._rank.registry.world_rank

    def _data(self, part: Part) -> Iterator[str]:
        """The texts of its blocks: one, but in a call with an array of counts."""
        kind = self._form.parameters[part.type].role.split(":")[0]
        counted = self._form.parameters[part.count].role if part.count is not None else ""
        if counted != "counts":
            count = 1 if part.count is None else _signed(self._values[part.count])
            yield self._block(self._values[part.type], self._values[part.buffer], count)
            return
        assert part.count is not None
        ranks = self._ranks()
        if ranks == 0:
            yield "its blocks are not known: as many as the communicator has ranks"
            return
        shown = ranks if self._most < 0 else min(ranks, self._most)
        counts = list(map(_signed, self._read_of(part.count, shown)))
        if part.displs is None:
            yield self._block(self._values[part.type], self._values[part.buffer], self._own_count(part, counts))
            return
        displs = list(map(_signed, self._read_of(part.displs, shown)))
        if kind == "types":
            types = self._read_of(part.type, shown)
            spacings = [1] * shown
        else:
            types = [self._values[part.type]] * shown
            spacings = [self._extent(types[0])] * shown if shown else []
        for number in range(shown):
            address = self._values[part.buffer] + displs[number] * spacings[number]
            yield f"[{number}] = {self._block(types[number], address & (1 << 64) - 1, counts[number])}"
        if shown < ranks:
            yield "..."

    def _own_count(self, part: Part, counts: List[int]) -> int:
        """Reduce_scatter: all that is reduced is read, the rank's own share is written."""
        own = self._rank.registry.world_rank
        if part.role == "write" and own is not None and own < len(counts) == self._rank.registry.world_size:
            return counts[own]
        return sum(counts)

    def _read_of(self, parameter: int, length: int) -> List[int]:
        base = self._form.parameters[parameter].type.replace("const", "").replace("*", "").strip()
        return self._read(self._values[parameter], base, 0, length)

    def _extent(self, handle: int) -> int:
        of = self._rank.registry.find(handle)[1]
        return of.extent if of is not None and of.extent is not None else 0

    def _block(self, handle: int, address: int, count: int) -> str:
        state, of = self._rank.registry.find(handle)
        if of is None or state == "freed" or of.name == "MPI_DATATYPE_NULL":
            return "no datatype, no data" if of is None else f"{summary.title(of)}: no data"
        if count < 0:
            return f"count {count}: no data"
        try:
            return buffer_text(_mpipp.Place(of, address, count), self._rank, print_settings())
        except _mpipp.Unreadable as error:
            return f"{error.partial or ''}  <{sentence(error)}>".strip()


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
