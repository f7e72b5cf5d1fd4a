# SPDX-License-Identifier: BSD-3-Clause
"""mpi draw: a picture of the memory that a type covers.

    rows.py      which rows of bytes are drawn, and the elements in them
    svg.py       the same as SVG
"""
