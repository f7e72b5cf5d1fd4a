# SPDX-License-Identifier: BSD-3-Clause
"""mpipp in gdb: MPI datatypes as the structure that built them, buffers as the data that MPI would send.

    rank.py        finds the registry in the selected process, and reads it through the C core (_mpipp)
    handle.py      which gdb.Values are MPI_Datatype handles, and what a handle means
    predefined.py  $MPI_INT and the other predefined types
    synth.py       makes values of the types in types/types.h
    operands.py    operands of commands; fortran_shape.py: a shape as Fortran's users give it; cxx_container.py: std::vector and
                   the like
    unplaced.py    operands that the compiler has optimised away
    calls.py       prevents that functions of the rank are called
    objects.py     what the rank has recorded of communicators and windows; pending.py: of requests
    names.py       the objects that such values name; record.py: a recorded type as a value
    breakpoints.py makes `break MPI_X' stop once per call; backtrace.py: removes the library's own frames from `bt'
    frame_arguments.py the arguments of MPI's functions in `bt'; frame_texts.py: values that gdb shows as texts
    created.py     goes back to where a type was made, in a recording
    posted.py      work for gdb's own thread, soon
    kept_frame.py  the selected frame after `info breakpoints'
    watchpoints.py which rank has changed an element that is watched, and where; watched.py: those elements
    user_frame.py  at an error, the frame with the MPI call; on_error.py: what --on-error makes gdb do there
    call.py        the MPI call that a frame is in; call_parts.py, call_values.py: its parameters; call_buffers.py: its
                   buffers; call_requests.py: its requests; call_arguments.py: all as text; near.py: which memory is a
                   buffer of it
    job.py         all ranks that gdb has, and the calls that they are in
    pages.py       whether memory can be read
    native.py      basic types of MPI as gdb types
    position.py    reports the place of the selected frame to DDD
    caller_language.py the language in which a call's data is shown
    site.py        text for call sites; fortran_line.py, tail_call.py: when the compiler has hidden the line
    browser/       mpi browse: a tree in a window      drawing/        mpi draw: a picture
    tui/           layout mpi: a window of gdb's TUI
    printers/      what `print` shows          commands/   mpipp, mpi ...          functions/   $mpi_type, $mpi_buf

This package adapts the core to gdb, and shows its results. It does not decode or compute what the core can.
"""

from . import backtrace, breakpoints, commands, events, functions, kept_frame, pages, passed_over, posted, printers
from . import user_frame, watchpoints
from .browser import viewers
from .tui import window


def install() -> None:
    """Registers printers, commands, functions and event handlers, after all imports have succeeded."""
    printers.install()
    commands.install()
    functions.install()
    pages.install()
    viewers.install()
    window.install()
    events.install()
    user_frame.install()
    breakpoints.install()
    backtrace.install()
    watchpoints.install()
    kept_frame.install()
    posted.install()
    passed_over.install()
