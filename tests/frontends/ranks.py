"""The program that a frontend has started: where it stops, which of its processes there are."""

import os
import sys
import time
from typing import Callable, List

# Seconds; the more there want to run on each processor, the longer it takes.
PATIENCE = float(os.environ.get("PATIENCE", 300)) * max(1, os.getloadavg()[0] / (os.cpu_count() or 1))


def line_of(source: str, marker: str) -> int:
    """The number of the line with a marker."""
    with open(source, encoding="utf-8") as text:
        return next(number for number, line in enumerate(text, 1) if f"/* stop: {marker} */" in line)


def alive(program: str) -> List[int]:
    """The processes that run a program, by its path."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                if os.readlink(f"/proc/{entry}/exe") == program:
                    found.append(int(entry))
            except OSError:
                pass
    return found


def rank_of(process: int) -> str:
    """The rank of a process, by the environment that either launcher gives it."""
    with open(f"/proc/{process}/environ", encoding="utf-8", errors="replace") as file:
        names = dict(entry.split("=", 1) for entry in file.read().split("\0") if "=" in entry)
    return names.get("PMI_RANK", names.get("OMPI_COMM_WORLD_RANK", "?"))


def until(what: str, condition: Callable[[], object]) -> object:
    """The first answer of a condition that is not empty."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        answer = condition()
        if answer:
            return answer
        time.sleep(0.02)
    sys.exit(f"{what}: not within {PATIENCE} s")
