"""mpi draw: a picture of the memory that a type covers.

    rows.py      what is drawn: which rows of bytes, and the elements in them
    svg.py       the same as SVG
"""
