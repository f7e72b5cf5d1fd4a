#!/usr/bin/env python3
"""lengths.py: no source file is longer than 600 lines, and the median of the product's files is at most 250."""

import os
import statistics
import sys

TOP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
PRODUCT = ("cmd", "gdb-plugin", "libshadowtype")
FOLDERS = PRODUCT + ("ddd-integration", "examples", "tests")
# _mpipp.pyi is a page of reference, not code.
SOURCES = (".c", ".cpp", ".exp", ".f90", ".h", ".py", ".sh", ".table", ".awk", ".mk")
MOST, MEDIAN = 600, 250


def main() -> int:
    """Counts the lines of each file."""
    lengths = {}
    for folder in FOLDERS:
        for place, _, files in os.walk(os.path.join(TOP, folder)):
            for file in files:
                if file.endswith(SOURCES):
                    path = os.path.join(place, file)
                    with open(path, encoding="utf-8") as source:
                        lengths[os.path.relpath(path, TOP)] = sum(1 for _ in source)
    long = {path: count for path, count in lengths.items() if count > MOST}
    for path, count in sorted(long.items()):
        print(f"{path} has {count} lines, more than {MOST}")
    code = [count for path, count in lengths.items()
            if path.startswith(PRODUCT) and path.endswith((".c", ".py"))]
    median = statistics.median(code) if code else MOST
    if median > MEDIAN:
        print(f"the median of the source files is {median} lines, more than {MEDIAN}")
    return 1 if long or median > MEDIAN else 0


if __name__ == "__main__":
    sys.exit(main())
