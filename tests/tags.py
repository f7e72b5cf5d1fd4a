"""Prints each struct, enum and union tag of libshadowtype that is defined twice: a tag has one meaning."""

import pathlib
import re
import sys

TAG = re.compile(r"^(?:struct|enum|union) (\w+) \{", re.MULTILINE)


def main(folder: str) -> int:
    first: dict[str, pathlib.Path] = {}
    twice = 0
    for path in sorted(pathlib.Path(folder).rglob("*.[ch]")):
        for tag in TAG.findall(path.read_text(encoding="utf-8")):
            if tag in first:
                print(f"{tag}: {first[tag]} and {path}")
                twice += 1
            first.setdefault(tag, path)
    return 1 if twice or not first else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
