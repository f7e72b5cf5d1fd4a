# SPDX-License-Identifier: BSD-3-Clause
"""Values that we make: gdb.Values of the types in types/types.h.

A frontend unfolds a child only if it is a gdb.Value of a real type, and gdb 13 builds no types in Python. So they come from
the debug information of an object file, which is loaded once into each program space. Loading resets gdb's frame cache:
events.py does it between commands; `types()` does it only if that did not happen in time.
"""

import os
import struct
import sys
from typing import Dict, NamedTuple, Optional, Tuple

import gdb

from . import _mpipp

OBJECT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "mpipp-types.o")

TEXT_BYTES = 160


class Layout(NamedTuple):
    """A struct, its typedef of the same name, and its members with their offsets, in bytes."""

    type: gdb.Type
    typedef: gdb.Type
    names: Tuple[str, ...]
    offsets: Tuple[int, ...]


class Types:
    """The types of the object file in one program space."""

    def __init__(self, objfile: gdb.Objfile) -> None:
        self.objfile = objfile
        self._types: Dict[str, gdb.Type] = {}
        self._enums: Dict[str, Dict[str, int]] = {}
        self._constants: Dict[Tuple[str, str], gdb.Value] = {}
        self._layouts: Dict[str, Layout] = {}
        self._words: Dict[int, gdb.Type] = {}
        self.elements: Dict[object, gdb.Type] = {}  # used by native.py
        four = objfile.lookup_static_symbol("mpipp_int_handle", gdb.SYMBOL_VAR_DOMAIN).type
        self.order = "<" if int(gdb.Value(b"\1\0\0\0", four)) == 1 else ">"
        self.swapped = (self.order == "<") != (sys.byteorder == "little")

    def find(self, name: str) -> Optional[gdb.Type]:
        """A struct, enum or typedef by its name; None if the compiler did not make it."""
        if name not in self._types:
            for domain in (gdb.SYMBOL_STRUCT_DOMAIN, gdb.SYMBOL_VAR_DOMAIN):
                symbol = self.objfile.lookup_static_symbol(name, domain)
                if symbol is not None:
                    self._types[name] = symbol.type
                    break
        return self._types.get(name)

    def __getitem__(self, name: str) -> gdb.Type:
        """The same; raises gdb.error if it does not exist."""
        found = self.find(name)
        if found is None:
            raise gdb.error(f"'{OBJECT}' has no type '{name}': build mpipp again")
        return found

    def layout(self, tag: str) -> Layout:
        """A struct that has a typedef, with its members."""
        if tag not in self._layouts:
            typedef = self.objfile.lookup_static_symbol(tag, gdb.SYMBOL_VAR_DOMAIN).type
            of, fields = self[tag], self[tag].fields()
            names = tuple(field.name for field in fields)
            self._layouts[tag] = Layout(of, typedef, names, tuple(field.bitpos // 8 for field in fields))
        return self._layouts[tag]

    def words(self, size: int) -> gdb.Type:
        """The array of 64-bit numbers that a struct of this size is cast to."""
        if size not in self._words:
            self._words[size] = self["uint64_t"].array(size // 8 - 1)
        return self._words[size]

    def enumerator(self, enum: str, name: str) -> int:
        """The value of an enumerator."""
        if enum not in self._enums:
            self._enums[enum] = {field.name: field.enumval for field in self[enum].fields()}
        return self._enums[enum][name]

    def constant(self, enum: str, name: str) -> gdb.Value:
        """An enumerator as a value of its enum."""
        if (enum, name) not in self._constants:
            data = struct.pack(self.order + "i", self.enumerator(enum, name))
            self._constants[enum, name] = gdb.Value(data, self[enum])
        return self._constants[enum, name]


def types() -> Types:
    """The types of the current program space; loads them if they are not there (`file` removes them)."""
    space = gdb.current_progspace()
    loaded: Optional[Types] = getattr(space, "mpipp_types", None)
    if loaded is None or not loaded.objfile.is_valid():
        quoted = '"' + OBJECT.replace("\\", "\\\\").replace('"', '\\"') + '"'
        gdb.execute("add-symbol-file " + quoted, to_string=True)
        loaded = space.mpipp_types = Types(gdb.lookup_objfile(OBJECT))
    return loaded


def pack(tag: str, layout: str, *members: object) -> gdb.Value:
    """A value of a struct, from its members in the notation of Python's struct module."""
    known = types()
    return gdb.Value(struct.pack(known.order + layout, *members), known[tag])


def word(content: str) -> gdb.Value:
    """A remark: a text that is shown as it is."""
    return pack("mpipp_word", f"{TEXT_BYTES}s", fitting(content))


def fitting(content: str) -> bytes:
    """A text's bytes, cut to the size of the struct."""
    data = content.encode("utf-8", "replace")
    if len(data) < TEXT_BYTES:
        return data
    return data[: TEXT_BYTES - 4].decode("utf-8", "ignore").encode() + b"..."


def handle(value: int, handle_bytes: int) -> gdb.Value:
    """A handle for expressions: assignable to an MPI_Datatype, and shown as one."""
    if handle_bytes == 4:
        return pack("mpipp_int_handle", "I", value & 0xFFFFFFFF)
    return pack("mpipp_handle", "Q", value)
