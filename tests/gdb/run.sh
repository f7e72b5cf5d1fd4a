#!/bin/bash
# The plugin in gdb, through CLI and MI, under every MPI that is installed: a DejaGnu test suite.
#
#   run.sh [FILE.exp...]      the last line is "N passed, M failed"; no check at all is a failure
set -u
here=$(cd "$(dirname "$0")" && pwd)
BUILD=$(realpath "${BUILD:-$here/../../build}")
export BUILD
export LC_ALL=C.UTF-8 TERM=dumb
passed=0 failed=0 mpis=0

# compile COMPILER SOURCE PROGRAM [OPTION...]
compile() {
    local compiler=$1 source=$2 program=$3
    shift 3
    (cd "$work" && "$compiler" -g -O0 -w -o "$program" "$here/fixtures/$source" "$@") && return
    echo "FAIL: $mpi: $source does not compile"
    failed=$((failed + 1))
}

# suite LABEL [FILE.exp...] [NAME=VALUE...]
suite() {
    local label=$1 p
    shift
    (cd "$work" && runtest --tool mpipp --srcdir "$here" --status MPI="$mpi" "$@") 2>&1 |
        sed "s/^\(FAIL\|ERROR\|UNSUPPORTED\|UNRESOLVED\): /&$label: /"
    count() {
        awk -v label="# of $1" 'index($0, label) == 1 { n = $NF } END { print n + 0 }' "$work/mpipp.sum"
    }
    p=$(count "expected passes")
    passed=$((passed + p))
    failed=$((failed + $(count "unexpected failures") + $(count "unresolved testcases")))
    failed=$((failed + $(grep -c '^ERROR' "$work/mpipp.sum")))
    if [ "$p" = 0 ]; then
        echo "FAIL: $label: no check was run"
        failed=$((failed + 1))
    fi
}

for mpi in mpich openmpi; do
    command -v "mpicc.$mpi" >/dev/null || continue
    mpis=$((mpis + 1))
    work=$BUILD/check/gdb/$mpi
    rm -rf "$work"
    mkdir -p "$work"
    for source in "$here"/fixtures/[!c]*.c; do
        compile "mpicc.$mpi" "$(basename "$source")" "$(basename "$source" .c)"
    done
    # As --cflags and --libs of a user would be; here there need be no pkg-config.
    linked="-L$BUILD/lib -Wl,-rpath,$BUILD/lib -Wl,--no-as-needed -lshadowtype-$mpi"
    compile "mpicc.$mpi" callers_library.c libcallers.so -shared -fPIC
    compile "mpicc.$mpi" callers.c callers -L. -lcallers -Wl,-rpath,"$work"
    compile "mpicc.$mpi" callers.c callers_linked $linked -L. -lcallers -Wl,-rpath,"$work"
    if command -v "mpicxx.$mpi" >/dev/null; then
        compile "mpicxx.$mpi" cxx.cc cxx
        compile "mpicxx.$mpi" fields_cxx.cc fields_cxx
    fi
    if command -v "mpifort.$mpi" >/dev/null; then
        for name in fortran fortran_f08 fields_fortran; do
            compile "mpifort.$mpi" $name.f90 $name
        done
        for binding in mpif_h use_mpi use_f08; do
            compile "mpifort.$mpi" bindings.F90 $binding -D${binding^^}
            compile "mpifort.$mpi" bindings.F90 ${binding}_linked -D${binding^^} $linked
        done
    fi
    suite "$mpi" "$@"
    # The same as jobs of two ranks, looked at in rank 1.
    if [ $# = 0 ]; then
        OTHER_HANDLES=yes suite "$mpi, 2 ranks" kinds.exp places.exp buffers.exp element.exp RANKS=2
        suite "$mpi, 2 ranks" types.exp bad.exp core.exp fortran.exp f08.exp cxx.exp compare.exp RANKS=2
    fi
done

[ "$mpis" != 0 ] || failed=1
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
