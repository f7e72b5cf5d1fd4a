#!/usr/bin/env python3
"""compare.py REPORT all|two: hold the findings of `wrong' against what its ranks have written into lines.RANK.

all: both groups of ranks are named in full, but for cases of pairs of ranks; two: as far as they had come. Prints what differs.
"""

from __future__ import annotations

import collections
import glob
import json
import os
import re
import sys


def numbers(text: str) -> set[int]:
    """ "ranks 0-2,5": {0, 1, 2, 5}"""
    found: set[int] = set()
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        found |= set(range(int(first), int(last or first) + 1))
    return found


def read_cases() -> dict[str, dict]:
    cases: dict[str, dict] = {}
    for path in glob.glob("lines.*"):
        rank = int(path.rsplit(".", 1)[1])
        with open(path, encoding="utf-8") as lines:
            for name, check, function, line, odd in (text.split() for text in lines):
                case = cases.setdefault(name, {"id": check, "groups": {}})
                group = case["groups"].setdefault(int(odd), {"ranks": set(), "function": function, "line": int(line)})
                group["ranks"].add(rank)
    return cases


def named_by(record: dict) -> list[dict]:
    return [
        {"ranks": numbers(other["ranks"]), "function": other["call"], "line": (other["site"] or {}).get("line")}
        for other in record["other"]
    ]


def call(group: dict) -> tuple[str, int]:
    return group["function"], group["line"]


def differs(case: dict, record: dict, in_full: bool) -> str:
    """The first thing that is wrong with a finding, or nothing."""
    got = named_by(record)
    if record["id"] != case["id"]:
        return f"is {record['id']}, not {case['id']}"
    if len(got) != 2:
        return f"names {len(got)} groups"
    for one in got:
        odd = int(bool(one["ranks"] & case["groups"][1]["ranks"]))
        wanted = case["groups"][odd]
        if call(one) != call(wanted):
            return f"names {one}, not {wanted}"
        if one["ranks"] != wanted["ranks"] if in_full else not one["ranks"] <= wanted["ranks"]:
            return f"names the ranks {one['ranks']}, not {wanted['ranks']}"
    if not any(frame["file"] and os.path.basename(frame["file"]) == "wrong.c" for frame in record["frames"]):
        return "has no place"
    return ""


def main(report: str, how: str) -> int:
    cases = read_cases()
    bad = not cases
    found = collections.Counter()
    with open(report, encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    for record in records:
        names = {value for other in record.get("other", []) for name, value in other["arguments"].items() if "comm" in name}
        name = names.pop() if len(names) == 1 else None
        if name not in cases:
            print(f"too many: {record['id']}: {record['message']}")
            bad = True
            continue
        found[name] += record["count"]
        if wrong := differs(cases[name], record, how == "all" and "_pair_" not in name):
            print(f"{name}: {wrong}: {record['message']}")
            bad = True
    for name in cases:
        if found[name] != 1:
            print(f"{name}: {cases[name]['id']} was told {found[name]} times")
            bad = True
    print(f"{len(cases)} cases")
    return bad


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
