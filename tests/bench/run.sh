#!/bin/bash
# 'make bench': what the algebra costs, what recording costs the program, and what showing costs in
# gdb, under both MPIs.
# Figures are minima of interleaved runs, so that a machine that changes its speed does not matter.
set -u
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
mpipp=$BUILD/bin/mpipp
status=0

# from_fortran MPI: the same calls from C and from Fortran, without and with the recorder, in turns
from_fortran() {
    for _ in {1..12}; do
        echo "bare $("$BUILD/tests/bench/fortran_bench-$1")"
        echo "recorded $("$mpipp" exec "$BUILD/tests/bench/fortran_bench-$1")"
        "$mpipp" exec "$BUILD/tests/bench/recorder_bench-$1" times |
            sed -n '1s/.* bare \([0-9.]*\) ns, recorded \([0-9.]*\) ns.*/c_bare \1\nc_recorded \2/p'
    done | awk '!($1 in best) || $2 < best[$1] { best[$1] = $2 } END {
        fortran = best["recorded"] - best["bare"]; c = best["c_recorded"] - best["c_bare"]
        more = (fortran - c) / 3
        printf "from Fortran: bare %.1f ns, recorded %.1f ns, added %.1f ns, and from C %.1f ns: a call costs " \
            "%.1f ns more (limit 10)\n", best["bare"], best["recorded"], fortran, c, more
        exit more > 10 }'
}

# unfolding MPI: what a frontend on GDB/MI waits for
unfolding() {
    local program=$BUILD/tests/bench/mi_bench-$1 source=tests/bench/mi_bench.c line
    line=$(grep -n 'stop: steps' $source | cut -d: -f1)
    "$mpipp" gdb -n 1 -nx -batch -ex "break mi_bench.c:$line" -ex run -ex 'source tests/bench/unfold_bench.py' \
        "$program" 2>&1 | sed -n '/children/p; /Error/p'
    [ "${PIPESTATUS[0]}" = 0 ] || status=1
    tests/bench/mi_bench.py "$mpipp" "$program" $source || status=1
    tests/bench/remote_bench.sh "$mpipp" "$program" $source || status=1
}

echo "== element addresses"
"$BUILD/tests/bench/element_bench" || status=1
echo "== matching type signatures"
"$BUILD/tests/bench/match_bench" || status=1

echo "== overlap"
"$BUILD/tests/bench/overlap_bench" || status=1
for mpi in mpich openmpi; do
    echo "== $mpi: recording"
    "$mpipp" run -n 1 "$BUILD/tests/bench/recorder_bench-$mpi" || status=1
    if [ -x "$BUILD/tests/bench/fortran_bench-$mpi" ]; then
        from_fortran "$mpi" || status=1
    fi
    echo "== $mpi: in gdb"
    "$mpipp" gdb -n 1 -nx -batch -ex 'break ready' -ex run -ex 'source tests/bench/gdb_bench.py' \
        "$BUILD/tests/bench/gdb_bench-$mpi" 2>&1 | grep -E '^(1[0-9,]*,000 |mpipp)' || status=1
    unfolding "$mpi"
done
exit $status
