#!/usr/bin/env -S python3 -S
"""counted.py MPI >PROGRAM.c: a program that calls each function of calls.table, and says which of them a group of checks
that wants all functions has not seen (counted_group.c). Such a call does not reach MPI.

Before that it makes calls in which nothing can be wrong: the group has to see these, too, and their ends.
"""

from __future__ import annotations

import sys

import nulls
from nulls import argument, check_part, parse_functions

SOUND = r"""
#define SOUND(call) do { \
        int before = counted.before, after = counted.after; \
        (call); \
        if (counted.before != before + 1 || counted.after != after + 1) { wrong = 1; puts("not seen: " #call); } \
    } while (0)

static void make_sound_calls(void)
{
    double in[8] = {0}, out[8] = {0};
    int number;
    MPI_Status status;
    MPI_Datatype type;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    SOUND(MPI_Comm_size(MPI_COMM_WORLD, &number));
    SOUND(MPI_Barrier(MPI_COMM_WORLD));
    SOUND(MPI_Bcast(in, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD));
    for (int i = 0; i < 2; i++) /* the second time its datatype and operation are known */
        SOUND(MPI_Allreduce(in, out, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    SOUND(MPI_Irecv(out, 8, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &requests[0]));
    SOUND(MPI_Isend(in, 8, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &requests[1]));
    SOUND(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    if (counted.completed != 2) { wrong = 1; printf("%d operations completed\n", counted.completed); }
    SOUND(MPI_Isend(in, 8, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &requests[1]));
    SOUND(MPI_Probe(0, 1, MPI_COMM_WORLD, &status));
    SOUND(MPI_Recv(out, 8, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &status));
    SOUND(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    SOUND(MPI_Irecv(out, 8, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &requests[0]));
    SOUND(MPI_Send(in, 8, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD));
    SOUND(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    SOUND(MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &type));
    SOUND(MPI_Type_commit(&type));
    SOUND(MPI_Type_size(type, &number));
    SOUND(MPI_Type_free(&type));
}
"""

TRY = r"""
#define TRY(name, call) do { \
        counted.wanted = name; \
        counted.before = 0; \
        fill(); \
        if (sigsetjmp(next, 1) == 0 && sigsetjmp(counted.leave, 1) == 0) { \
            alarm(5); /* MPI may wait for ever in a call that was not seen */ \
            (void)(call); \
        } \
        if (counted.before != 1) { wrong = 1; puts("not seen: " name); } \
    } while (0)
"""


def main(mpi: str) -> int:
    table = check_part.read_table(nulls.TABLE)
    head, body = nulls.PROGRAM.split("#define TRY", 1)[0], nulls.PROGRAM.split("int main", 1)[1]
    print("#define _GNU_SOURCE\n#include <stdio.h>\n#include <string.h>\n" + head)
    print('#include "checks/counted.h"\nstatic int wrong;\n' + SOUND + TRY)
    print("int main" + body)
    print("    make_sound_calls();")
    for name, function in sorted(parse_functions(nulls.header(mpi)).items()):
        entry = check_part.entry_of(table, function, True)
        if not entry:
            continue
        words = [word.split(":")[0] for word in entry.roles]
        passed = [argument(word, parameter) for word, parameter in zip(words, function.parameters)]
        print(f'    TRY("{function.public}", {function.public}({", ".join(passed)}));')
    print("    fflush(stdout);\n    syscall(SYS_exit_group, wrong);\n}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
