#!/usr/bin/env -S python3 -S
"""nulls.py MPI >PROGRAM.c: a program that passes a null pointer to each function of calls.table, once
for each parameter that must not be null; nulls.py MPI FOLDER: hold the findings in FOLDER against that.

The MPI library may crash in such a call: the program goes on with the next one.
"""

from __future__ import annotations

import glob
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
RUNTIME = os.path.join(HERE, "..", "..", "libshadowtype", "runtime")
TABLE = os.path.join(RUNTIME, "wrap", "calls.table")
sys.path.insert(0, os.path.join(RUNTIME, "wrap", "generate"))

import check_part  # noqa: E402
from mpi_header import Function, Parameter, parse_functions, preprocess  # noqa: E402

# They start programs, or wait for others.
LEFT_OUT = ("Comm_spawn", "Comm_spawn_multiple", "Comm_accept", "Comm_connect", "Comm_join", "Session_finalize")

NUMBERS = {"source": "MPI_PROC_NULL", "anytag": "0", "order": "MPI_ORDER_C", "lock": "MPI_LOCK_SHARED", "count": "0"}
COMMS = {"cart": "ring", "graph": "graph", "distgraph": "distributed"}
HANDLES = {
    "MPI_Comm": "MPI_COMM_SELF",
    "MPI_Datatype": "MPI_INT",
    "MPI_Op": "MPI_SUM",
    "MPI_Group": "MPI_GROUP_EMPTY",
    "MPI_Info": "info",
    "MPI_Win": "window",
    "MPI_File": "file",
    "MPI_Errhandler": "MPI_ERRORS_RETURN",
    "MPI_Request": "request",
    "MPI_Message": "MPI_MESSAGE_NO_PROC",
    "MPI_Session": "(MPI_Session)0",
}
TEXTS = {"datarep": '"native"', "key": '"key"', "filename": '"nulls.data"', "array_of_commands": "NULL"}

PROGRAM = r"""
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static sigjmp_buf next;
static void crashed(int number) { (void)number; siglongjmp(next, 1); }
/* Open MPI gives up where there is no communicator whose error handler it could call. */
void exit(int status) { (void)status; siglongjmp(next, 1); }
void _exit(int status) { (void)status; siglongjmp(next, 1); }

static MPI_Comm ring, graph, distributed;
static MPI_Info info;
static MPI_Win window;
static MPI_File file;
static MPI_Request request;
/* What else is not null points here: many zeros, or ones. */
static long long zeros[4096], ones[64];

static void fill(void)
{
    for (int i = 0; i < 64; i++)
        ones[i] = 0x100000001;
    for (int i = 0; i < 4096; i++)
        zeros[i] = 0;
}

#define TRY(call) do { if (sigsetjmp(next, 1) == 0) { fill(); alarm(5); (void)(call); } } while (0)

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Cart_create(MPI_COMM_SELF, 1, (int[]){1}, (int[]){1}, 0, &ring);
    MPI_Graph_create(MPI_COMM_SELF, 1, (int[]){1}, (int[]){0}, 0, &graph);
    MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, (int[]){0}, MPI_UNWEIGHTED, 1, (int[]){0}, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &distributed);
    MPI_Info_create(&info);
    window = MPI_WIN_NULL;
    file = MPI_FILE_NULL;
    struct sigaction on_crash = {.sa_handler = crashed, .sa_flags = SA_NODEFER};
    for (int i = 0; i < 4; i++)
        sigaction((int[]){SIGSEGV, SIGBUS, SIGABRT, SIGALRM}[i], &on_crash, NULL);
"""


def argument(word: str, parameter: Parameter) -> str:
    kind = check_part.base_type(parameter)
    if check_part.is_pointer(parameter):
        if parameter.name in TEXTS or (kind == "char" and "const" in parameter.type):
            return f"(void *){TEXTS.get(parameter.name, chr(34) + 'text' + chr(34))}"
        if word in ("opt", "argv", "argvs"):
            return "NULL"
        if word in ("-", "list") and "int" in kind:
            return "(void *)ones"
        return "(void *)zeros"
    if word in COMMS:
        return COMMS[word]
    if kind in HANDLES:
        return HANDLES[kind]
    if "function" in kind or "_fn" in kind:
        return "NULL"
    return NUMBERS.get(word, "0" if word in ("dest", "target", "root", "rank", "tag", "-", "undefined") else "1")


def header(mpi: str) -> str:
    """mpi.h, preprocessed."""
    command = subprocess.run([f"mpicc.{mpi}", "-show"], capture_output=True, text=True, check=True).stdout.split()
    return preprocess(["cc", *(word for word in command if word.startswith("-I"))], "-P", "-D__attribute__(x)=")


def cases(mpi: str) -> list[tuple[Function, int, list[str]]]:
    source = header(mpi)
    table = check_part.read_table(TABLE)
    found = []
    for name, function in sorted(parse_functions(source).items()):
        entry = check_part.entry_of(table, function, True)
        if not entry or function.stem in LEFT_OUT:
            continue
        words = [word.split(":")[0] for word in entry.roles]
        arguments = [argument(w, p) for w, p in zip(words, function.parameters)]
        for i in range(len(words)):
            needed = check_part.needed(function, entry, i)
            ignored = needed.why in ("ST_NEEDED_STATUS", "ST_NEEDED_STATUSES") and mpi == "openmpi"
            if needed.why == "ST_NEEDED_NOT" or needed.at_root or ignored:
                continue
            passed = list(arguments)
            passed[i] = "NULL"
            if needed.length >= 0 and not check_part.is_pointer(function.parameters[needed.length]):
                passed[needed.length] = "1"
            elif needed.length >= 0:
                passed[needed.length] = "(void *)ones"
            found.append((function, i, passed))
    return found


def main(mpi: str, folder: str = "") -> int:
    wanted = cases(mpi)
    if not folder:
        print(PROGRAM)
        for function, _, passed in wanted:
            print(f"    TRY({function.public}({', '.join(passed)}));")
        print("    syscall(SYS_exit_group, 0);\n}")
        return 0
    found = set()
    for path in glob.glob(folder + "/*.jsonl"):
        with open(path, encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                if record["record"] == "finding" and record["id"] == "argument-null":
                    nulls = [name for name, value in record["arguments"] if f"as '{name}'" in record["message"]]
                    found |= {(record["call"], name) for name in nulls}
    missing = [
        f"{f.public}, {f.parameters[i].name}"
        for f, i, _ in wanted
        if (f.public, f.parameters[i].name.rstrip("_")) not in found
    ]
    print("\n".join(missing))
    print(f"{len(wanted) - len(missing)} of {len(wanted)} null pointers found")
    return bool(missing) or len(wanted) < 300


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
