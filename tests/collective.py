#!/usr/bin/env python3
"""Holds what calls.table marks `:collective` against the standard's list, tests/checks/collective.list."""

import os
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
TABLE = os.path.join(HERE, "..", "libshadowtype", "runtime", "wrap", "calls.table")
LIST = os.path.join(HERE, "checks", "collective.list")


def lines(path: str) -> "list[list[str]]":
    with open(path, encoding="utf-8") as file:
        return [words for words in (line.split("#")[0].split() for line in file) if words]


def main() -> int:
    marked = {words[0] for words in lines(TABLE) if any(word.endswith(":collective") for word in words[1:])}
    listed = {words[0] for words in lines(LIST)}
    for name in sorted(marked ^ listed):
        where = "calls.table" if name in marked else "the standard's list"
        print(f"MPI_{name} is collective in {where} alone")
    return 1 if marked != listed or not listed else 0


if __name__ == "__main__":
    sys.exit(main())
