#!/usr/bin/env -S python3 -S
"""described.py SOURCE FOLDER: hold the datatypes and communicators in the reports in FOLDER against the comments of SOURCE."""

import glob
import itertools
import json
import re
import sys

MOST = 500  # libshadowtype/runtime/report/type_text.h


def shown(folder: str) -> "list[str]":
    texts = []
    for path in sorted(glob.glob(f"{folder}/*.jsonl")):
        with open(path, encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        for record in records:
            texts += [one["text"] for one in record.get("types") or []]
            for call in [record, *record.get("other", ())] if record.get("id") == "buffer-overlap" else ():
                texts += [f"{name}={value}" for name, value in call["arguments"] if name == "comm"]
    return texts


def main() -> None:
    source, folder = sys.argv[1:]
    with open(source, encoding="utf-8") as text:
        wanted = re.findall(r"^    /\* ((?:\{kind|comm=).*) \*/$", text.read(), re.MULTILINE)
    wanted.append(wanted[-1])  # both calls say it
    found = shown(folder)
    for one, other in itertools.zip_longest(wanted, found):
        if one != other:
            sys.exit(f"wanted {one}\nfound  {other}")
    if any(len(text) > MOST for text in found):
        sys.exit(f"a text has more than {MOST} bytes")


main()
