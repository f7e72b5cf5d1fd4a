#!/bin/sh
# The recorder under the thread sanitizer, in ranks whose threads do everything at once.
#
#   run.sh [long]     long: what 'make tsan' runs
#
# The MPI libraries themselves are not instrumented. What is known of them is in suppressions.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
BUILD=$(realpath "${BUILD:-build}")
tsan=$BUILD/tsan
log=$tsan/log
rounds=3000 steps=3000
[ "${1-}" = long ] && rounds=60000 steps=40000
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# UCX, below MPICH, takes calls of the C library into its own hands, also those that a thread makes
# when the sanitizer has already buried it.
export UCX_MEM_MMAP_HOOK_MODE=none UCX_MEM_EVENTS=no
export TSAN_OPTIONS="suppressions=$PWD/tests/tsan/suppressions exitcode=0"

runtime=$(${CC:-cc} -print-file-name=libtsan.so)
case $runtime in
/*) runtime=$(realpath "$runtime") ;;
*)
    skip tsan "${CC:-cc} has no libtsan.so"
    finish
    ;;
esac

# rank MPI PROGRAM ARGUMENT...: its own checks, and every race is a failed one
rank() {
    mpi=$1 program=$2
    shift 2
    patiently env LD_PRELOAD="$runtime $tsan/lib/libshadowtype-$mpi.so" \
        "$tsan/$program-$mpi" "$@" >"$log" 2>&1
    status=$?
    races=$(grep -c '^WARNING: ThreadSanitizer' "$log")
}

clean() {
    [ "$status" = 0 ] && [ "$races" = 0 ] && grep -qE '^[1-9][0-9]* passed, 0 failed$' "$log" ||
        { echo "exit status $status, $races reports"; cat "$log"; return 1; }
}

# A thread that reads root.changes with no lock races with the recorder: the sanitizer sees into it.
seen() {
    grep -q '^WARNING: ThreadSanitizer: data race' "$log" && grep -q 'libshadowtype-' "$log" ||
        { cat "$log"; return 1; }
}

for mpi in mpich openmpi; do
    [ -e "$tsan/lib/libshadowtype-$mpi.so" ] || continue
    rank $mpi mixed_threads $rounds
    ok "$mpi: $rounds rounds of everything in 4 threads" clean
    rank $mpi threads $steps
    ok "$mpi: handles that go from thread to thread" clean
    rank $mpi checked_threads $rounds
    ok "$mpi: buffers that are gone, and refused calls, in 4 threads" clean
    rank $mpi checked_threads $rounds turns
    ok "$mpi: 4 threads that take turns" clean
    rank $mpi checked_threads $rounds at-a-time
    ok "$mpi: threads that do not" clean
    rank $mpi mixed_threads 50 peek
    ok "$mpi: a race with the recorder is seen" seen
done
finish
