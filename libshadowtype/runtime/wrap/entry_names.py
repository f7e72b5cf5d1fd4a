# SPDX-License-Identifier: BSD-3-Clause
"""entry_names.py LIBRARY: prints options for objcopy that give each of MPI_X and PMPI_X of the library both names for debuggers.

In an MPI library, MPI_X and PMPI_X are one function to a debugger: a breakpoint on either stops at calls of both, and C calls
MPI_X where mpi_f08 calls PMPI_X. In this library they are two functions. The names are added to .symtab, which only debuggers
read; linker and loader use .dynsym.

The library's own data get no names: a debugger would find them where the program has no variable of such a name in scope.
"""

import re
import subprocess
import sys
from typing import List

TEXT = ".text"


def lines_of(*command: str) -> List[str]:
    """The output of a command."""
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()


def text_address(library: str) -> int:
    """The address of .text: objcopy counts from there."""
    for line in lines_of("objdump", "-h", library):
        words = line.split()
        if words[1:2] == [TEXT]:
            return int(words[3], 16)
    sys.exit(f"entry_names.py: no {TEXT} in {library}")


def other_name(name: str) -> str:
    """MPI_X for PMPI_X, and the reverse."""
    return name[1:] if name.startswith("P") else "P" + name


def main() -> None:
    """Prints the options, one per line."""
    library = sys.argv[1]
    start = text_address(library)
    symbols = [line.split() for line in lines_of("nm", "-P", "--defined-only", library)]
    others = {words[0] for words in symbols if words[1] not in "bdr"}
    for name in sorted({words[0] for words in symbols} - others):
        print(f"--strip-symbol={name}")
    for words in symbols:  # without a value where it is 0, in older binutils
        if words[1] == "T" and re.match(r"P?MPIX?_", words[0]):
            print(f"--add-symbol {other_name(words[0])}={TEXT}:{int(words[2], 16) - start:#x},global,function")


main()
