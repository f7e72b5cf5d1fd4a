# SPDX-License-Identifier: BSD-3-Clause
"""Events in gdb, and what they make stale."""

import os
from typing import Optional, Set

import gdb

from . import _mpipp, build_id, core_file, predefined, site, synth
from .fault import sentence
from .host_text import decoded
from .rank import Key, Rank, key_of, ranks
from .root import UNREADABLE, address_of, is_library

# A program with one of these symbols uses MPI; one without may still load it later.
_MPI_SYMBOLS = ("MPI_Init", "MPI_Init_thread", "mpi_init_", "mpi_init_thread_", "mpi_init_f08_")

_preparing = False
_told: Set[Key] = set()
_compared: Set[Key] = set()  # with the build of the core file


def install() -> None:
    """Connects the handlers, and looks at the process that may exist already."""
    for name in ("cont", "inferior_call", "register_changed", "new_inferior", "inferior_deleted"):
        getattr(gdb.events, name).connect(_stale)
    gdb.events.memory_changed.connect(_written)
    gdb.events.new_objfile.connect(_new_objfile)
    gdb.events.clear_objfiles.connect(_cleared)
    free_objfile = getattr(gdb.events, "free_objfile", None)
    if free_objfile is not None:
        free_objfile.connect(_objfiles)
    gdb.events.exited.connect(_exited)
    gdb.events.stop.connect(_stopped)
    gdb.events.before_prompt.connect(_prompt)
    _load_for_mpi()
    prepare()


def prepare() -> None:
    """Called between two commands: makes our types, and $MPI_INT and the like, before they are needed."""
    global _preparing
    if _preparing:  # loading an object file is an event, too
        return
    _preparing = True
    try:
        rank, why = ranks.find()
        if rank is not None:
            synth.types()
            predefined.set_variables(rank)
        _tell_of_build()
        _tell_of_core(rank, why)
    except (gdb.error, _mpipp.Error):
        pass  # a damaged registry: the command that needs it reports that
    finally:
        _preparing = False


def _tell_of_build() -> None:
    """Reports, once, that the program was built again since the core file was written: all that gdb shows would be wrong."""
    inferior = gdb.selected_inferior()
    if core_file.of(inferior) is None or key_of(inferior) in _compared or inferior.progspace.filename is None:
        return
    _compared.add(key_of(inferior))
    path = build_id.other_build(inferior)
    if path is not None:
        name = _mpipp.visible(os.path.basename(path))
        gdb.write(
            f"mpipp: the core file is of another build of '{name}' than the file: lines and variables may be wrong\n", gdb.STDERR
        )


def _tell_of_core(rank: Optional[Rank], why: str) -> None:
    """Reports, once, that a core file was written without the registry: `print` would silently show numbers."""
    inferior = gdb.selected_inferior()
    if core_file.of(inferior) is None or key_of(inferior) in _told:
        return
    if rank is not None:
        try:
            rank.registry.find(0)
        except _mpipp.Unreadable as error:
            why = f"{UNREADABLE}: {core_file.why_missing(error.address)}"
        except _mpipp.Error as error:
            why = sentence(error)
    elif not why.startswith(UNREADABLE):
        return
    _told.add(key_of(inferior))
    if why:
        gdb.write(f"mpipp: {_mpipp.visible(why)}\n", gdb.STDERR)


def _stale(_event: object) -> None:
    ranks.stale()


def _written(_event: object) -> None:
    ranks.written()


def _objfiles(_event: object) -> None:
    ranks.symbols_changed()
    site.forget()


def _cleared(event: gdb.ClearObjFilesEvent) -> None:
    """After `file`; or after exec, when a process of the same number runs another program."""
    _objfiles(event)
    for inferior in gdb.inferiors():
        if inferior.progspace == event.progspace:
            ranks.forget(inferior.num)


def _new_objfile(event: gdb.NewObjFileEvent) -> None:
    _objfiles(event)
    inferior = gdb.selected_inferior()
    if inferior.pid == 0:
        _load_for_mpi()
    elif is_library(decoded(lambda: event.new_objfile.filename) or ""):
        _load_early()  # MPI's symbols are not looked up: that takes gdb longer than all the rest of its start
    elif inferior.connection is not None and inferior.connection.type == "core":
        prepare()  # a core file never stops, and a batch has no prompt


def _load_for_mpi() -> None:
    """Loads our types if the program that gdb has read uses MPI."""
    if not _preparing and any(address_of(symbol) is not None for symbol in _MPI_SYMBOLS):
        _load_early()


def _load_early() -> None:
    """Loads our types before an MPI program starts: loading them while it starts disturbs gdb, and at a stop gdb would make
    new locations of the breakpoint that it is about to announce. For a process from a fork or exec: when our library is
    loaded."""
    global _preparing
    if _preparing:
        return
    _preparing = True
    try:
        synth.types()
    except gdb.error:
        pass  # the first command that needs them reports that
    finally:
        _preparing = False


def _exited(event: gdb.ExitedEvent) -> None:
    ranks.stale()
    ranks.forget(event.inferior.num)


def _stopped(_event: object) -> None:
    ranks.stopped()
    prepare()


def _prompt() -> None:
    ranks.stale()
    prepare()
