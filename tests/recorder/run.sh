#!/bin/sh
# The recorder under real MPI libraries: builds the programs of this folder for each MPI that has a
# library in $BUILD/lib, and runs them with the library preloaded, one rank each. A program counts
# its own checks and says them last; all are added up.
cd "$(dirname "$0")/../.." || exit 2
BUILD=$(realpath "${BUILD:-build}")
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Open MPI 5's children use TCP, even if the loopback is the only network.
export OMPI_MCA_btl_tcp_if_include=lo

passed=0 failed=0 skipped=0 ran=0

fail() {
    failed=$((failed + 1))
    echo "FAIL: $1"
}

# add NAME OUTPUT-FILE STATUS: the counts of one program
add() {
    last=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$2" | tail -n 1)
    if [ -z "$last" ]; then
        tail -n 20 "$2"
        fail "$1: exit status $3, and no count"
        return
    fi
    set -- "$1" "$2" "$3" $last
    passed=$((passed + $4))
    failed=$((failed + $6))
    ran=$((ran + 1))
    echo "$1: $last"
    grep -E '^FAIL: ' "$2"
    if [ "$6" = 0 ] && [ "$3" != 0 ]; then
        tail -n 20 "$2"
        fail "$1: exit status $3 though nothing failed"
    fi
}

# run PRELOAD PROGRAM [ARGUMENT...]: one rank
run() {
    preload=$1 program=$2
    shift 2
    tests/patiently $launch env LD_PRELOAD="$preload" "$out/$program" "$@" \
        >"$out/$program.log" 2>&1
    add "$mpi $program" "$out/$program.log" $?
}

# The launcher of Open MPI 5.0.7 crashes where several programs are named, without mpipp too.
several_programs() {
    [ $mpi = openmpi ] || return 0
    tests/patiently mpirun.openmpi --oversubscribe -n 1 true : -n 1 true >"$out/several.log" 2>&1 && return
    skipped=$((skipped + 1))
    echo "SKIP: $mpi children multiple (the launcher crashes without mpipp)"
    return 1
}

build() {
    "$@" >"$out/build.log" 2>&1 && return
    cat "$out/build.log"
    fail "$mpi: cannot build: $*"
    return 1
}

for mpi in mpich openmpi; do
    library=$BUILD/lib/libshadowtype-$mpi.so
    [ -e "$library" ] || continue
    out=$BUILD/tests/recorder-$mpi
    case $mpi in
    mpich) launch="mpiexec.mpich -n 1" ;;
    openmpi) launch="mpirun.openmpi --oversubscribe -n 1" ;;
    esac
    mkdir -p "$out"
    options="-std=gnu11 -g -O1 -Wall -Wextra -Werror -Ilibshadowtype -Itests"
    cc="mpicc.$mpi $options"

    for test in constructors lifetimes internals threads mixed_threads sessions children beside_tool; do
        build $cc "tests/recorder/$test.c" -o "$out/$test" -ldl -lpthread || continue
        [ $test = beside_tool ] || run "$library" $test
        [ $test != children ] || several_programs || continue
        [ $test != children ] || run "$library" children multiple
    done

    case $mpi in
    mpich) launch="mpiexec.mpich -n 4" ;;
    openmpi) launch="mpirun.openmpi --oversubscribe -n 4" ;;
    esac
    if build $cc tests/recorder/comms.c -o "$out/comms" -ldl; then
        # Open MPI 4.1 alone never returns from MPI_Dist_graph_create in some runs (docs/mpi-libraries.md).
        for _ in 1 2 3; do
            tests/patiently -t 60 $launch env LD_PRELOAD="$library" "$out/comms" >"$out/comms.log" 2>&1
            status=$?
            [ "$mpi-$status" = openmpi-124 ] || break
        done
        add "$mpi comms" "$out/comms.log" $status
    fi

    build $cc -shared -fPIC tests/recorder/tool.c -o "$out/tool.so" &&
        run "$library $out/tool.so" beside_tool &&
        build $cc tests/recorder/spawn_words.c -o "$out/spawn_words" -ldl &&
        run "$library $out/tool.so" spawn_words

    # One heap for all threads, so that Open MPI's handles go from one to the other at once, too.
    export MALLOC_ARENA_MAX=1 GLIBC_TUNABLES=glibc.malloc.tcache_count=0
    build $cc -shared -fPIC tests/recorder/free_tool.c -o "$out/free_tool.so" -ldl &&
        build $cc tests/recorder/reuse.c -o "$out/reuse" -ldl -lpthread &&
        run "$library $out/free_tool.so" reuse
    unset MALLOC_ARENA_MAX GLIBC_TUNABLES

    # The tool in the program itself, with the recorder below it.
    build $cc -rdynamic tests/recorder/beside_tool.c tests/recorder/tool.c -o "$out/with_tool" -ldl &&
        run "$library" with_tool

    # Linked with the library, in place of a preload; in a tree that was moved, too.
    moved=$out/moved
    rm -rf "$moved"
    mkdir -p "$moved/lib"
    cp -r "$BUILD/lib/pkgconfig" "$BUILD/lib/cmake" "$library" "$library.0" "$moved/lib/"
    if command -v pkg-config >/dev/null; then
        for tree in "$BUILD" "$moved"; do
            libs=$(PKG_CONFIG_PATH=$tree/lib/pkgconfig pkg-config --libs "shadowtype-$mpi") || libs=-lmissing
            build $cc tests/recorder/constructors.c $libs -o "$out/linked" -ldl && run "" linked
        done
        if command -v mpifort.$mpi >/dev/null; then
            build mpifort.$mpi -g -rdynamic -J "$out" tests/recorder/from_fortran.f90 -x c \
                tests/recorder/check_fortran.c -x none -Ilibshadowtype -Itests $libs \
                -o "$out/linked_fortran" -ldl && run "" linked_fortran
        fi
        # Linked and preloaded, by either name: one registry.
        run "$moved/lib/libshadowtype-$mpi.so" linked
        run "$moved/lib/libshadowtype-$mpi.so.0" linked
    fi

    # By CMake, which finds the library in the moved tree.
    if command -v cmake >/dev/null; then
        rm -rf "$out/cmake"
        mkdir "$out/cmake"
        cat >"$out/cmake/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.13)
project(linked C)
find_package(shadowtype 0.1 REQUIRED)
add_executable(by_cmake $PWD/tests/recorder/constructors.c)
target_compile_options(by_cmake PRIVATE $options)
target_include_directories(by_cmake PRIVATE $PWD/tests $PWD/libshadowtype)
target_link_libraries(by_cmake PRIVATE shadowtype::$mpi dl)
END
        build env CC=mpicc.$mpi cmake -S "$out/cmake" -B "$out/cmake/build" -DCMAKE_PREFIX_PATH="$moved" &&
            build cmake --build "$out/cmake/build" &&
            cp "$out/cmake/build/by_cmake" "$out/" && run "" by_cmake
    else
        skipped=$((skipped + 1))
        echo "SKIP: $mpi linked by CMake (cmake is not installed)"
    fi

    # By hand: -lshadowtype is for the MPI that a bare mpicc is.
    if grep -qe "-lshadowtype-$mpi" "$BUILD/lib/libshadowtype.so"; then
        build $cc tests/recorder/constructors.c -L"$BUILD/lib" -Wl,-rpath,"$BUILD/lib" \
            -Wl,--no-as-needed -lshadowtype -o "$out/by_hand" -ldl && run "" by_hand
    fi

    # Not linked with MPI: only where mpi.h is comes from the wrapper.
    include=$(mpicc.$mpi -show | tr ' ' '\n' | grep '^-I')
    build $cc -shared -fPIC tests/recorder/late_job.c -o "$out/late_job.so" &&
        build ${CC:-cc} $options $include tests/recorder/opened_late.c -o "$out/opened_late" -ldl &&
        run "$library" opened_late "$out/late_job.so" && run "$library" opened_late "$out/late_job.so" global

    # Opened and closed ten thousand times, at addresses that differ. UCX, below MPICH, sees each library come and go, and takes
    # up to 2,700 pages for that: it does not look here.
    build $cc -shared -fPIC -DROOM=1 tests/recorder/reloaded.c -o "$out/reloaded.so" &&
        build $cc -shared -fPIC -DROOM=100000 tests/recorder/reloaded.c -o "$out/reloaded_large.so" &&
        build $cc tests/recorder/reloads.c -o "$out/reloads" -ldl &&
        bare=$(UCX_MEM_EVENTS=n tests/patiently $launch "$out/reloads" "$out/reloaded.so" "$out/reloaded_large.so" | tail -n 1) &&
        UCX_MEM_EVENTS=n run "$library" reloads "$out/reloaded.so" "$out/reloaded_large.so" "$bare"

    if command -v mpifort.$mpi >/dev/null; then
        build $cc -c tests/recorder/check_fortran.c -o "$out/check_fortran.o" &&
            build mpifort.$mpi -g -rdynamic -J "$out" tests/recorder/from_fortran.f90 \
                "$out/check_fortran.o" -o "$out/from_fortran" -ldl &&
            run "$library" from_fortran
    fi

    if python=$(tests/python.sh) && [ "${python#* }" = "$mpi" ]; then
        for callers in 1 16; do
            tests/patiently env LD_PRELOAD="$library" MPIPP_CALLERS=$callers "${python% *}" \
                tests/recorder/interpreter.py >"$out/interpreter.log" 2>&1
            add "$mpi interpreter.py, $callers callers" "$out/interpreter.log" $?
        done
    fi

    if tests/recorder/exports.sh "$library"; then
        passed=$((passed + 1))
    else
        fail "$mpi: exported names"
    fi

    # Programs without MPI are not affected.
    if [ "$(LD_PRELOAD=$library sh -c 'echo unharmed' 2>&1)" = unharmed ]; then
        passed=$((passed + 1))
    else
        fail "$mpi: preloaded into a shell"
    fi
done

if tests/recorder/generate.sh; then
    passed=$((passed + 1))
else
    fail "generate.py"
fi

[ "$ran" != 0 ] || fail "no library in $BUILD/lib"
if [ "$skipped" = 0 ]; then
    echo "$passed passed, $failed failed"
else
    echo "$passed passed, $failed failed, $skipped skipped"
fi
[ "$failed" = 0 ] && [ "$passed" != 0 ]
