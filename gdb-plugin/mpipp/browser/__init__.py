# SPDX-License-Identifier: BSD-3-Clause
"""mpi browse: the expanded type-tree of a buffer, for browsing.

    tree.py      the contents: rows that are computed when a node is opened, values when a row is in view
    lines.py     the open rows, one below the other: for a window of text
    screen.py    the same as a window of gdb's TUI
    window.py    the same as a window on the display: a separate program, which knows neither gdb nor MPI
    link.py      the pipe between that program and gdb
    viewers.py   all that is open; updates it at each stop
"""
