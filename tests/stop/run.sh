#!/bin/sh
# A rank that is stopped at any instruction, and read.
#
#   run.sh steps      one instruction after the other through every change of the registry (steps.c):
#                     of types, and of operations
#   run.sh threads    at random, while two threads change it; and while it runs (threads.c)
#
# For each MPI that has a library in $BUILD/lib.
cd "$(dirname "$0")/../.." || exit 2
BUILD=$(realpath "${BUILD:-build}")
out=$BUILD/tests/stop
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
passed=0 failed=0 skipped=0

# watch MPI CPU: stepping is to and fro between two processes, and quick where they share a CPU
watch() {
    library=$BUILD/lib/libshadowtype-$1.so
    case $part in
    steps)
        # Most instructions of MPI_Init: which checks want which function.
        over=$(nm "$BUILD/lib/mpipp/debug/libshadowtype-$1.so" | awk '$3 == "st_check_groups_begin" { print $1 }')
        for rank in steps pending; do
            STOP_CPU=$2 STOP_OVER=$over tests/patiently "$out/steps" "$library" "$out/free_tool-$1.so" "$out/${rank}_rank-$1"
        done
        ;;
    threads) tests/patiently "$out/threads" "$library" "$out/threads_rank-$1" ;;
    esac >"$out/$part-$1.log" 2>&1
}

part=${1:?steps or threads}
ranks=1
[ "$part" = steps ] && ranks=2
mpis=$(for mpi in mpich openmpi; do [ -e "$BUILD/lib/libshadowtype-$mpi.so" ] && echo $mpi; done)
cpu=0
for mpi in $mpis; do
    watch "$mpi" $cpu &
    cpu=$((cpu + 1))
    [ "$part" = steps ] || wait # the threads need the CPUs
done
wait
for mpi in $mpis; do
    sed "s/^/$mpi: /; s/^$mpi: \([A-Z]*:\)/\1 $mpi:/" "$out/$part-$mpi.log"
    counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$out/$part-$mpi.log")
    if [ "$(echo "$counts" | grep -c passed)" != "$ranks" ]; then
        failed=$((failed + 1))
        echo "FAIL: $mpi: no count"
    fi
    # shellcheck disable=SC2086 # words
    set -- $counts
    while [ $# -ge 4 ]; do
        passed=$((passed + $1)) failed=$((failed + $3))
        if [ "${6:-}" = skipped ]; then
            skipped=$((skipped + $5))
            shift 2
        fi
        shift 4
    done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ $((passed + skipped)) != 0 ]
