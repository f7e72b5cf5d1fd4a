#!/bin/sh
# The unit tests of libshadowtype/runtime: what in it needs no MPI. CFLAGS may add sanitizers.
cd "$(dirname "$0")/../../.." || exit 2
out=$(realpath -m "${BUILD:-build}")/tests/unit-runtime
mkdir -p "$out"
runtime=libshadowtype/runtime
options="-std=gnu11 -g -O1 -Wall -Wextra -Werror -Ilibshadowtype -Itests -DST_MPI=ST_MPI_MPICH ${CFLAGS-}"
passed=0 failed=0

# run NAME ARGUMENTS -- SOURCES
run() {
    name=$1 arguments=
    shift
    while [ "$1" != -- ]; do
        arguments="$arguments $1"
        shift
    done
    shift
    if ! ${CC:-cc} $options "tests/unit/runtime/$name.c" "$@" -o "$out/$name" -lcmocka -lpthread; then
        failed=$((failed + 1))
        echo "FAIL: $name: cannot build"
        return
    fi
    tests/patiently "$out/$name" $arguments >"$out/$name.log" 2>&1
    status=$?
    good=$(grep -c '^\[       OK \]' "$out/$name.log")
    bad=$(grep -c '^\[  FAILED  \] [a-z_]*$' "$out/$name.log")
    passed=$((passed + good))
    if [ "$status" != 0 ]; then
        [ "$bad" = 0 ] && bad=1
        failed=$((failed + bad))
        cat "$out/$name.log"
        echo "FAIL: $name$arguments: exit status $status"
    else
        echo "$name$arguments: $good passed"
    fi
}

run memory_test -- $runtime/arena.c $runtime/blocks.c $runtime/root.c
run table_test -- $runtime/arena.c $runtime/root.c
run records_test -- $runtime/check/records.c $runtime/blocks.c $runtime/arena.c $runtime/lock.c $runtime/root.c
run own_heap_test -- $runtime/root.c
run ordinary_test -- $runtime/check/ordinary.c $runtime/own_heap.c $runtime/root.c
core=libshadowtype/core
run seal_test -- -I$core -I$core/layout $runtime/check/seal.c $runtime/check/peek.c $runtime/check/ordinary.c \
    $core/layout/*.c $core/*.c $runtime/own_heap.c $runtime/root.c
run sites_test -- $runtime/sites.c $runtime/root.c
run sites_test 5 -- $runtime/sites.c $runtime/root.c
# Frames as libraries have them.
case ${CFLAGS-} in
*sanitize*) ;; # whose frames grow
*) run unwind_test -- -O2 -fomit-frame-pointer $runtime/unwind.c ;;
esac
run book_test -- libshadowtype/heap/book.c
run calls_test -- $runtime/threads.c $runtime/python.c $runtime/sites.c $runtime/root.c $runtime/lock.c
recorder="$runtime/record.c $runtime/lifetime.c $runtime/table.c $runtime/sites.c
    $runtime/blocks.c $runtime/arena.c $runtime/lock.c $runtime/root.c"
run record_test -- $recorder
# The address sanitizer does not go with the thread sanitizer.
case ${CFLAGS-} in
*sanitize*) ;;
*) options="$options -fsanitize=thread" ;;
esac
run threads_test -- $recorder

echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
