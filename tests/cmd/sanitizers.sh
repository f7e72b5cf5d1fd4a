#!/bin/bash
# Programs of the compilers' sanitizers, and valgrind, under mpipp: a correct one runs, the checker
# finds what is its to find, and the sanitizer what is its own. What MPI itself leaks is left out.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh

in_folder sanitizers
unset ASAN_OPTIONS
export LSAN_OPTIONS=exitcode=0 TSAN_OPTIONS=exitcode=0
cp "$top/tests/cmd/sanitized.c" "$top/tests/cmd/sanitized.f90" . && cp sanitized.c sanitized.cpp

# runs MPI PROGRAM...: it computes what is right, and is checked
runs() {
    local mpi=$1
    shift
    patiently "$mpipp" run --mpi="$mpi" -n 2 "$@" fine >out 2>err </dev/null
    [ "$(grep -c 'sum 2$' out)" = 2 ] &&
        grep -qE '^mpipp: no errors; [1-9][0-9]* calls checked on 2 ranks$' err && return
    cat out err
    return 1
}

# is_checked MPI PROGRAM...: the checker finds its error
is_checked() {
    local mpi=$1
    shift
    patiently "$mpipp" run --mpi="$mpi" -n 2 "$@" count >out 2>err </dev/null
    grep -qE '^mpipp: error argument-count: .* passes a negative count' err && return
    cat out err
    return 1
}

# finds MPI PATTERN PROGRAM...: the sanitizer finds its own
finds() {
    local mpi=$1 pattern=$2
    shift 2
    patiently "$mpipp" run --mpi="$mpi" -n 2 "$@" memory >out 2>err </dev/null
    grep -qa "$pattern" out err && return
    cat out err
    return 1
}

# all_of MPI NAME PATTERN PROGRAM
all_of() {
    local program=$4
    ok "$1: $2: a correct program" runs "$1" "./$program"
    ok "$1: $2: an error of the checker's" is_checked "$1" "./$program"
    [ -z "$3" ] || ok "$1: $2: an error of its own" finds "$1" "$3" "./$program"
}

flags() {
    "mpi$1.$2" -show | sed 's/^[^ ]*//'
}

asan='AddressSanitizer: heap-buffer-overflow'
clang_runtime=$(dirname "$(clang -print-file-name=libclang_rt.asan-x86_64.so 2>/dev/null)")
for mpi in mpich openmpi; do
    # shellcheck disable=SC2046 # words
    build() {
        "$1" -g -O0 "${@:2}" $(flags "$language" $mpi)
    }
    language=cc
    for kind in address undefined leak; do
        build gcc -fsanitize=$kind -o gcc-$mpi-$kind sanitized.c || exit 2
    done
    build g++ -DMPICH_SKIP_MPICXX -DOMPI_SKIP_MPICXX -fsanitize=address -o g++-$mpi-address sanitized.cpp || exit 2
    all_of $mpi "gcc's address" "$asan" gcc-$mpi-address
    all_of $mpi "g++'s address" "$asan" g++-$mpi-address
    all_of $mpi "gcc's undefined" 'runtime error: signed integer overflow' gcc-$mpi-undefined
    all_of $mpi "gcc's leak" '' gcc-$mpi-leak
    ok "$mpi: gcc's address, the user's options" env ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=1 \
        bash -c "$(declare -f runs patiently); mpipp=$mpipp; PATH=$PATH; runs $mpi ./gcc-$mpi-address && ! grep -q Leak err"
    ok "$mpi: gcc's address, --check=size" runs $mpi --check=size ./gcc-$mpi-address
    ok "$mpi: gcc's address, in a script" runs $mpi /bin/sh -c "exec ./gcc-$mpi-address fine" sh
    ok "$mpi: gcc's address, in gdb" gives 0 'sum 1$' env ASAN_OPTIONS=detect_leaks=0 "$mpipp" gdb -nx -batch -ex run --args ./gcc-$mpi-address fine
    # PMIx, of Open MPI 5, wants memory at addresses that are the thread sanitizer's.
    export PMIX_MCA_gds=hash
    # gcc's thread sanitizer with MPICH crashes in MPI_Finalize without mpipp, too.
    if [ $mpi = openmpi ]; then
        build gcc -fsanitize=thread -o gcc-$mpi-thread sanitized.c || exit 2
        all_of $mpi "gcc's thread" '' gcc-$mpi-thread
    fi
    if command -v clang >/dev/null; then
        for kind in address undefined thread; do
            build clang -fsanitize=$kind -o clang-$mpi-$kind sanitized.c || exit 2
        done
        build clang -fsanitize=address -shared-libasan -Wl,-rpath,"$clang_runtime" -o clang-$mpi-shared sanitized.c || exit 2
        all_of $mpi "clang's address" "$asan" clang-$mpi-address
        all_of $mpi "clang's address, shared" "$asan" clang-$mpi-shared
        all_of $mpi "clang's undefined" 'runtime error: signed integer overflow' clang-$mpi-undefined
        all_of $mpi "clang's thread" '' clang-$mpi-thread
    else
        skip "$mpi: clang's sanitizers" "clang is not installed"
    fi
    language=f90
    [ $mpi = openmpi ] && language=fort
    build gfortran -fsanitize=address -o gfortran-$mpi-address sanitized.f90 || exit 2
    all_of $mpi "gfortran's address" "$asan" gfortran-$mpi-address
    if command -v valgrind >/dev/null; then
        "mpicc.$mpi" -g -o bare-$mpi sanitized.c || exit 2
        ok "$mpi: valgrind: a correct program" runs $mpi valgrind ./bare-$mpi
        ok "$mpi: valgrind: an error of the checker's" is_checked $mpi valgrind ./bare-$mpi
        ok "$mpi: valgrind: an error of its own" finds $mpi 'Invalid read of size 4' valgrind ./bare-$mpi
    else
        skip "$mpi: valgrind" "valgrind is not installed"
    fi
done
finish
