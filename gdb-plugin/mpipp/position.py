# SPDX-License-Identifier: BSD-3-Clause
"""The program's position, for frontends that read gdb's annotated command line (DDD, Emacs' gud).

DDD takes " at FILE:NUMBER" in any output for the program's position, even " at 0: 12 bytes", and shows that file, or a
dialog that there is none. gdb's own mark of the position takes precedence.
"""

import gdb

from . import _mpipp
from .fault import let_quit
from .host_text import decoded

_ANNOTATED = 1  # `annotate' as DDD and gud set it by --fullname


def mark() -> None:
    """Writes gdb's mark of the selected frame's position, only for such a frontend."""
    if gdb.parameter("annotate") != _ANNOTATED:
        return
    try:
        frame = gdb.selected_frame()
        place = frame.find_sal()
    except gdb.error as error:  # no process
        let_quit(error)
        return
    if place.symtab is not None:
        path = _mpipp.visible(decoded(place.symtab.fullname) or "")
        part = "beg" if place.pc == frame.pc() else "middle"
        gdb.write(f"\x1a\x1a{path}:{place.line}:0:{part}:0x{frame.pc():x}\n")
