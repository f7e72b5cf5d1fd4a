#!/usr/bin/env python3
"""verbs.py: names each static function whose whole name is a bare verb ("find"): a name carries its noun."""

import os
import re
import sys

TOP = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..")
FOLDERS = ("cmd", "gdb-plugin", "libshadowtype")
VERBS = frozenset(
    """activate add adopt advance align append apply arrive ask at become before begin blame build bury call check
    choose clear clip close collect compare compose compute continues copy count cross deactivate decide delete deliver
    describe differs displace drain drop elide emit end ends enter evict excludes expect fail feed fill find finish
    flush follow follows forget free gather get give grow handle has identify indent init insert intern is join judge
    keep know lean leave list load locate look lookup make map mark match matches measure meet melt mend merge mix move
    next note now open parse pass place pop print probe process protect publish push put raise read reap rebalance
    rebuild receive reduce refresh relate release remember remove renew repeat replace report require reserve reset
    resolve revive rotate run same say says scale scan search send separate serve set settle shift show shrink skip
    slide solve some sort spend spill split spoil start step store straighten sum survey suspect swap sweep take tally
    tell test touch translate try turn unfold unite unmap unpack update visit walk weigh widen with withdraw within
    without wrap write""".split()
)
# A static function's head, at the start of a line.
STATIC = re.compile(r"^static\b[^;={}()]*?\b(\w+)\([^;{}]*\)\s*[;{]", re.MULTILINE)


def main() -> int:
    """Looks at each source."""
    read = failed = 0
    for folder in FOLDERS:
        for place, _, files in os.walk(os.path.join(TOP, folder)):
            for file in sorted(files):
                if not file.endswith((".c", ".h")):
                    continue
                path = os.path.relpath(os.path.join(place, file), TOP)
                with open(os.path.join(TOP, path), encoding="utf-8") as source:
                    names = STATIC.findall(source.read())
                read += len(names)
                for name in sorted(VERBS.intersection(names)):
                    failed += 1
                    print(f"{path}: {name}() of what?")
    return 1 if failed or not read else 0


if __name__ == "__main__":
    sys.exit(main())
