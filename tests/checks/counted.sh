#!/bin/bash
# counted.sh MPI BUILD FOLDER: links the library with an additional group of checks, which counts the calls that it sees.
# Runs a program that prints the calls that it did not see (counted.py). Writes into FOLDER. Exit status 0: it saw all calls.
set -eu
cd "$(dirname "$0")/../.."
mpi=$1 build=$2 out=$3
library=$out/libcounted-$mpi.so
# There may be other files from an earlier build.
objects=()
for folder in "$build/obj/rank" "$build/obj/rank-$mpi"; do
    while read -r name; do
        [ -e "libshadowtype/$name.c" ] || [ -e "$folder/$name.c" ] || continue
        [ "$folder" = "$build/obj/rank" ] || [ ! -e "$build/obj/rank/$name.o" ] || continue
        objects+=("$folder/$name.o")
    done < <(cd "$folder" && find . -name '*.o' ! -name check_table.o | sed 's/\.o$//')
done
${CC:-cc} -std=c11 -O2 -g -fPIC -fvisibility=hidden -Wall -Wextra -Werror -D_GNU_SOURCE -Ilibshadowtype -Itests \
    -c tests/checks/counted_table.c -o "$out/counted_table-$mpi.o"
${CC:-cc} -shared -O2 -static-libgcc -Wl,--version-script=libshadowtype/runtime/exports.map "${objects[@]}" \
    "$out/counted_table-$mpi.o" -o "$library"
tests/checks/counted.py "$mpi" >"$out/counted-$mpi.c"
"mpicc.$mpi" -std=gnu11 -g -O0 -w -rdynamic -Itests "$out/counted-$mpi.c" -o "$out/counted-$mpi" -ldl
tests/patiently env LD_PRELOAD="$library" MPIPP_REPORTS="elsewhere:$out" "$out/counted-$mpi" 2>"$out/counted-$mpi.said"
