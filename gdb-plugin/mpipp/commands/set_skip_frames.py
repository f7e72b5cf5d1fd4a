# SPDX-License-Identifier: BSD-3-Clause
"""set mpipp skip-frames"""

import gdb

from .. import skip
from ..fault import fault


class SetSkipFrames(gdb.Parameter):
    """Shell patterns with commas between them, as in `wrap_*,send_all'.  `mpi errors' and
`mpi error' show the nearest caller whose function matches none of them, or the wrapper
if no such caller was kept.  The number of callers to keep is set when the program
starts: `mpipp run --skip-frames=PATTERN', or --callers=N."""

    set_doc = "Set which functions are wrappers of MPI, passed over where a finding says where its call stands."
    show_doc = "Show which functions are wrappers of MPI, passed over where a finding says where its call stands."

    def __init__(self) -> None:
        super().__init__("mpipp skip-frames", gdb.COMMAND_DATA, gdb.PARAM_OPTIONAL_FILENAME)
        self.value = self._before = skip.initial()

    def get_set_string(self) -> str:
        """Called by gdb: it has been set."""
        text = (self.value or "").strip()
        if not skip.use(text):
            self.value = self._before
            raise fault(f"'{text}': a pattern is empty")
        self.value = self._before = text
        return ""

    def get_show_string(self, value: str) -> str:
        """Called by gdb."""
        return f"Frames that are passed over in findings: {value}." if value else "No frame is passed over in findings."
