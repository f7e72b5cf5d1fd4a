#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the steps of a file for CI as a script of sh, for containers.sh.

    steps.py github|gitlab docs/ci.md    the steps of the page's workflow for this server
    steps.py container CONTAINERFILE     its instructions, without CMD; COPY takes from /src

Steps of the server itself ("uses:") are left out, and the variables that it would set are the caller's. A line that is not
understood ends it with a sentence.
"""

import re
import shlex
import sys
from pathlib import Path


def workflow(server: str, page: str) -> list[str]:
    """Returns the commands of the page's block for SERVER."""
    import yaml  # where it is missing, containers.sh says so

    blocks = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", page, re.S)]
    for block in blocks:
        job = block["jobs"]["mpipp"] if "jobs" in block else block["mpipp"]
        if server == "github" and "steps" in job:
            return [step["run"] for step in job["steps"] if "run" in step]
        if server == "gitlab" and "script" in job:
            return list(job["script"])
    sys.exit(f"steps.py: no workflow for {server}")


def container(text: str) -> list[str]:
    """Returns the commands of a Containerfile. After USER they are run by this user."""
    commands, user, folder = [], "", "/"
    for line in re.sub(r"\\\n", " ", text).splitlines():
        name, _, rest = line.partition(" ")
        if name in ("", "#", "ARG", "FROM", "CMD") or line.startswith("#"):
            continue
        if name == "RUN":
            command = f"cd {folder} && {rest}"
            commands.append(f"su {user} -c {shlex.quote(command)}" if user else f"({command})")
        elif name == "COPY":
            commands.append(f"cp -rT /src {shlex.quote(rest.split()[1])}")
        elif name == "USER":
            user = rest
        elif name == "WORKDIR":
            folder = rest
        else:
            sys.exit(f"steps.py: '{name}' is not known")
    return commands


def main() -> None:
    kind, name = sys.argv[1:]
    text = Path(name).read_text(encoding="utf-8")
    commands = container(text) if kind == "container" else workflow(kind, text)
    print("set -e")
    for command in commands:
        print(command.strip())


main()
