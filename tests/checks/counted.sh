#!/bin/bash
# counted.sh MPI BUILD FOLDER: runs a program that defines an additional group of checks (counted_group.c), which counts the
# calls that it sees. It prints the calls that the group has not seen (counted.py). Writes into FOLDER. Exit status 0: it saw all.
set -eu
cd "$(dirname "$0")/../.."
mpi=$1 build=$2 out=$3
${CC:-cc} -std=c11 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -Ilibshadowtype -Itests \
    -c tests/checks/counted_group.c -o "$out/counted_group-$mpi.o"
tests/checks/counted.py "$mpi" >"$out/counted-$mpi.c"
"mpicc.$mpi" -std=gnu11 -g -O0 -w -rdynamic -Itests "$out/counted-$mpi.c" "$out/counted_group-$mpi.o" -o "$out/counted-$mpi"
tests/patiently env LD_PRELOAD="$build/lib/libshadowtype-$mpi.so" MPIPP_REPORTS="elsewhere:$out" \
    "$out/counted-$mpi" 2>"$out/counted-$mpi.said"
