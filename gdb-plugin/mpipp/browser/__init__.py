"""mpi browse: the expanded type-tree of a buffer, to be walked through.

    tree.py      what there is to show: rows that are computed when a node is opened, values when a row is in view
    lines.py     the rows that are open, one below the other: for a window of text
    screen.py    them as a window of gdb's TUI
    window.py    them as a window on the display: a program of its own, which knows neither gdb nor MPI
    link.py      the pipe between that program and gdb
    posted.py    what the threads of the pipe want done in gdb's own
    viewers.py   all that is open, and follows each stop
"""
