#!/usr/bin/env python3
"""added.py REPORT [ID...]: hold what was found in `random', id by id, against what its ranks have put in (put-in.RANK). The
program may do what the ids say besides."""

from __future__ import annotations

import collections
import glob
import json
import sys


def main(report: str, *besides: str) -> int:
    put_in: collections.Counter = collections.Counter()
    for path in glob.glob("put-in.*"):
        with open(path, encoding="utf-8") as lines:
            for check, number in (line.split() for line in lines):
                put_in[check] += int(number)
    found: collections.Counter = collections.Counter()
    with open(report, encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if record["id"] not in besides:
                found[record["id"]] += record["count"]
    print(dict(found))
    for check in sorted(put_in | found):
        if put_in[check] != found[check]:
            print(f"{check}: {found[check]} were found, {put_in[check]} were put in")
    return not put_in.keys() or any(put_in[check] != found[check] for check in put_in | found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
