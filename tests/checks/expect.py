#!/usr/bin/env -S python3 -S
"""expect.py SOURCE PROGRAM FOLDER MPI [CASE]: hold the findings in FOLDER against the marks of SOURCE.

A mark is a comment at the end of a line, an id and, where it applies, how often and where alone:

    MPI_Send(...);    /* datatype-null */    /* argument-tag x 3 */    /* buffer-null (CASE) */
    MPI_Recv(...);    /* datatype-self-overlap */    /* at {0}(VECTOR)[0][1](MPI_INT)+4 {0}... */

    MPI_Recv(...);    /* argument-tag */     /* with source=MPI_ANY_SOURCE status=0x? */

    MPI_Recv(...);    /* note mpi-error */

A `note' is what --severity=note shows; they are compared where SOURCE marks any.

What stands in parentheses is the name of a case, of an MPI library, or of both ("CASE, MPI"). `at' gives all elements that
the finding of the line names, without the datatype's name, each with its byte (+?: any); `with' some
of the arguments that its findings show (0x?: any address). A library may have its version: openmpi4,
mpich4_0. Prints what differs.
"""

from __future__ import annotations

import collections
import glob
import json
import re
import subprocess
import sys

MARK = re.compile(r"(?:/\*|!|#) ([a-z]+-[a-z-]+)(?: x (\d+))?(?: \((\w[\w-]*(?:, \w+)?)\))?(?= \*/| !| #|$)")


NOTE = re.compile(r"(?:/\*|!|#) note (?=[a-z]+-)")

ELEMENTS = re.compile(r"(?:/\*|!|#) at (.+?)(?: \*/|$)")


ARGUMENTS = re.compile(r"(?:/\*|!|#) with ([^*!#]+?)(?: \*/| !| #|$)")


def marked_arguments(source: str, lines: set[int]) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    with open(source, encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            for arguments in ARGUMENTS.findall(line.rstrip()) if number in lines else []:
                found.setdefault(number, set()).update(arguments.split())
    return found


def shown_arguments(record: dict) -> set[str]:
    """ "count=1": of addresses that there is one."""
    return {f"{name}={re.sub('^0x.*', '0x?', value)}" for name, value in record.get("arguments") or []}


def marked_elements(source: str, lines: set[int]) -> set[tuple[int, str]]:
    found = set()
    with open(source, encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            if number in lines:
                for addresses in ELEMENTS.findall(line.rstrip()):
                    found |= {(number, address) for address in addresses.split()}
    return found


def elements_of(record: dict) -> list[str]:
    """ "{0}(VECTOR)[0][1](MPI_INT)+4": without T, with the byte if there is one."""
    found = []
    for element in record.get("elements") or []:
        address = re.sub(r"^[^({[]+", "", element["address"])
        found.append(address + (f"+{element['byte']}" if "byte" in element else ""))
    return found


def marks(source: str, wanted: set[str]) -> collections.Counter:
    found: collections.Counter = collections.Counter()
    with open(source, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            for check, times, where in MARK.findall(line.rstrip()):
                if where in wanted:
                    found[number, check, int(times or 1)] += 1
    return found


def marked_notes(source: str, wanted: set[str]) -> collections.Counter | None:
    """None: the source has no marks of notes at all."""
    found: collections.Counter = collections.Counter()
    has_any = False
    with open(source, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if NOTE.search(line):
                has_any = True
                for check, times, where in MARK.findall(re.sub(r" note (?=[a-z]+-)", " ", line.rstrip())):
                    if where in wanted:
                        found[number, check, int(times or 1)] += 1
    return found if has_any else None


def line_of(program: str, frame: dict) -> int:
    if "text" in frame:
        return int(re.search(r":(\d+)", frame["text"]).group(1))
    place = frame["offset"] - bool(frame.get("return"))
    said = subprocess.run(
        ["addr2line", "-e", program, hex(place)], capture_output=True, text=True, check=True
    ).stdout
    number = said.rsplit(":", 1)[1].split()[0]
    return int(number) if number.isdigit() else 0


def notes(folder: str, program: str) -> collections.Counter:
    found: collections.Counter = collections.Counter()
    for path in glob.glob(folder + "/*.jsonl"):
        with open(path, encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                if record["record"] == "finding" and record["severity"] == "note":
                    found[line_of(program, record["site"][0]) if record.get("site") else 0, record["id"], 1] += 1
    return found


def findings(
    folder: str, program: str
) -> tuple[collections.Counter, set[tuple[int, str]], list[tuple[int, set[str]]]]:
    """What was found, with the elements that it names, and the arguments that it shows."""
    found: collections.Counter = collections.Counter()
    arguments: list[tuple[int, set[str]]] = []
    elements: set[tuple[int, str]] = set()
    for path in glob.glob(folder + "/*.jsonl"):
        with open(path, encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
        if not records or records[0]["record"] != "begin":
            print(f"{path}: does not begin with a record 'begin'")
        counts = {r["n"]: r["count"] for r in records if r["record"] == "count"}
        for record in records:
            if record["record"] == "finding" and record["severity"] != "note":
                line = line_of(program, record["site"][0]) if record.get("site") else 0
                found[line, record["id"], counts.get(record["n"], 1)] += 1
                elements |= {(line, element) for element in elements_of(record)}
                arguments.append((line, shown_arguments(record)))
                if not record["message"] or not record.get("advice"):
                    print(f"no message or advice: {record}")
    return found, elements, arguments


def libraries(folder: str, mpi: str) -> set[str]:
    """ "openmpi", "openmpi5", "openmpi5_0": as the ranks say."""
    names = {mpi}
    for path in glob.glob(folder + "/*.jsonl"):
        with open(path, encoding="utf-8") as lines:
            if version := re.search(r"(\d+)\.(\d+)", json.loads(next(lines, "{}")).get("mpi", "")):
                names |= {f"{mpi}{version[1]}", f"{mpi}{version[1]}_{version[2]}"}
    return names


def main(source: str, program: str, folder: str, mpi: str, case: str = "") -> int:
    names = libraries(folder, mpi)
    expected = marks(source, {case} | {f"{case}, {name}" for name in names} if case else {""} | names)
    got, elements, arguments = findings(folder, program)
    named = marked_arguments(source, {line for line, _, _ in expected})
    unnamed = [(line, sorted(one), shown) for line, shown in arguments if (one := named.get(line, set()) - shown)]
    for line, one, shown in unnamed:
        print(f"line {line}: not {' '.join(one)} but {' '.join(sorted(shown))}")
    wanted = marked_elements(source, {line for line, _, _ in expected})
    anywhere = {(line, element[:-2]) for line, element in wanted if element.endswith("+?")}
    elements = {
        (line, at[0] + "+?") if (line, (at := element.rsplit("+", 1))[0]) in anywhere else (line, element)
        for line, element in elements
    }
    for line, element in sorted(wanted ^ elements):
        print(f"line {line}: element {element} is {'missing' if (line, element) in wanted else 'too many'}")
    for (line, check, times), _ in sorted((expected - got).items()):
        print(f"missing: line {line}, {check}, {times} times")
    for (line, check, times), _ in sorted((got - expected).items()):
        print(f"too many: line {line}, {check}, {times} times")
    expected_notes = marked_notes(source, {case, f"{case}, {mpi}"} if case else {"", mpi})
    got_notes = notes(folder, program) if expected_notes is not None else None
    if got_notes != expected_notes:
        print(f"notes: not {dict(expected_notes or {})} but {dict(got_notes or {})}")
    marked = expected or expected_notes or case
    return bool(expected != got or got_notes != expected_notes or wanted != elements or unnamed) or not marked


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
