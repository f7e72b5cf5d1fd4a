# SPDX-License-Identifier: BSD-3-Clause
"""Sphinx's settings for the book: collect.py makes its pages."""

project = "mpipp"
author = "the mpipp authors"
copyright = "the mpipp authors; BSD-3-Clause"  # pylint: disable=redefined-builtin

extensions = ["myst_parser"]
myst_heading_anchors = 4  # links to headings, as in the repository
smartquotes = False  # --check is an option, and stays one
highlight_language = "none"  # most blocks are what a terminal shows

# Nothing is loaded from a network: the pages are read offline.
if tags.has("print"):  # noqa: F821: Sphinx defines it; the PDF has print.css
    html_theme = "basic"
else:
    html_theme = "alabaster"
    html_theme_options = {
        "description": "MPI datatypes in the debugger, and what is wrong in an MPI program",
        "fixed_sidebar": True,
        "page_width": "75em",
        "body_max_width": "50em",
    }
html_show_sphinx = False
html_copy_source = False
