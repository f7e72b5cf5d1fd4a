# SPDX-License-Identifier: BSD-3-Clause
"""The lines of a tree on the screen."""

# By settings.unicode_terminal(): to a child, to the last child, beside a child, below the last child.
BOXES = {True: ("├─ ", "└─ ", "│  ", "   "), False: ("|- ", "`- ", "|  ", "   ")}
