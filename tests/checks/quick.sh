#!/bin/bash
# quick.sh PROGRAM MPI BUILD FOLDER SEED CHECK: random calls (PROGRAM: accesses, arrays or completions), with the quick path and without it. It
# prints the calls in which not the same is found. Writes into FOLDER. Exit status 0: there are none, and with --check=local a
# third of the calls or more was quick.
set -eu
cd "$(dirname "$0")/../.."
program=$1 mpi=$2 build=$3 out=$4 seed=$5 check=$6
# One-sided calls, and those with requests, are one rank's.
run=()
if [ "$program" = arrays ]; then
    run=("mpiexec.$mpi" -n 3)
    [ "$mpi" = mpich ] || run=(mpirun.openmpi --allow-run-as-root --oversubscribe -n 3)
fi
mpicc=("mpicc.$mpi" -std=gnu11 -g -O0 -w -Itests)
"${mpicc[@]}" -shared -fPIC "tests/checks/${program}_stub.c" -o "$out/${program}_stub-$mpi.so"
for quick in true false; do
    ${CC:-cc} -std=c11 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -DQUICK=$quick -Ilibshadowtype -Itests \
        -c tests/checks/quick_group.c -o "$out/quick_group-$mpi.o"
    "${mpicc[@]}" -rdynamic "tests/checks/$program.c" "$out/quick_group-$mpi.o" -o "$out/$program-$mpi"
    tests/patiently "${run[@]}" env LD_PRELOAD="$build/lib/libshadowtype-$mpi.so $out/${program}_stub-$mpi.so" MPIPP_REPORTS="elsewhere:$out" MPIPP_CHECK="$check" \
        "$out/$program-$mpi" "$seed" >"$out/$program-$mpi.$quick" 2>"$out/$program-$mpi.said"
done
awk -v check="$check" 'NR == FNR { found[$1] = $2; wrong += $2 != "0"; if ($3 != "seen") unseen++; next }
    found[$1] != $2 { print "call", $1 ": found", found[$1], "but with the quick path", $2; differ++ }
    $3 == "quick" { quick++ }
    END { printf "%d calls, %d wrong, %d quick, %d differ\n", FNR, wrong, quick, differ
          exit !(FNR == 20000 && !unseen && !differ && wrong > 1000 && (check != "local" || quick > FNR / 3)) }' \
    "$out/$program-$mpi.false" "$out/$program-$mpi.true"
