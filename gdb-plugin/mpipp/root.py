# SPDX-License-Identifier: BSD-3-Clause
"""Finds the registry: by its symbol, or, if gdb has no symbols, in the library's memory."""

import os
import re
from typing import Optional, Tuple

import gdb

from . import _mpipp, core_file, mappings, settings
from .fault import let_quit

NO_PROCESS = "no process: start the program, or load a core file"
NO_REGISTRY = "no shadow registry in this process: start it with 'mpipp run', or link -lshadowtype"
NO_MPI = "no shadow registry in this process: the program does not use MPI"
NOT_YET = "no shadow registry in this process: the program has not loaded its libraries yet"
STATIC = (
    "no shadow registry in this process: the program is linked statically, where nothing can be recorded:"
    " link it with the shared MPI library"
)
UNREADABLE = "the shadow registry cannot be read"
NO_SYMBOLS = "no shadow registry to be found: gdb knows neither the program's symbols nor the files that it had mapped"

_LIBRARY = re.compile(r"libshadowtype[\w-]*\.so")
_MPI_LIBRARY = re.compile(r"lib(p?mpi|mpich)[\w-]*\.so")
_SHARED = re.compile(r"\.so(\.|$)")
_LOADER = re.compile(r"ld[\w.-]*\.so")

# The beginning of the root (registry.h): magic, version, byte order. The magic alone is also the beginning of the symbol's
# name.
_MAGIC = b"shadowty"
_ORDERS = (b"\1\2\3\4", b"\4\3\2\1")

_PAGE = 4096


def is_library(path: str) -> bool:
    """Whether this file is libshadowtype."""
    return bool(_LIBRARY.match(os.path.basename(path)))


def address_of(symbol: str) -> Optional[int]:
    """The address of a symbol that may have no debug information; None if there is none.

    Evaluated in the language C, because the expression means something else in some languages."""
    with settings.language("c"):
        try:
            return int(gdb.parse_and_eval(f"(unsigned long)&{symbol}"))
        except gdb.error:
            return None


def find(inferior: gdb.Inferior) -> Tuple[Optional[int], str]:
    """The address of the root in the selected process; or None, and a sentence that says why there is none."""
    if inferior.pid == 0:
        return None, NO_PROCESS
    found = address_of(_mpipp.ROOT_SYMBOL)
    if found is None:
        return _without_symbol(inferior)
    if not _is_root(inferior, found):
        found = _without_symbol(inferior)[0] or found
    return found, ""


def is_other_build(at: int) -> bool:
    """Whether the library's file is of another build than what the process has loaded; at: where its root was found."""
    return address_of(_mpipp.ROOT_SYMBOL) not in (None, at)


def _is_root(inferior: gdb.Inferior, address: int) -> bool:
    """Whether the root may be at this address: also if that cannot be read."""
    try:
        return bytes(inferior.read_memory(address, len(_MAGIC))) == _MAGIC
    except gdb.error as error:
        let_quit(error)
        return True


def _without_symbol(inferior: gdb.Inferior) -> Tuple[Optional[int], str]:
    """For a core file alone, or one whose libraries do not exist here: the kernel has recorded where they were."""
    names = set()
    library: Optional[mappings.Mapping] = None
    for mapping in mappings.files():
        name = os.path.basename(mapping.path)
        names.add(name)
        if is_library(mapping.path):
            library = library or mapping
            found = _magic_in(inferior, mapping)
            if found is not None:
                return found, ""
    if library is not None:
        why = core_file.why_missing(library.start)
        return None, UNREADABLE + (f": {why}" if why else "")
    uses_mpi = address_of("MPI_Init") is not None or any(map(_MPI_LIBRARY.match, names))
    has_symbols = address_of("main") is not None
    if not names and not has_symbols:
        return None, NO_SYMBOLS
    if names and not any(map(_SHARED.search, names)) and (uses_mpi or not has_symbols):
        return None, STATIC
    if uses_mpi and any(map(_LOADER.match, names)) and all(map(_LOADER.match, filter(_SHARED.search, names))):
        return None, NOT_YET
    return None, NO_REGISTRY if uses_mpi else NO_MPI


def _magic_in(inferior: gdb.Inferior, mapping: mappings.Mapping) -> Optional[int]:
    """Finds the root in a mapping. Inferior.search_memory is not usable: if memory cannot be read, it returns an arbitrary
    address."""
    for page in range(mapping.start, mapping.end, _PAGE):
        try:
            memory = bytes(inferior.read_memory(page, _PAGE))
            at = memory.find(_MAGIC)
            while at >= 0:
                if at % 8 == 0 and bytes(inferior.read_memory(page + at + 12, 4)) in _ORDERS:
                    return page + at
                at = memory.find(_MAGIC, at + 1)
        except gdb.error:
            continue  # not in the core file
    return None
