# SPDX-License-Identifier: BSD-3-Clause
"""Calls that became jumps.

`return MPI_Type_free(&t);` in a function f may be compiled to a jump: then f is not on the stack any more, and MPI returns
to the caller of f. The code shows this: the instruction before the return address calls f, and not MPI. If just one jump
leads from f to MPI, the call is there; if not, it is only known that it went through f.
"""

import re
from typing import Iterator, List, NamedTuple, Optional, Set, Tuple

import gdb

_MOST_BYTES = 1 << 16  # the most bytes of a function that are searched
_MOST_JUMPS = 8  # the most jumps, one after the other

_JUMP = re.compile(r"(?:notrack |bnd )?(?:j\w*|b|tail)\s")
_OPERAND = re.compile(r"(0x[0-9a-f]+)(?: <(.+)>)?$")


class Through(NamedTuple):
    """The function that a call went through, and the place of the call; None: one of several places."""

    function: str
    pc: Optional[int]


class _Target(NamedTuple):
    """The target of a call or a jump; not known for one through a register."""

    address: Optional[int]
    symbol: str

    def is_mpi(self, call: str) -> bool:
        """Whether it is MPI_<call>, a regular expression, or its Fortran binding."""
        return bool(re.match(rf"p?mpi_(?:{call})(?:_c|_f08|_f08ts)?_*(?:@|$)", self.symbol, re.IGNORECASE))


def function_through(pc: int, call: str) -> Optional[Through]:
    """The function through which the call instruction that ends after `pc` led to MPI_<call>; None if there is none."""
    try:
        target = _called(pc)
        block = None if target.is_mpi(call) else _function_at(target)
        if block is None:
            return None
        found = list(_ways(block, call, set()))
    except (gdb.error, RuntimeError):  # code that cannot be read, or is in no function
        return None
    return Through(block.function.name, found[0] if len(found) == 1 else None)


def _called(pc: int) -> _Target:
    """The target of the call instruction before pc + 1."""
    line = gdb.find_pc_line(pc)
    for instruction in _instructions(line.pc, pc):
        if instruction["addr"] + instruction["length"] == pc + 1:
            return _target(instruction["asm"])
    return _Target(None, "")


def _instructions(start: int, last: int) -> List[dict]:
    if last - start > _MOST_BYTES:
        return []
    return gdb.selected_inferior().architecture().disassemble(start, last)


def _target(text: str) -> _Target:
    match = _OPERAND.search(text)
    if match is None:
        return _Target(None, "")
    address, symbol = int(match.group(1), 16), match.group(2) or ""
    if "#" in text:  # x86: the address that the target is read from
        address = int.from_bytes(bytes(gdb.selected_inferior().read_memory(address, 8)), "little")
        symbol = ""
    if not symbol:
        architecture = gdb.selected_inferior().architecture()
        shown = re.search(r"<(.+)>$", gdb.format_address(address, gdb.current_progspace(), architecture))
        symbol = shown.group(1) if shown else ""
    return _Target(address, symbol)


def _function_at(target: _Target) -> Optional[gdb.Block]:
    """None if it has no debug information."""
    if target.address is None:
        return None
    address = target.address
    if target.symbol.endswith("@plt"):
        symbol = gdb.lookup_global_symbol(target.symbol[: -len("@plt")])
        if symbol is None:
            return None
        address = int(symbol.value().address)
    block = gdb.block_for_pc(address)
    while block is not None and block.function is None:
        block = block.superblock
    return block if block is not None and block.start == address else None


def _ways(block: gdb.Block, call: str, seen: Set[int]) -> Iterator[Optional[int]]:
    """The jumps that lead from a function to MPI; None stands for a jump that may."""
    if block.start in seen or len(seen) == _MOST_JUMPS:
        yield None
        return
    seen.add(block.start)
    code = _instructions(block.start, block.end - 1)
    if not code:
        yield None
    for pc, target in _jumps_out(block, code):
        if target.is_mpi(call):
            yield pc
            continue
        further = _function_at(target)
        if further is not None:
            yield from _ways(further, call, seen)
        elif target.address is None:
            yield None


def _jumps_out(block: gdb.Block, code: List[dict]) -> Iterator[Tuple[int, _Target]]:
    for instruction in code:
        if _JUMP.match(instruction["asm"]):
            target = _target(instruction["asm"])
            if target.address is None or not block.start <= target.address < block.end:
                yield instruction["addr"], target
