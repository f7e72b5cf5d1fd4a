# SPDX-License-Identifier: BSD-3-Clause
"""`layout mpi': a window of gdb's TUI that is updated at each stop.

    content.py     its lines: the call, and the datatypes of the selected frame
    window.py      the window: which lines are in view, and when it is updated
    columns.py     the width of a text on a terminal
"""
