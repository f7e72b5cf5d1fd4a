#!/usr/bin/env python3
"""floors.py: reads the includes of libshadowtype, and names each that leads upward.

A folder uses itself and the folders of the floors below. check/local is a part of check.
"""

import os
import re
import sys

TOP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "libshadowtype")

# From the ground up; folders of one floor do not know each other.
FLOORS = (
    ("core/model", "report", "stack"),
    ("core/decode", "core/signature", "core/layout", "core/compare", "heap"),
    ("core/overlap", "core/waits"),
    ("core/address",),
    ("runtime/record",),
    ("runtime/wrap", "runtime/attach"),
    ("runtime/report",),
    ("runtime/objects",),
    ("runtime/check",),
)
FLOOR = {folder: number for number, folders in enumerate(FLOORS) for folder in folders}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def folder_of(path: str) -> str:
    """The folder in FLOORS that a path, from libshadowtype on, lies in."""
    folder = os.path.dirname(path)
    while folder and folder not in FLOOR:
        folder = os.path.dirname(folder)
    return folder


def upward(path: str) -> list[str]:
    """What a file includes and must not."""
    with open(os.path.join(TOP, path), encoding="utf-8") as source:
        names = INCLUDE.findall(source.read())
    own = folder_of(path)
    wrong = []
    for name in names:
        if "/" not in name:
            name = os.path.join(os.path.dirname(path), name)
        other = folder_of(name)
        if not own or not other or (other != own and FLOOR[other] >= FLOOR[own]):
            wrong.append(name)
    return wrong


def main() -> int:
    """Looks at each file."""
    read = failed = 0
    for folder, _, files in os.walk(TOP):
        for file in files:
            if not file.endswith((".c", ".h")):
                continue
            path = os.path.relpath(os.path.join(folder, file), TOP)
            wrong = upward(path)
            read += 1
            failed += len(wrong)
            for name in wrong:
                print(f"{path} includes {name}, which is not below it")
    return 1 if failed or not read else 0


if __name__ == "__main__":
    sys.exit(main())
