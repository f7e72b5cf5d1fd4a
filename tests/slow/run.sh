#!/bin/bash
# Runs slow but correct programs for the given time under 'mpipp run --timeout=2': nothing may be reported. It takes
# long, and is not part of 'make check'.
#
#   tests/slow/run.sh [SECONDS] [MPI...]     1800 seconds for each of mpich and openmpi, one beside the other
#
# SEED=NUMBER repeats a run's order of phases.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS DEBUGINFOD_URLS

seconds=${1:-1800}
shift
[ $# != 0 ] || set -- mpich openmpi
seed=${SEED:-$RANDOM}

# is_silent FILE: what 'mpipp run' said: it ended by itself, and named no error and no warning
is_silent() {
    [ "$(cat "$1.status")" = 0 ] && ! grep -qE '^mpipp: (error|warning)' "$1.err" && return
    echo "status $(cat "$1.status"), seed $seed, in the phase $(tail -n 1 "$1.out")"
    cat "$1.err"
    return 1
}

# goes_on_silently MPI
goes_on_silently() {
    in_folder "$1"
    "mpicc.$1" -std=gnu11 -g -Wno-stringop-overflow -o slow "$top"/tests/slow/*.c -pthread || return
    "${marked[@]}" "$mpipp" run -n 4 --timeout=2 --fail-on=warning ./slow "$seconds" "$seed" >slow.out 2>slow.err </dev/null
    echo $? >slow.status
    ok "$1: nothing is found in $seconds s of slow phases ($(wc -l <slow.out), seed $seed)" is_silent slow
    ok "$1: nothing is left" none_left
}

for mpi; do
    goes_on_silently "$mpi" >"$all/$mpi.log" 2>&1 &
done
wait
for mpi; do
    cat "$all/$mpi.log"
    passed=$((passed + $(grep -c '^PASS: ' "$all/$mpi.log"))) failed=$((failed + $(grep -c '^FAIL: ' "$all/$mpi.log")))
    ok "$mpi: it was run" grep -q 'nothing is found' "$all/$mpi.log"
done
finish
