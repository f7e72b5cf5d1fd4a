# shellcheck shell=bash
# Sourced by tests of jobs: a folder for each part of the tests, the processes that a test has started,
# and those that remain. Needs count.sh and says.sh.

top=$PWD
BUILD=$(realpath "${BUILD:-build}")
mpipp=$BUILD/bin/mpipp
folder=$(mktemp -d)
all=$folder
trap 'rm -rf "$all"' EXIT
unset MPIPP_MPI MPIPP_GDB MPIPP_SSH LD_PRELOAD

# in_folder NAME: a folder for one part of the tests. Processes that a test starts have the mark in
# their environment.
in_folder() {
    folder=$all/$1
    mkdir -p "$folder/tmp" && cd "$folder" || exit 2
    export HOME=$folder TMPDIR=$folder/tmp
    mark=MPIPP_TEST_$1_$$_$RANDOM
    marked=(env "MARK=$mark")
    gdb=("${marked[@]}" "$mpipp" gdb -nx -batch)
}

# ranks_yield MPI: after in_folder, for jobs that hang nowhere: a rank of MPICH that waits gives the processor to the others
ranks_yield() {
    [ "$1" = mpich ] || return 0
    load_into_ranks yield
}

# ranks_rest: after in_folder, for jobs that hang: a rank that waits mostly sleeps
ranks_rest() {
    load_into_ranks rest -DREST=1000 && marked+=(OMPI_MCA_mpi_yield_when_idle=1)
}

# load_into_ranks NAME OPTION...
load_into_ranks() {
    local library=$folder/$1.so
    shift
    gcc -O2 -w -shared -fPIC "$@" -o "$library" "$top/tests/ranks/waiting.c" -ldl && marked+=("LD_PRELOAD=$library")
}

# can_spawn MPI: without mpipp a parent and the child that it spawns reach each other here. Open MPI 5.0.7's do not where
# the loopback interface is the only one.
can_spawn() {
    "mpicc.$1" -w -o can_spawn "$top/tests/ranks/spawned.c" &&
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 patiently -t 20 "${marked[@]}" "mpirun.$1" --oversubscribe -n 1 \
            ./can_spawn >/dev/null 2>&1 </dev/null
}

# none_left: within a minute, no process with the mark and no folder of a job remains
none_left() {
    local i
    for ((i = 0; i < 600; i++)); do
        if ! grep -qsa "MARK=$mark" /proc/[0-9]*/environ && [ -z "$(ls -d tmp/mpipp-* tmp/*/mpipp-* 2>/dev/null)" ]; then
            return 0
        fi
        sleep 0.1
    done
    find tmp -path '*mpipp-*' -ls
    for i in $(grep -lsa "MARK=$mark" /proc/[0-9]*/environ); do
        tr '\0' ' ' <"${i%environ}cmdline"
        echo
    done
    return 1
}

# shows COUNT PATTERN COMMAND...: as 'times', over lines, and nothing is left
shows() {
    times "$@" && none_left
}

# until_there PATTERN FILE
until_there() {
    local i
    for ((i = 0; i < 3000; i++)); do
        grep -qsE -e "$1" "$2" && return
        sleep 0.1
    done
    echo "no '$1' in: $(cat "$2")"
    return 1
}

# pids NAME: of the processes with the mark whose name begins so
pids() {
    local file
    for file in $(grep -lsa "MARK=$mark" /proc/[0-9]*/environ); do
        case $(cat "${file%environ}comm" 2>/dev/null) in
        "$1"*) file=${file#/proc/} && echo "${file%/environ}" ;;
        esac
    done
}

# launcher_of MPI: the name of its launcher's process. Open MPI 5's mpirun becomes PRRTE's.
launcher_of() {
    if [ "$1" = mpich ]; then
        echo mpiexec
    elif mpirun.openmpi --version | grep -q OpenRTE; then
        echo mpirun
    else
        echo prterun
    fi
}

# in_both FUNCTION: calls it with the name of each MPI, the two in parallel, since they mostly wait
in_both() {
    local mpi before before_failed before_skipped halves=()
    for mpi in mpich openmpi; do
        (passed=0 failed=0 skipped=0 && "$1" $mpi && echo "passed=$passed failed=$failed skipped=$skipped" >"$all/$mpi.count") \
            >"$all/$mpi.log" 2>&1 &
        halves+=($!)
    done
    wait "${halves[@]}" # not for what the test has started before
    for mpi in mpich openmpi; do
        cat "$all/$mpi.log"
        ok "$mpi: all tests were run" [ -s "$all/$mpi.count" ]
        before=$((passed)) before_failed=$((failed)) before_skipped=$((skipped))
        # shellcheck source=/dev/null
        . "$all/$mpi.count"
        passed=$((passed + before)) failed=$((failed + before_failed)) skipped=$((skipped + before_skipped))
    done
}
