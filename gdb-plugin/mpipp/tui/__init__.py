"""`layout mpi': a window of gdb's TUI that follows each stop.

    content.py     its lines: the call, and the datatypes of the selected frame
    window.py      the window: what is in view, and when it is made anew
    columns.py     how wide a text is on a terminal
"""
