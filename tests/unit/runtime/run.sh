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
    if ! ${CC:-cc} $options "tests/unit/runtime/$name.c" "$@" -o "$out/$name" -lcmocka -lpthread -ldl; then
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

run memory_test -- $runtime/record/arena.c $runtime/record/blocks.c $runtime/record/root.c
run table_test -- $runtime/record/arena.c $runtime/record/root.c
run records_test -- $runtime/objects/records.c $runtime/record/blocks.c $runtime/record/arena.c $runtime/record/lock.c $runtime/record/root.c
run comms_test -- $runtime/objects/comms.c $runtime/objects/records.c $runtime/record/blocks.c $runtime/record/arena.c $runtime/record/lock.c $runtime/record/root.c
run window_requests_test -- $runtime/objects/window_requests.c $runtime/objects/records.c $runtime/record/blocks.c $runtime/record/arena.c $runtime/record/lock.c $runtime/record/root.c
run attached_test -- $runtime/objects/attached.c $runtime/objects/records.c $runtime/record/blocks.c $runtime/record/arena.c $runtime/record/lock.c $runtime/record/root.c
run own_heap_test -- $runtime/record/root.c
run ordinary_test -- $runtime/objects/peek.c $runtime/record/own_heap.c $runtime/record/root.c
core=libshadowtype/core
run quick_test -- $runtime/check/quick_places.c 
run seal_test -- $runtime/objects/seals.c $runtime/objects/peek.c \
    $core/model/*.c $core/decode/*.c $core/layout/*.c $core/overlap/*.c $runtime/record/own_heap.c $runtime/record/root.c
run sites_test -- $runtime/record/sites.c $runtime/record/root.c
run sites_test 5 -- $runtime/record/sites.c $runtime/record/root.c
# Frames as libraries have them.
case ${CFLAGS-} in
*sanitize*) ;; # whose frames grow
*) run unwind_test -- -O2 -fomit-frame-pointer libshadowtype/stack/unwind.c ;;
esac
run book_test -- libshadowtype/heap/book.c
run calls_test -- $runtime/wrap/threads.c $runtime/wrap/python.c $runtime/record/sites.c $runtime/record/root.c $runtime/record/lock.c
recorder="$runtime/record/record.c $runtime/record/lifetime.c $runtime/record/table.c $runtime/record/sites.c
    $runtime/record/blocks.c $runtime/record/arena.c $runtime/record/lock.c $runtime/record/root.c"
run record_test -- $recorder
# The address sanitizer does not go with the thread sanitizer.
case ${CFLAGS-} in
*sanitize*) ;;
*) options="$options -fsanitize=thread" ;;
esac
run threads_test -- $recorder

echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
