"""A session's transcript against a golden file. UPDATE=yes writes the file."""

import difflib
import os
import re
from typing import List


def masked(line: str) -> str:
    """Without what another run, or the other MPI, has otherwise."""
    return re.sub(r"0x[0-9a-f]+", "0x...", line)


def compare(path: str, lines: List[str]) -> int:
    """The transcript against its golden file; 1 if they differ."""
    lines = "\n".join(map(masked, lines)).split("\n")
    if os.environ.get("UPDATE") == "yes":
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    with open(path, encoding="utf-8") as file:
        expected = file.read().splitlines()
    for line in difflib.unified_diff(expected, lines, path, "this session", lineterm=""):
        print(line)
    return expected != lines
