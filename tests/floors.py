#!/usr/bin/env python3
"""floors.py: names each include of libshadowtype that leads upward, and each two files that are a circle.

A folder uses itself and the folders of the floors below. check/local is a part of check. Two files of one
folder are a circle if each calls a function of the other: read in no order can they be understood.
"""

import os
import re
import sys

TOP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "libshadowtype")

# From the ground up; folders of one floor do not know each other.
FLOORS = (
    ("core/model", "report", "stack"),
    ("core/decode", "core/signature", "core/layout", "core/compare", "heap"),
    ("core/overlap", "core/agree"),
    ("core/address", "core/races", "core/waits"),
    ("runtime/record",),
    ("runtime/wrap", "runtime/attach"),
    ("runtime/report",),
    ("runtime/objects",),
    ("runtime/ranks",),
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


# Folders besides libshadowtype's that have no circles, from the top.
OTHERS = ("cmd", "cmd/findings", "cmd/on_error", "cmd/stacks", "gdb-plugin/ext", "gdb-plugin/render")

COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
DEFINITION = re.compile(r"^(?!static\b|typedef\b|EXPORTED\b)[A-Za-z_][^;{}()=]*?\b(\w+)\([^;{}]*\)\s*\n\{", re.MULTILINE)


def circles(folder: str) -> list[tuple[str, str]]:
    """The pairs of sources of a folder that call each other."""
    texts = {}
    for file in sorted(os.listdir(folder)):
        if file.endswith(".c"):
            with open(os.path.join(folder, file), encoding="utf-8") as source:
                texts[file] = COMMENT_OR_TEXT.sub(" ", source.read())
    owner = {name: file for file, text in texts.items() for name in DEFINITION.findall(text)}
    calls = {(file, owner[word]) for file, text in texts.items()
             for word in set(re.findall(r"\w+", text)) if owner.get(word, file) != file}
    return sorted(pair for pair in calls if pair[0] < pair[1] and pair[::-1] in calls)


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
    folders = [folder for folder, _, files in os.walk(TOP) if any(file.endswith(".c") for file in files)]
    folders += [os.path.join(TOP, "..", other) for other in OTHERS]
    found = {pair for folder in folders for pair in circles(folder)}
    failed += len(found)
    for one, other in sorted(found):
        print(f"{one} and {other} call each other")
    return 1 if failed or not read else 0


if __name__ == "__main__":
    sys.exit(main())
