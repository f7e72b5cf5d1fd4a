#!/bin/bash
# accesses.sh MPI BUILD FOLDER SEED CHECK: random one-sided calls (accesses.c), with the quick path and without it. It prints the
# calls in which not the same is found. Writes into FOLDER. Exit status 0: there are none, and with --check=local a third of the
# calls or more was quick.
set -eu
cd "$(dirname "$0")/../.."
mpi=$1 build=$2 out=$3 seed=$4 check=$5
mpicc=("mpicc.$mpi" -std=gnu11 -g -O0 -w -Itests)
"${mpicc[@]}" -shared -fPIC tests/checks/accesses_stub.c -o "$out/accesses_stub-$mpi.so"
for quick in true false; do
    ${CC:-cc} -std=c11 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -DQUICK=$quick -Ilibshadowtype -Itests \
        -c tests/checks/accesses_group.c -o "$out/accesses_group-$mpi.o"
    "${mpicc[@]}" -rdynamic tests/checks/accesses.c "$out/accesses_group-$mpi.o" -o "$out/accesses-$mpi"
    tests/patiently env LD_PRELOAD="$build/lib/libshadowtype-$mpi.so $out/accesses_stub-$mpi.so" MPIPP_REPORTS="elsewhere:$out" MPIPP_CHECK="$check" \
        "$out/accesses-$mpi" "$seed" >"$out/accesses-$mpi.$quick" 2>"$out/accesses-$mpi.said"
done
awk -v check="$check" 'NR == FNR { found[$1] = $2; wrong += $2 != "0"; if ($3 != "seen") unseen++; next }
    found[$1] != $2 { print "call", $1 ": found", found[$1], "but with the quick path", $2; differ++ }
    $3 == "quick" { quick++ }
    END { printf "%d calls, %d wrong, %d quick, %d differ\n", FNR, wrong, quick, differ
          exit !(FNR == 20000 && !unseen && !differ && wrong > 1000 && (check != "local" || quick > FNR / 3)) }' \
    "$out/accesses-$mpi.false" "$out/accesses-$mpi.true"
