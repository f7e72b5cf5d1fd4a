#!/bin/bash
# Compares random types with MPI: the core's numbers (oracle), and gdb's output (show).
#
#   run.sh [SEED]        RANDOM_TYPES=N types for the oracle
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build}
seed=${1:-20261120}
passed=0 failed=0

# The last line of a log counts; a run that did not get there has failed.
count() {
    local last
    last=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$2" | tail -n 1)
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] && [ "${BASH_REMATCH[1]}" != 0 ]; then
        passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
        echo "$1: $last"
        [ "${BASH_REMATCH[2]}" = 0 ] || grep -E '^FAIL|^seed' -A 12 "$2" | head -n 60
    else
        failed=$((failed + 1))
        echo "FAIL: $1 ended without a count"
        tail -n 20 "$2"
    fi
}

# same PROGRAM [ARGUMENT...]: runs it up to its barrier, and compares there
same() {
    "$BUILD/bin/mpipp" gdb -n 1 -nx -batch -ex 'set breakpoint pending on' -ex 'break MPI_Barrier' \
        -ex 'break mpi_barrier_' -ex run -ex 'source tests/random/same.py' --args "$@"
}

for mpi in mpich openmpi; do
    log=$BUILD/tests/random/oracle-$mpi.log
    "$BUILD/bin/mpipp" run -n 1 "$BUILD/tests/random/oracle-$mpi" "$seed" "${RANDOM_TYPES:-20000}" >"$log" 2>&1
    count "oracle under $mpi" "$log"
    grep '^not compared' "$log"

    log=$BUILD/tests/random/show-$mpi.log
    "$BUILD/bin/mpipp" gdb -n 1 -nx -batch -ex 'break all_made' -ex run -ex 'source tests/random/show.py' \
        "$BUILD/tests/random/show-$mpi" "$seed" >"$log" 2>&1
    count "gdb under $mpi" "$log"

    # Other languages: the trees that were made, against what was recorded of them.
    export MPIPP_TREES=$BUILD/tests/random/trees-$mpi MPIPP_NUMBERS=$BUILD/tests/random/numbers-$mpi
    if command -v "mpifort.$mpi" >/dev/null; then
        log=$BUILD/tests/random/fortran-$mpi.log
        program=$BUILD/tests/random/fortran-$mpi
        rm -f "$MPIPP_TREES" "$MPIPP_NUMBERS"
        python3 tests/random/make_fortran.py "$seed" 60 "$MPIPP_TREES" "$program.f90" &&
            "mpifort.$mpi" -g -O0 -w -ffree-line-length-none "$program.f90" -o "$program" &&
            MPIPP_FORTRAN=1 same "$program" "$MPIPP_NUMBERS" >"$log" 2>&1
        count "Fortran under $mpi" "$log"
    fi
    if python=$(tests/python.sh) && [ "${python#* }" = "$mpi" ]; then
        log=$BUILD/tests/random/python-$mpi.log
        rm -f "$MPIPP_TREES" "$MPIPP_NUMBERS"
        same "${python% *}" tests/random/make_python.py "$seed" 300 "$MPIPP_TREES" "$MPIPP_NUMBERS" >"$log" 2>&1
        count "mpi4py under $mpi" "$log"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
