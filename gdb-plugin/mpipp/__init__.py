"""mpipp in gdb: MPI datatypes as the structure that built them, buffers as the data that MPI would send.

    rank.py        finds the registry in the process that is selected, and reads it through the C core (_mpipp)
    handle.py      which gdb.Values are MPI_Datatype handles, and what a handle stands for
    predefined.py  $MPI_INT and its like
    synth.py       values of our own, of the types in types/types.h
    operands.py    operands of commands
    calls.py       that nothing in the rank is called
    objects.py     what the rank has recorded of communicators and windows; pending.py: of requests
    names.py       what those values stand for; record.py: a recorded type as one
    breakpoints.py that `break MPI_X' stops once a call; backtrace.py: that `bt' leaves out the library's own frames
    user_frame.py  at an error, the frame with the MPI call; on_error.py: what --on-error has gdb do there
    call.py        the MPI call that a frame is in; call_parts.py, call_values.py: its parameters; call_buffers.py: its
                   buffers; call_requests.py: its requests; call_arguments.py: all as text; near.py: which memory is a
                   buffer of it
    job.py         all ranks that gdb has, and the calls that they are in
    pages.py       whether memory can be read
    native.py      basic types of MPI as gdb types
    position.py    the place of the selected frame, told to DDD
    site.py        text for call sites; fortran_line.py, tail_call.py: where the compiler has hidden the line
    browser/       mpi browse: a tree in a window      drawing/        mpi draw: a picture
    tui/           layout mpi: a window of gdb's TUI
    printers/      what `print` shows          commands/   mpipp, mpi ...          functions/   $mpi_type, $mpi_buf

Nothing here decodes or computes what the core can: this package adapts it to gdb, and presents.
"""

from . import backtrace, breakpoints, commands, events, functions, pages, printers, user_frame
from .browser import viewers
from .tui import window


def install() -> None:
    """Registers printers, commands, functions and event handlers: all imports have succeeded by now."""
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
