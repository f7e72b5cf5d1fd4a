#!/usr/bin/env python3
"""expect.py SOURCE PROGRAM FOLDER MPI [CASE]: hold the findings in FOLDER against the marks of SOURCE.

A mark is a comment at the end of a line, an id and, where it applies, how often and where alone:

    MPI_Send(...);    /* datatype-null */    /* argument-tag x 3 */    /* buffer-null (CASE) */

What stands in parentheses is the name of a case or of an MPI library. Prints what differs.
"""

from __future__ import annotations

import collections
import glob
import json
import re
import subprocess
import sys

MARK = re.compile(r"(?:/\*|!|#) ([a-z]+-[a-z-]+)(?: x (\d+))?(?: \((\w[\w-]*)\))?(?= \*/| !|$)")


def marks(source: str, wanted: set[str]) -> collections.Counter:
    found: collections.Counter = collections.Counter()
    with open(source, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            for check, times, where in MARK.findall(line.rstrip()):
                if where in wanted:
                    found[number, check, int(times or 1)] += 1
    return found


def line_of(program: str, frame: dict) -> int:
    if "text" in frame:
        return int(re.search(r":(\d+)", frame["text"]).group(1))
    place = frame["offset"] - bool(frame.get("return"))
    said = subprocess.run(
        ["addr2line", "-e", program, hex(place)], capture_output=True, text=True, check=True
    ).stdout
    number = said.rsplit(":", 1)[1].split()[0]
    return int(number) if number.isdigit() else 0


def findings(folder: str, program: str) -> collections.Counter:
    found: collections.Counter = collections.Counter()
    for path in glob.glob(folder + "/*.jsonl"):
        with open(path, encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        if not records or records[0]["record"] != "begin":
            print(f"{path}: does not begin with a record 'begin'")
        counts = {r["n"]: r["count"] for r in records if r["record"] == "count"}
        for record in records:
            if record["record"] == "finding":
                line = line_of(program, record["site"][0]) if record.get("site") else 0
                found[line, record["id"], counts.get(record["n"], 1)] += 1
                if not record["message"] or not record.get("advice"):
                    print(f"no message or advice: {record}")
    return found


def main(source: str, program: str, folder: str, mpi: str, case: str = "") -> int:
    expected = marks(source, {case} if case else {"", mpi})
    got = findings(folder, program)
    for (line, check, times), _ in sorted((expected - got).items()):
        print(f"missing: line {line}, {check}, {times} times")
    for (line, check, times), _ in sorted((got - expected).items()):
        print(f"too many: line {line}, {check}, {times} times")
    return expected != got or not (expected or case)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
