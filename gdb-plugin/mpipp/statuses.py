# SPDX-License-Identifier: BSD-3-Clause
"""What an MPI_Status says: the standard's names of its numbers, and how much was received (MPI-4.0, 3.2.5).

The members with a name in the standard are read by that name. How many bytes came, and whether the operation was
cancelled, each library keeps in members of its own."""

from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

import gdb

from . import _mpipp
from .commands import summary
from .call_parts import parts, place_of
from .call_values import Names
from .rank import Rank

_STRUCTS = frozenset(("mpi_status", "ompi_status_public_t"))  # in lower case, as Fortran's are
_PUBLIC = ("MPI_SOURCE", "MPI_TAG", "MPI_ERROR")
_KINDS = {"MPI_SOURCE": ("source", "rank"), "MPI_TAG": ("tag",), "MPI_ERROR": ("result",)}
_WORDS = (1 << 64) - 1
_STATUSES = ("const MPI_Status *", "MPI_Status *")


class Member(NamedTuple):
    """A line of a status: "MPI_TAG", "7"."""

    name: str
    text: str


def is_status(of: gdb.Type) -> bool:
    """Whether this is MPI's struct, by its name in C or mpi_f08."""
    if of.code == gdb.TYPE_CODE_TYPEDEF and of.name != "MPI_Status":
        return False
    of = of.strip_typedefs()
    return of.code == gdb.TYPE_CODE_STRUCT and (of.name or "mpi_status").lower() in _STRUCTS


def members(rank: Rank, value: gdb.Value) -> Optional[List[Member]]:
    """What a status says; None if the struct has not the members of the standard. Raises gdb.MemoryError."""
    fields = {(one.name or "").lower(): one for one in value.type.strip_typedefs().fields()}
    if any(name.lower() not in fields for name in _PUBLIC):
        return None
    names = Names(rank)
    numbers = {name: int(value[fields[name.lower()]]) for name in _PUBLIC}
    if "internal" in fields:
        length, is_cancelled = _length_of_words(value[fields["internal"]])
    else:
        lengths = {name: int(value[fields[name]]) for name in fields if name.startswith(("_", "c_", "count_"))}
        length, is_cancelled = _length(lengths)
    address = int(value.address) & _WORDS if value.address is not None else None
    has_error = address is not None and _is_in_failed(rank, address)
    found = [Member(name, named(names, name, number, has_error)) for name, number in numbers.items()]
    if length is not None:
        found.append(Member("bytes", str(length)))
        count = _count(rank, address, length) if address is not None else None
        found += [Member("count", count)] if count is not None else []
    return found + ([Member("cancelled", "true")] if is_cancelled else [])


def named(names: Names, member: str, number: int, has_error: bool) -> str:
    """A member's number, or its name; member: "MPI_TAG". has_error: MPI has set MPI_ERROR, which in most statuses is what was
    there before, and any number."""
    if member == "MPI_ERROR" and number != 0:
        name = names.error(number) if has_error else None
        return f"{name} ({number})" if name is not None and number >> 8 else name or str(number)
    return next(filter(None, (names.name(kind, number & _WORDS) for kind in _KINDS[member])), str(number))


def _length(own: Dict[str, int]) -> Tuple[Optional[int], bool]:
    """The number of bytes, and whether the operation was cancelled, from a library's own members."""
    if "count_lo" in own and "count_hi_and_cancelled" in own:  # MPICH and its family
        high = own["count_hi_and_cancelled"] & (1 << 32) - 1
        return (own["count_lo"] & (1 << 32) - 1) | high >> 1 << 32, bool(high & 1)
    for length, cancelled in (("_ucount", "_cancelled"), ("c_count", "c_cancelled")):
        if length in own:  # Open MPI
            return own[length] & _WORDS, bool(own.get(cancelled, 0))
    return None, False


def _length_of_words(words: gdb.Value) -> Tuple[Optional[int], bool]:
    """The same from the integers that stand for those members in mpi_f08 of Open MPI 5."""
    if words.type.code != gdb.TYPE_CODE_ARRAY or words.type.range()[1] - words.type.range()[0] != 2:
        return None, False
    first = words.type.range()[0]
    cancelled, low, high = (int(words[first + i]) & (1 << 32) - 1 for i in range(3))
    return low | high << 32, bool(cancelled)


def _count(rank: Rank, address: int, length: int) -> Optional[str]:
    """The same in elements of the datatype of the call that has written the status, or has asked for the count: the last one of
    a thread. "3 x MPI_INT"."""
    for handle in _types(rank, address):
        of = rank.registry.find(handle)[1]
        if of is None or not of.size:
            continue
        name = of.name or summary.built(of)
        if length % of.size == 0:
            return f"{length // of.size} x {name}"
        return f"MPI_UNDEFINED: {length // of.size} x {name} and {length % of.size} bytes more"
    return None


def _is_in_failed(rank: Rank, address: int) -> bool:
    """Whether a status at this address is in the array of a thread's last call, in which an operation has failed."""
    for call, form in _returned(rank):
        number = place_of(form, "n")
        array = place_of(form, "statuses")
        if call.result and number is not None and array is not None:
            first = call.values[array]
            if first <= address < first + call.values[number] * rank.registry.status.size:
                return True
    return False


def _types(rank: Rank, address: int) -> Iterator[int]:
    """The datatypes of last calls that have a status at this address."""
    for call, form in _returned(rank):
        has_status = any(one.type in _STATUSES and value == address for one, value in zip(form.parameters, call.values))
        if not has_status or place_of(form, "dones") is not None:
            continue
        received = [part.type for part in parts(form) if part.role in ("write", "swap")]
        if not received and form.function.startswith(("MPI_Get_count", "MPI_Get_elements")):
            received = [i for i, one in enumerate(form.parameters) if one.type == "MPI_Datatype"]
        yield from (call.values[number] for number in received[-1:])


def _returned(rank: Rank) -> "Iterator[Tuple[_mpipp.Call, _mpipp.Form]]":
    """The last call of each thread, if it has returned."""
    for thread in rank.registry.threads():
        for call in thread.calls:
            if call.state == "returned":
                yield call, rank.registry.form(call.form)
