#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the pages of the book from README.md, docs/ and `mpipp help`: collect.py MPIPP FOLDER

In the repository, links name any file. In the book, links to its pages and pictures stay links; other files are named.
"""

import pathlib
import re
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"(!?)\[([^]]*)\]\(([^)#\s]*)(#[^)\s]*)?\)")
TOPICS = ["run", "exec", "gdb", "ddd", "attach", "ranks", "stacks", "explain"]


def pages():
    """The files that become pages, with their names in the book."""
    found = {TOP / "README.md": "introduction.md"}
    for file in sorted((TOP / "docs").glob("*.md")) + sorted((TOP / "docs/book").glob("*.md")):
        found[file] = file.name
    return found


def relinked(link, page, names, pictures):
    """A link of a page as it stands in the book."""
    is_picture, text, target, heading = link.groups()
    if not target or "://" in target:
        return link.group(0)
    file = (page.parent / target).resolve()
    if not file.exists():
        sys.exit(f"collect.py: {page.name} names {target}, which does not exist")
    if file in names:
        return f"[{text}]({names[file]}{heading or ''})"
    path = file.relative_to(TOP)
    if file.suffix in (".png", ".svg"):
        pictures.add(file)
        return f"{is_picture}[{text}]({file.name})" if is_picture else f"{text} (`{path}`)"
    return f"`{path}`" if str(path).endswith(text.strip("`")) else f"{text} (`{path}`)"


def for_book(page, names, pictures):
    """The text of a page, with its links for the book."""
    lines, in_block = [], False
    for line in page.read_text(encoding="utf-8").splitlines():
        in_block ^= line.lstrip().startswith("```")
        lines.append(line if in_block else LINK.sub(lambda link: relinked(link, page, names, pictures), line))
    return "\n".join(lines) + "\n"


def commands(mpipp):
    """A page with what `mpipp help` says."""
    parts = ["# The command mpipp\n"]
    for topic in [""] + TOPICS:
        text = subprocess.run([mpipp, "help", *topic.split()], check=True, capture_output=True, text=True).stdout
        parts.append(f"## mpipp help {topic}".rstrip() + f"\n\n```\n{text.rstrip()}\n```\n")
    return "\n".join(parts)


def main(mpipp, folder):
    """Fills the folder."""
    names, pictures = pages(), set()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for page, name in names.items():
        (folder / name).write_text(for_book(page, names, pictures), encoding="utf-8")
    for picture in pictures:
        shutil.copy(picture, folder)
    (folder / "commands.md").write_text(commands(mpipp), encoding="utf-8")
    shutil.copy(TOP / "docs/book/conf.py", folder)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
