#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Types what a page of the book shows, and compares what comes back: replay.py PAGE FOLDER

Blocks without a language are sessions in FOLDER. After `$ ` stands a command of the shell, after `(gdb) ` one of gdb; what
follows it is its output. If nothing follows, its output is not shown, and not compared. All commands of gdb after
`$ mpipp gdb ...` or `$ mpipp attach ...` are of that gdb, also in later blocks. Handles and addresses may differ; `...`
stands for any text.
"""

import re
import subprocess
import sys


def blocks(page):
    """The lines of the blocks without a language."""
    fence = None
    for line in page:
        if line.startswith("```"):
            fence = line.strip() if fence is None else None
        elif fence == "```":
            yield line.rstrip("\n")


def steps(lines):
    """(prompt, command, output) of each command."""
    found = []
    for line in lines:
        begins = re.match(r"(\$|\(gdb\)) (.*)", line)
        if begins:
            found.append((begins[1], begins[2], []))
        else:
            found[-1][2].append(line)
    return found


def comparable(text):
    """The text without what differs from run to run."""
    text = re.sub(r"0x[0-9a-f]+", "0x?", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def agrees(shown, said):
    """Whether the text is what is shown."""
    pattern = ".*".join(map(re.escape, comparable(shown).split("...")))
    return re.fullmatch(pattern, comparable(said), re.DOTALL) is not None


def shell(command, folder):
    """What a command writes, its standard error last."""
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    return done.stdout + done.stderr


def debug(command, typed, folder):
    """What gdb says to each of the commands."""
    mark = "--- replay"
    options = "".join(f" -ex 'echo \\n{mark}\\n' -ex {quoted(one)}" for one in typed)
    said = shell(re.sub(r"\bmpipp (gdb|attach)", lambda start: f"{start[0]} -nx -batch -ex 'set width 0'" + options, command, count=1) + " 2>&1", folder)
    return said.split(mark + "\n")[1:]


def is_debugger(command):
    """Whether it starts a gdb, to which the commands that follow are typed."""
    return re.match(r"mpipp (gdb|attach) ", command) is not None


def quoted(word):
    """The word for the shell."""
    return "'" + word.replace("'", "'\\''") + "'"


def main(page, folder):
    """Counts what comes back as shown."""
    with open(page, encoding="utf-8") as file:
        wanted = steps(blocks(file))
    passed = failed = 0
    for number, (prompt, command, shown) in enumerate(wanted):
        if prompt == "(gdb)":
            continue
        answers = [(command, shown)]
        if is_debugger(command) and number + 1 < len(wanted) and wanted[number + 1][0] == "(gdb)":
            later = wanted[number + 1 :]
            end = next((i for i, step in enumerate(later) if is_debugger(step[1])), len(later))
            answers = [(typed, output) for kind, typed, output in later[:end] if kind == "(gdb)"]
            said = debug(command, [typed for typed, _ in answers], folder)
        else:
            said = [shell(command, folder)]
        said += ["it has said nothing: gdb has ended"] * (len(answers) - len(said))
        for (typed, output), answer in zip(answers, said):
            if output and not agrees("\n".join(output), answer):
                failed += 1
                print(f"FAIL: {typed}\n" + "\n".join(output) + "\n--- but it says:\n" + answer)
            elif output:
                passed += 1
                print(f"PASS: {typed}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
