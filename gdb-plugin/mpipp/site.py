# SPDX-License-Identifier: BSD-3-Clause
"""Call sites for users: file and line, or the next best.

A site has a few frames, innermost first (`mpipp run --callers=N`; by default one): return addresses, or the lines that an
interpreter reported at the call.
"""

import os
import re
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

import gdb

from . import _mpipp, fortran_line, mappings, source_line, tail_call
from .host_text import decoded

Frames = Tuple[Union[int, str], ...]


class Site(NamedTuple):
    """where: "halo.c:77", "make_types+23" or "libfoo.so+0x1234"; function: its name, if known.

    through: a function that was called there; it is not known where in it MPI was called (tail_call.py).
    """

    where: str
    function: Optional[str]
    through: Optional[str] = None

    @property
    def has_line(self) -> bool:
        """Whether it is a line of a file."""
        return ":" in self.where

    def __str__(self) -> str:
        place = f"{self.where} in {self.function}" if self.function and self.has_line else self.where
        return _mpipp.visible(place + self.detour)

    @property
    def detour(self) -> str:
        """ ", through f": else nothing."""
        return f", through {self.through}" if self.through else ""


# The function that is called at a site, as a regular expression for the name after "MPI_", in any case.
COMMIT = "type_commit"
FREE = "type_free"

_known: Dict[Tuple[int, int, str], Tuple[Site, ...]] = {}


def forget() -> None:
    """Symbols were loaded or unloaded."""
    _known.clear()
    source_line.forget()


def made_by(kind: str) -> str:
    """The function that makes a type of this kind."""
    if kind == "OPAQUE":
        return r"\w*(?:type|view)\w*"
    return rf"type_(?:create_)?{kind.lower()}|type_get_contents"


def call_site(frames: Frames, call: str) -> Optional[Site]:
    """The nearest frame with a line, else the nearest; None if there is none."""
    sites = list(_sites(frames, call))
    return next((found for found in sites if found.has_line), sites[0] if sites else None)


def of_function(frames: Frames, function: str) -> Optional[Site]:
    """call_site() for an MPI function by its name, "MPI_Recv"; "" if not known."""
    return call_site(frames, function.partition("_")[2].lower() or r"\w+")


def text(frames: Frames, call: str) -> str:
    """The same as a text: "halo.c:77"; "halo.c:77, through f"."""
    found = call_site(frames, call)
    return found.where + found.detour if found is not None else "an unknown place"


def chain(frames: Frames, call: str) -> Optional[str]:
    """All of them: "lib.c:10 in make_type, called from app.c:20 in main"; None if there are none."""
    sites: List[Site] = []
    for found in _sites(frames, call):
        sites.append(found)
        if found.function == "main":  # frames further out belong to the C library
            break
    while len(sites) > 1 and not sites[-1].has_line:
        sites.pop()
    if len(sites) > 1 and sites[-1].function == "main" and fortran_line.is_fortran(sites[-1].where.rsplit(":", 1)[0]):
        sites.pop()  # the compiler's main
    return ", called from ".join(map(str, sites)) or None


def _sites(frames: Frames, call: str) -> Iterator[Site]:
    for index, frame in enumerate(frames):
        if isinstance(frame, str):
            yield _told(frame)
        else:  # an address inside the call instruction: the return address may belong to the next line
            yield from _at(frame - 1, "" if index else call)[: len(frames)]


def _told(frame: str) -> Site:
    place, _, function = frame.partition("\n")
    return Site(os.path.basename(place), function)


def _at(pc: int, call: str) -> Tuple[Site, ...]:
    key = (gdb.selected_inferior().num, pc, call)
    if key not in _known:
        _known[key] = _look(pc, call)
    return _known[key]


def _look(pc: int, call: str) -> Tuple[Site, ...]:
    """For a call that became a jump: its place, and the caller of that function."""
    site = _line(pc, "")
    if site is None:
        return (_without_line(pc),)
    through = tail_call.function_through(pc, call) if call else None
    if through is None:
        return (_line(pc, call) or site,)
    jump = _line(through.pc, call) if through.pc is not None else None
    return (jump, site) if jump is not None else (site._replace(through=through.function),)


def _without_line(pc: int) -> Site:
    after = pc + 1
    shown = gdb.format_address(after, gdb.current_progspace(), gdb.selected_inferior().architecture())
    symbol = re.search(r"<(.+?)(\+\d+)?>$", shown)
    if symbol:
        name = _demangled(symbol.group(1))
        return Site(name + (symbol.group(2) or ""), name)
    module = _in_module(after)
    if module is not None and re.match(r"MPI\.[\w-]+\.so\+", module):
        module += " (mpi4py; its caller's line is not known)"
    return Site(module or f"0x{after:x}", None)


def _demangled(name: str) -> str:
    """As gdb's backtraces show it."""
    if not name.startswith("_Z"):
        return name
    try:
        return gdb.execute(f"demangle -l c++ -- {name}", to_string=True).strip()
    except gdb.error:
        return name


def _line(pc: int, call: str) -> Optional[Site]:
    """For code with debug information."""
    line = gdb.find_pc_line(pc)
    if line.symtab is None or not line.line:
        return None
    function: Optional[str] = None
    block = gdb.block_for_pc(pc)
    while block is not None and function is None:
        function = block.function.name if block.function is not None else None
        block = block.superblock
    return Site("{}:{}".format(*_file_and_line(line, pc, call)), function)


def _file_and_line(line: gdb.Symtab_and_line, pc: int, call: str) -> Tuple[str, int]:
    file, number = decoded(lambda: line.symtab.filename) or "", line.line
    if fortran_line.is_fortran(file):
        return base_name(file), fortran_line.of_call(line.symtab, number, pc, call) if call else number
    file, number = source_line.of_call(line.symtab, pc) or (file, number)
    return base_name(file), number


def of_frame(frame: gdb.Frame) -> Site:
    """The place in a frame without a line: "exchange+248", or "app+0x1234"."""
    return _without_line(frame.pc() - 1)


def where_in(frame: gdb.Frame, line: gdb.Symtab_and_line) -> str:
    """The place in a frame: "halo.c:77"; line: frame.find_sal()."""
    inner = frame.newer()
    if inner is None or inner.type() == gdb.INLINE_FRAME:  # gdb takes the line from elsewhere
        return f"{base_name(decoded(lambda: line.symtab.filename) or '')}:{line.line}"
    return "{}:{}".format(*_file_and_line(line, frame.pc() - 1, ""))


def _in_module(address: int) -> Optional[str]:
    """ "libfoo.so+0x1234": the offset in the file, for addr2line and objdump."""
    for mapping in mappings.files():
        if mapping.start <= address < mapping.end:
            return f"{base_name(mapping.path)}+0x{address - mapping.start + mapping.offset:x}"
    return None


def base_name(path: str) -> str:
    """A file's name without its folders."""
    return _mpipp.visible(os.path.basename(path))
