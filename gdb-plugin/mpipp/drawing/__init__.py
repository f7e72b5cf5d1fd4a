# SPDX-License-Identifier: BSD-3-Clause
"""mpi draw: a picture of the memory that a type covers.

    drawn.py     the picture of the command's operands
    parts.py     buffers, and the elements in one row of bytes
    rows.py      which rows of bytes are drawn
    array.py     which rows and columns of an array of the program are drawn
    svg.py       the same as SVG
    array_svg.py rows of an array as SVG
"""
