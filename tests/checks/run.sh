#!/bin/bash
# The checks in the rank: wrong calls are reported, each at its line; correct calls that look similar
# are not; and the program behaves in the same way with and without the library.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh

here=$PWD/tests/checks
BUILD=$(realpath "${BUILD:-build}")
out=$BUILD/tests/checks
rm -rf "$out"
mkdir -p "$out"
cd "$out" || exit 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export HWLOC_COMPONENTS=-gl # the MPI libraries search for graphics cards through X displays, and print warnings
unset DISPLAY
export OMPI_MCA_opal_signal= # Open MPI hangs where it prints the stack of a crash in malloc()
# A rank that starts without a launcher starts no server of Open MPI's, which only MPI_Comm_spawn and names need: two
# thirds of the time of a start.
export OMPI_MCA_ess_singleton_isolated=1
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS

# cases SOURCE: the cases that its main() knows
cases() {
    sed -n 's/.*strcmp(name, "\([a-z-]*\)").*/\1/p' "$here/$1"
}

# checked COMMAND...: runs it with the library; its records are in a new $reports
checked() {
    reports=$out/reports
    rm -rf "$reports"
    mkdir "$reports"
    MPIPP_REPORTS=$(uname -n):$reports patiently env LD_PRELOAD="$library" "$@" >"$out/said" 2>&1 </dev/null
}

# finds SOURCE PROGRAM [CASE]: exactly the reports that its marks name
finds() {
    checked "$out/$2" ${3+"$3"}
    "$here/expect.py" "$here/$1" "$out/$2" "$reports" "$mpi" ${3+"$3"}
}

# finds_in_one SOURCE PROGRAM [CASE]: the same for one rank that a launcher starts
finds_in_one() {
    checked "${one[@]}" "$out/$2" ${3+"$3"}
    "$here/expect.py" "$here/$1" "$out/$2" "$reports" "$mpi" ${3+"$3"}
}

# finds_in_two SOURCE PROGRAM [CASE]: the same for two ranks, one of which has the error
finds_in_two() {
    checked "${two[@]}" "$out/$2" ${3+"$3"}
    "$here/expect.py" "$here/$1" "$out/$2" "$reports" "$mpi" ${3+"$3"}
}

# finds_python SOURCE
finds_python() {
    checked "$python" "$here/$1"
    "$here/expect.py" "$here/$1" "$python" "$reports" "$mpi"
}

# with_server COMMAND...: a rank without a launcher has Open MPI's server nevertheless
with_server() {
    (unset OMPI_MCA_ess_singleton_isolated && "$@")
}

# is_silent COMMAND...: no finding, all ranks ended normally, and nothing was printed
is_silent() {
    for _ in 1 2 3; do # Open MPI's launcher, on a busy machine, says at times that a rank that it does not know ended badly
        checked "$@" && break
        grep -q 'process rank [0-9]* with PID 0 on' "$out/said" || { cat "$out/said"; return 1; }
    done
    cat "$out/said"
    grep -h '"record":"finding"' "$reports"/*.jsonl | grep -v '"severity":"note"'
    ! [ -s "$out/said" ] && ! grep -h '"record":"finding"' "$reports"/*.jsonl | grep -qv '"severity":"note"' &&
        ! grep -L '"record":"end"' "$reports"/*.jsonl | grep .
}

# describes: datatypes and communicators, as reports show them
describes() {
    checked "$out/described-$mpi"
    "$here/described.py" "$here/described.c" "$reports"
}

# finds_nulls: each null pointer of nulls.py's program
finds_nulls() {
    "$here/nulls.py" "$mpi" >"$out/nulls-$mpi.c" &&
        "mpicc.$mpi" -std=gnu11 -g -O0 -w -rdynamic "$out/nulls-$mpi.c" -o "$out/nulls-sweep-$mpi" || return 1
    checked "$out/nulls-sweep-$mpi"
    "$here/nulls.py" "$mpi" "$reports"
}

# quick PROGRAM SEED CHECK: in random calls the quick path finds what the full checks find
quick() {
    "$here/quick.sh" "$1" "$mpi" "$BUILD" "$out" "$2" "$3"
}

# counted: a group of checks that wants all functions sees all calls
counted() {
    "$here/counted.sh" "$mpi" "$BUILD" "$out"
}

# says ID COMMAND...: without 'mpipp run', a report as text on standard error, and an empty standard
# output
says() {
    local id=$1
    shift
    patiently env LD_PRELOAD="$library" "$@" 2>"$out/said" >"$out/output" </dev/null
    cat "$out/said" "$out/output"
    grep -q "^mpipp: [a-z]* $id: rank 0 " "$out/said" && ! [ -s "$out/output" ]
}

# with_sizes COMMAND...: runs it with --check=size, set as by 'mpipp run'
with_sizes() {
    local library=$library:$BUILD/lib/libshadowtype-heap.so MPIPP_CHECK=size
    export MPIPP_CHECK
    "$@"
}

# shows_number: a handle of Fortran that is no object, as the program has passed it
shows_number() {
    checked "$out/handles-fortran-$mpi"
    grep -q 'passes 77777, which is no communicator' "$reports"/*.jsonl
}

# ends_with STATUS COMMAND...: with findings, and with that exit status
ends_with() {
    local wanted=$1
    shift
    checked "$@"
    local status=$?
    cat "$out/said"
    [ $status = "$wanted" ] && grep -q '"record":"finding"' "$reports"/*.jsonl
}

# leaves_hold SIGNAL STATUS: a rank that --on-error holds is left by a signal handler
leaves_hold() {
    : >"$out/said" # an earlier rank's
    MPIPP_ON_ERROR=wait LD_PRELOAD=$library patiently "$out/leaves-$mpi" wait >"$out/said" 2>&1 </dev/null &
    local job=$! rank=
    for _ in $(seq 200); do
        rank=$(sed -n "s/.*'mpipp attach \([^:']*:\)*\([0-9]*\)'.*/\2/p" "$out/said")
        [ -n "$rank" ] && break
        sleep 0.1
    done
    kill -"$1" "$rank"
    wait $job
    local status=$?
    cat "$out/said"
    [ $status = "$2" ]
}

# The names by which ranks know who is held are another user's.
taken_names() {
    local MPIPP_REPORTS=elsewhere:$out
    export MPIPP_REPORTS
    coproc squatter { python3 "$here/squat.py" "$MPIPP_REPORTS"; }
    # shellcheck disable=SC2154 # coproc sets it
    local process=$squatter_PID
    read -r -u "${squatter[0]}" && leaves_hold USR1 3
    local status=$?
    kill "$process"
    wait "$process"
    return $status
}

# The program has its own malloc: one sentence, and nothing else.
own_malloc() {
    checked "$out/own_malloc-$mpi" &&
        [ "$(grep -hc '"record":"note".*--check=size does not know what the program allocates, because it has its own malloc:' "$reports"/*.jsonl)" = 1 ] &&
        ! grep '"record":"finding"' "$reports"/*.jsonl && grep -q '"record":"end"' "$reports"/*.jsonl
}

# A missing library of blocks is reported once; variables are still checked.
no_heap() {
    MPIPP_CHECK=size checked "$out/size-$mpi"
    [ "$(grep -hc '"record":"note".*--check=size does not know what the program allocates' "$reports"/*.jsonl)" = 1 ] &&
        grep -q '"message":"[^"]* of .table., which has 160 bytes"' "$reports"/*.jsonl &&
        ! grep '"message":"[^"]* from malloc"' "$reports"/*.jsonl
}

# refuses_as CASE SEVERITY: the severity of what MPI refuses
refuses_as() {
    checked "$out/refused-$mpi" "$1"
    grep -h '"id":"mpi-error"' "$reports"/*.jsonl | grep -q "\"severity\":\"$2\""
}

# same_status CASE [PROGRAM]: with and without the library the process ends in the same way
same_status() {
    local program=${2:-wrong}
    patiently "$out/$program-$mpi" "$1" >/dev/null 2>&1 </dev/null
    local bare=$?
    checked "$out/$program-$mpi" "$1"
    local with=$?
    [ $bare = $with ] || { echo "status $bare, with the library $with"; return 1; }
}

# MPI refuses calls of several threads at the same time: at least one is reported.
refuses_at_a_time() {
    checked "$out/refused-$mpi" at-a-time
    cat "$out/said"
    grep -hq '"id":"mpi-error"' "$reports"/*.jsonl && ! grep -h '"record":"finding"' "$reports"/*.jsonl | grep -v '"id":"mpi-error"'
}

# ends WAY ID...: the reports on a process that ends in this way
ends() {
    local way=$1
    shift
    ENDS=$way checked "$out/ends-$mpi"
    cat "$out/said"
    [ "$(grep -ho '"id":"[a-z-]*"' "$reports"/*.jsonl | cut -d'"' -f4 | tr '\n' ' ')" = "${*:+$* }" ] &&
        [ "$(grep -c '"record":"end"' "$reports"/*.jsonl)" = 1 ]
}

# With --check=modified.
finds_modified() {
    MPIPP_CHECK=modified finds "$@"
}

silent_modified() {
    MPIPP_CHECK=modified is_silent "$@"
}

# If memory cannot be read safely, this is printed once, and nothing is compared.
forbidden() {
    MPIPP_CHECK=modified checked "$out/sandbox" "$out/modified-$mpi"
    cat "$out/said"
    [ "$(grep -hc '"record":"note".*process_vm_readv' "$reports"/*.jsonl)" = 1 ] &&
        grep -q '"id":"buffer-overlap"' "$reports"/*.jsonl && ! grep '"id":"buffer-modified"' "$reports"/*.jsonl
}

exchanges_modified() {
    MPIPP_CHECK=modified exchanges "$@" modified
}

# exchanges PROGRAM [threads] [modified]: random ones, of which it knows what is to be found
exchanges() {
    reports=$out/reports
    rm -rf "$reports"
    mkdir "$reports"
    MPIPP_REPORTS=$(uname -n):$reports patiently "${two[@]}" env LD_PRELOAD="$library" "$@" >"$out/said" 2>&1 </dev/null
    local status=$?
    cat "$out/said"
    return $status
}

none() {
    MPIPP_CHECK=none checked "$out/wrong-$mpi"
    ! ls "$reports"/* 2>/dev/null
}

# A wrong list of checks is reported once, by its name; the calls are still checked.
wrong_list() {
    local words
    words=$("$BUILD/bin/mpipp" help gdb | sed -n 's/^  --check=WHAT *what the ranks check: //p')
    rm -f "$out"/said.*
    # A file for each rank: Open MPI's launcher breaks lines.
    MPIPP_CHECK=frob patiently env LD_PRELOAD="$library" "${two[@]}" sh -c 'exec "$0" 2>"$1.$$"' "$out/wrong-$mpi" "$out/said" \
        >/dev/null 2>&1 </dev/null
    cat "$out"/said.* >"$out/said"
    [ "$(grep -c "^mpipp: 'MPIPP_CHECK=frob': it is ${words:?}; the calls are checked$" "$out/said")" = 1 ] &&
        grep -q '^mpipp: error datatype-null: rank [01] ' "$out/said" && return
    cat "$out/said"
    return 1
}

# many OPTION... -- ARGUMENT...: the output of 'mpipp run' for many.c
many() {
    local options=()
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    patiently "$BUILD/bin/mpipp" run "${options[@]}" "$out/many-$mpi" "$@" >/dev/null 2>"$out/said" </dev/null
}

in_a_loop() {
    many -n 1 -- loop 10000000
    [ "$(grep -c '^mpipp: warning datatype-recommitted: rank 0 commits' "$out/said")" = 1 ] &&
        grep -q '^mpipp: warning datatype-recommitted .*: rank 0; 10000000 times in all$' "$out/said"
}

different_ones() {
    many --max-reports=1000 "--report=$out/many.jsonl" -n 2 -- sites
    grep -q '^mpipp: 1000 errors; 2004 calls checked on 2 ranks$' "$out/said" &&
        [ "$(python3 -c 'import json, sys
print(sum(json.loads(line)["ranks"] == [0, 1] for line in sys.stdin))' <"$out/many.jsonl")" = 1000 ]
}

# As in a macro, or in a helper of the program's, or Python's, that is given the function.
at_one_place() {
    many -n 1 -- functions
    grep -q '^mpipp: 2 errors; ' "$out/said" && grep -q '^  send      MPI_Send(' "$out/said" &&
        grep -q '^  send      MPI_Ssend(' "$out/said"
}

# ends_while_another_reports WAY: what was found until then is there, whole, and that the ranks ended
ends_while_another_reports() {
    many --max-reports=1 -n 2 -- "$1" && echo "exit status 0" && return 1
    # Open MPI 5 writes null bytes.
    [ "$(grep -ac '^mpipp: error argument-count: rank 0 passes a negative count$' "$out/said")" = 1 ] &&
        grep -a -A 3 '^mpipp: error' "$out/said" | grep -q '^  advice    is the number computed' &&
        grep -aq '^mpipp: ranks 0-1 did not come to their end: ' "$out/said" &&
        tail -n 1 "$out/said" | grep -aq '^mpipp: 1 error; nothing more is known: all ranks ended early$'
}

no_end() {
    checked "$out/wrong-$mpi" "$1"
    grep -q '"record":"begin"' "$reports"/*.jsonl && ! grep '"record":"end"' "$reports"/*.jsonl
}

at_exit() {
    checked "$out/wrong-$mpi" no-finalize
    grep -q '"id":"finalize-missing"' "$reports"/*.jsonl && grep -q '"record":"end"' "$reports"/*.jsonl &&
        [ "$(grep -c '"record":"finding"' "$reports"/*.jsonl)" = 1 ]
}

# A rank of MPICH that waits gives its processor to the other tests.
gcc -O2 -w -shared -fPIC "$here/../ranks/waiting.c" -o "$out/yield.so" -ldl || exit 2
cc -std=gnu11 -Wall -Wextra "$here/sandbox.c" -o "$out/sandbox" || exit 2
read -r python python_mpi < <(sh "$here/../python.sh")

for mpi in mpich openmpi; do
    library=$BUILD/lib/libshadowtype-$mpi.so
    [ -e "$library" ] || continue
    [ $mpi = openmpi ] || library=$library:$out/yield.so
    case $mpi in
    mpich) one=(mpiexec.mpich -n 1) two=(mpiexec.mpich -n 2) soname=libmpich.so.12 ;;
    openmpi) one=(mpirun.openmpi -n 1) two=(mpirun.openmpi --oversubscribe -n 2) soname=libmpi.so.40 ;;
    esac
    for program in wrong elements many silent codes seldom threads buffers pending callbacks called_back handlers refused refused_ranks returned exchange modified \
        size size_ranks size_stress size_random own_malloc constants nulls ranges stacks leaves reduced gone gone_silent \
        gone_freed epochs epochs_silent targets described own_block blocks file_modes; do
        "mpicc.$mpi" -std=gnu11 -g -O0 -Wall -Wextra -w -I"$here/../../libshadowtype" "$here/$program.c" \
            -rdynamic -o "$out/$program-$mpi" -lpthread -ldl || exit 2
    done
    for program in unknown handles attached; do
        "mpicc.$mpi" -std=gnu11 -g -O0 -Wall -Wextra -w -DMPI_LIBRARY="\"$soname\"" "$here/$program.c" \
            -o "$out/$program-$mpi" -ldl || exit 2
    done
    "mpicc.$mpi" -g -w -shared -fPIC "$here/ends_library.c" -o "$out/libends-$mpi.so" &&
        "mpicc.$mpi" -g -w "$here/ends.c" -o "$out/ends-$mpi" -L"$out" -Wl,-rpath,"$out" "-lends-$mpi" || exit 2
    "mpicxx.$mpi" -g -O0 -Wall -Wextra -w "$here/size.cpp" -o "$out/size-cxx-$mpi" || exit 2
    for program in level level_silent outside outside_silent twice inactive storm generalized; do
        "mpicc.$mpi" -std=gnu11 -g -O0 -Wall -Wextra -w "$here/$program.c" -o "$out/$program-$mpi" -lpthread -ldl || exit 2
    done
    for program in wrong silent modified size constants handles ranges ranges_f08 level outside refused gone epochs \
        generalized keyvals errhandlers; do
        "mpif90.$mpi" -g -O0 -w -fopenmp -fallow-argument-mismatch "$here/$program.f90" -o "$out/$program-fortran-$mpi" || exit 2
    done

    if echo '#include <mpi.h>' | "mpicc.$mpi" -E - | grep -q MPI_Psend_init; then
        "mpicc.$mpi" -std=gnu11 -g -O0 -Wall -Wextra -w "$here/partitions.c" -o "$out/partitions-$mpi" -lpthread || exit 2
        "mpif90.$mpi" -g -O0 -w "$here/partitions.f90" -o "$out/partitions-fortran-$mpi" || exit 2
        ok "$mpi: partitions, correct calls" is_silent "$out/partitions-$mpi"
        for case in $(sed -n 's/.*strcmp(name, "\([a-z-]*\)").*/\1/p' "$here/partitions.c"); do
            ok "$mpi: partitions, $case" finds partitions.c "partitions-$mpi" "$case"
        done
        ok "$mpi: partitions, Fortran" finds partitions.f90 "partitions-fortran-$mpi"
    fi
    ok "$mpi: handles that live" is_silent "$out/handles-$mpi"
    for case in $(sed -n 's/.*strcmp(name, "\([a-z0-9-]*\)").*/\1/p' "$here/handles.c"); do
        ok "$mpi: handles, $case" finds handles.c "handles-$mpi" "$case"
    done
    ok "$mpi: correct calls, generalized requests" is_silent "$out/generalized-$mpi"
    for case in $(cases generalized.c); do
        ok "$mpi: generalized requests, $case" finds generalized.c "generalized-$mpi" "$case"
    done
    ok "$mpi: generalized requests, Fortran" finds generalized.f90 "generalized-fortran-$mpi"
    ok "$mpi: a message that is never received" finds_in_two handles.c "handles-$mpi" left
    for case in $(sed -n 's/.*strcmp(name, "\([a-z-]*\)").*/\1/p' "$here/refused.c"); do
        [ "$case" = at-a-time ] && continue # Open MPI may crash when several threads end the job
        ok "$mpi: MPI refuses, $case" finds refused.c "refused-$mpi" "$case"
        [ "$case-$mpi" = translated-openmpi ] && continue # Open MPI 4.1 reads before an array, and may crash
        ok "$mpi: MPI refuses, $case, the status" same_status "$case" refused
    done
    ok "$mpi: MPI refuses calls of several threads" refuses_at_a_time
    # Wrong arguments are an error. That a name is not found, or memory cannot be attached, is a
    # warning: Open MPI says the latter.
    severity=error
    [ "$mpi" = openmpi ] && severity=warning
    for case in flavor:$severity lookup:warning; do
        ok "$mpi: MPI refuses, ${case%:*}: ${case#*:}" refuses_as "${case%:*}" "${case#*:}"
    done
    for case in $(sed -n 's/.*case ("\([a-z0-9-]*\)").*/\1/p' "$here/refused.f90"); do
        ok "$mpi: MPI refuses, Fortran, $case" finds refused.f90 "refused-fortran-$mpi" "$case"
        ok "$mpi: MPI refuses, Fortran, $case, the status" same_status "$case" refused-fortran
    done
    ok "$mpi: MPI refuses, on an intercommunicator" finds_in_two refused_ranks.c "refused_ranks-$mpi" between
    for case in spawned parent; do
        if patiently "${one[@]}" "$out/refused_ranks-$mpi" alive >/dev/null 2>&1; then
            ok "$mpi: MPI refuses, in a child, $case" finds_in_one refused_ranks.c "refused_ranks-$mpi" "$case"
        else
            skip "$mpi: MPI refuses, in a child, $case" "this MPI cannot spawn here"
        fi
    done
    ok "$mpi: MPI refuses, and the code returns" with_server finds returned.c "returned-$mpi"
    ok "$mpi: 110 callbacks in 16 threads" is_silent "$out/called_back-$mpi"
    for program in wrong elements; do
        ok "$mpi: wrong calls, $program" finds $program.c "$program-$mpi"
        for case in $(sed -n 's/.*strcmp(name, "\([a-z-]*\)").*/\1/p' "$here/$program.c"); do
            case $case in no-finalize | abort) continue ;; esac
            ok "$mpi: $case" finds $program.c "$program-$mpi" "$case"
        done
    done
    ok "$mpi: wrong calls, Fortran" finds wrong.f90 "wrong-fortran-$mpi"
    for program in silent codes seldom callbacks handlers threads silent-fortran pending; do
        ok "$mpi: correct calls, $program" is_silent "${two[@]}" "$out/$program-$mpi"
    done
    ok "$mpi: handles of functions that nobody knows" is_silent "${two[@]}" "$out/unknown-$mpi"
    ok "$mpi: correct calls, pending, with threads" is_silent "${two[@]}" "$out/pending-$mpi" threads
    if "mpicc.$mpi" -std=gnu11 -g -O0 -Wall -Wextra -w "$here/sessions.c" -o "$out/sessions-$mpi" -lpthread 2>/dev/null; then
        ok "$mpi: sessions" finds_in_one sessions.c "sessions-$mpi"
        ok "$mpi: a world after a session" finds sessions.c "sessions-$mpi" world
        ok "$mpi: threads of a session" is_silent "${one[@]}" "$out/sessions-$mpi" threads
        ok "$mpi: a world's level, and a session's threads" is_silent "${one[@]}" "$out/sessions-$mpi" beside-world
        if patiently "${one[@]}" "$out/sessions-$mpi" groups >"$out/said" 2>&1 </dev/null; then
            ok "$mpi: wrong groups are one error each" checked "${one[@]}" "$out/sessions-$mpi" groups
        else
            skip "$mpi: wrong groups are one error each" "without mpipp this MPI crashes"
        fi
        ok "$mpi: a session's error handlers" is_silent "${one[@]}" "$out/sessions-$mpi" handlers
    fi
    ok "$mpi: null pointers, each in each function" finds_nulls
    ok "$mpi: a group of checks sees each call of each function" counted
    for seed in 1 2; do
        ok "$mpi: random one-sided calls on the quick path, seed $seed" quick accesses "$seed" local
        ok "$mpi: random collective calls with counts on the quick path, seed $seed" quick arrays "$seed" local
        ok "$mpi: random completions of requests on the quick path, seed $seed" quick completions "$seed" local
        # One rank alone: nothing is known of others, and the quick path has to leave the windows' sizes to the checks.
        ok "$mpi: random one-sided calls with --check=rma, seed $seed" quick accesses "$seed" rma
    done
    ok "$mpi: null pointers" finds nulls.c "nulls-$mpi"
    ok "$mpi: arguments out of their range" finds_in_two ranges.c "ranges-$mpi"
    for case in $(sed -n 's/.*strcmp(name, "\([a-z-]*\)").*/\1/p' "$here/ranges.c"); do
        ok "$mpi: arguments out of their range, $case" finds_in_two ranges.c "ranges-$mpi" "$case"
    done
    ok "$mpi: arguments out of their range, mpif.h" finds ranges.f90 "ranges-fortran-$mpi"
    ok "$mpi: arguments out of their range, mpi_f08" finds ranges_f08.f90 "ranges_f08-fortran-$mpi"
    for program in level outside; do
        for case in $(cases "$program.c"); do
            ok "$mpi: $program, $case" finds "$program.c" "$program-$mpi" "$case"
        done
        for case in $(cases "${program}_silent.c"); do
            ok "$mpi: correct calls, $program, $case" is_silent "$out/${program}_silent-$mpi" "$case"
        done
        ok "$mpi: $program, Fortran" finds "$program.f90" "$program-fortran-$mpi"
    done
    ok "$mpi: MPI's constants in reports" finds constants.c "constants-$mpi"
    ok "$mpi: the same, Fortran" finds constants.f90 "constants-fortran-$mpi"
    ok "$mpi: datatypes and communicators in reports" describes
    ok "$mpi: handles, Fortran" finds handles.f90 "handles-fortran-$mpi"
    [ "$mpi" = mpich ] || ok "$mpi: the number of a handle, Fortran" shows_number
    for case in before after; do
        ok "$mpi: a communicator outside of MPI, Fortran, $case" finds outside.f90 "outside-fortran-$mpi" "$case"
    done
    ok "$mpi: keyvals, Fortran" finds keyvals.f90 "keyvals-fortran-$mpi"
    ok "$mpi: error handlers, Fortran" finds errhandlers.f90 "errhandlers-fortran-$mpi"
    ok "$mpi: the buffer of buffered sends" finds attached.c "attached-$mpi"
    for case in $(cases gone.c); do
        case $case in
        put | window | attached) ok "$mpi: memory that is gone, $case" finds_in_two gone.c "gone-$mpi" "$case" ;;
        *) ok "$mpi: memory that is gone, $case" finds gone.c "gone-$mpi" "$case" ;;
        esac
    done
    ok "$mpi: memory that is gone, Fortran" finds_in_two gone.f90 "gone-fortran-$mpi"
    ok "$mpi: memory that was freed" with_sizes finds_in_two gone_freed.c "gone_freed-$mpi"
    ok "$mpi: correct calls, memory that is there" is_silent "${two[@]}" "$out/gone_silent-$mpi"
    ok "$mpi: the same, with sizes" with_sizes is_silent "${two[@]}" "$out/gone_silent-$mpi"
    ok "$mpi: memory of main(), which has returned" is_silent "${two[@]}" "$out/gone_silent-$mpi" after-main
    for case in $(cases epochs.c); do
        ok "$mpi: epochs, $case" finds_in_two epochs.c "epochs-$mpi" "$case"
    done
    ok "$mpi: epochs, Fortran" finds_in_one epochs.f90 "epochs-fortran-$mpi"
    ok "$mpi: correct calls, epochs" is_silent "${two[@]}" "$out/epochs_silent-$mpi"
    ok "$mpi: correct calls, epochs of threads" is_silent "${two[@]}" "$out/epochs_silent-$mpi" threads
    for case in $(cases twice.c); do
        case $case in
        correct-threads) ok "$mpi: correct calls, completed once by threads" is_silent "$out/twice-$mpi" "$case" ;;
        *) ok "$mpi: completed twice, $case" finds twice.c "twice-$mpi" "$case" ;;
        esac
    done
    ok "$mpi: waits for what is inactive" finds inactive.c "inactive-$mpi"
    if echo '#include <mpi.h>' | "mpicc.$mpi" -E - | grep -q MPI_Allreduce_init; then
        ok "$mpi: the same, a collective call" finds inactive.c "inactive-$mpi" collective
    fi
    ok "$mpi: correct calls of 16 threads, with cancellation, signals and callbacks" is_silent "${one[@]}" "$out/storm-$mpi" 1000000
    ok "$mpi: correct calls, completed once" is_silent "${one[@]}" "$out/twice-$mpi"
    ok "$mpi: the same, two ranks" is_silent "${two[@]}" "$out/twice-$mpi"
    ok "$mpi: blocks that a rank sends to itself" finds own_block.c "own_block-$mpi"
    ok "$mpi: correct calls, blocks of two ranks" is_silent "${two[@]}" "$out/own_block-$mpi" correct
    ok "$mpi: datatypes of one-sided calls" finds_in_one targets.c "targets-$mpi"
    ok "$mpi: files used against their access mode" finds_in_one file_modes.c "file_modes-$mpi"
    ok "$mpi: buffers used twice" finds buffers.c "buffers-$mpi"
    for case in alone $(cases blocks.c); do
        ok "$mpi: calls with blocks, $case" finds blocks.c "blocks-$mpi" "$case"
    done
    ok "$mpi: calls with blocks, by another rank than the root" finds_in_two blocks.c "blocks-$mpi" other
    for case in '' $(cases reduced.c); do
        ok "$mpi: reductions${case:+, $case}" finds reduced.c "reduced-$mpi" ${case:+"$case"}
    done
    ok "$mpi: stacks of 16 KiB" finds stacks.c "stacks-$mpi"
    ok "$mpi: threads that are cancelled while they report, and signals" ends_with 0 "$out/leaves-$mpi" storm
    ok "$mpi: the same, correct calls" is_silent "$out/leaves-$mpi" silent
    ok "$mpi: exit() in a signal handler" ends_with 3 "$out/leaves-$mpi" exit
    ok "$mpi: MPI_Abort() in a signal handler" ends_with 3 "$out/leaves-$mpi" abort
    ok "$mpi: exit() in a signal handler of a held rank" leaves_hold USR1 3
    [ "$(id -u)" = 0 ] && ok "$mpi: a rank is held though another user has taken its names" taken_names
    ok "$mpi: longjmp() in a signal handler of a held rank" leaves_hold USR2 0
    ok "$mpi: buffers outside their memory" with_sizes finds size.c "size-$mpi"
    ok "$mpi: the same, in windows of two ranks" with_sizes finds_in_two size_ranks.c "size_ranks-$mpi"
    ok "$mpi: the same, C++" with_sizes finds size.cpp "size-cxx-$mpi"
    ok "$mpi: the same, Fortran" with_sizes finds size.f90 "size-fortran-$mpi"
    ok "$mpi: the same, without the library of blocks" no_heap
    ok "$mpi: a malloc of the program's own" with_sizes own_malloc
    ok "$mpi: random datatypes in blocks that fit, and do not" with_sizes checked "$out/size_random-$mpi"
    ok "$mpi: blocks that come and go" with_sizes is_silent "${two[@]}" "$out/size_stress-$mpi"
    for program in silent codes seldom callbacks handlers threads silent-fortran pending; do
        ok "$mpi: correct calls, $program, with sizes" with_sizes is_silent "${two[@]}" "$out/$program-$mpi"
    done
    ok "$mpi: random exchanges" exchanges "$out/exchange-$mpi"
    ok "$mpi: random exchanges, with threads" exchanges "$out/exchange-$mpi" threads
    ok "$mpi: buffers changed while they are sent" finds_modified modified.c "modified-$mpi"
    ok "$mpi: the same, Fortran" finds_modified modified.f90 "modified-fortran-$mpi"
    ok "$mpi: the same, where process_vm_readv is forbidden" forbidden
    for program in silent codes seldom callbacks handlers threads silent-fortran pending; do
        ok "$mpi: correct calls, $program, --check=modified" silent_modified "${two[@]}" "$out/$program-$mpi"
    done
    ok "$mpi: correct calls, pending, with threads, --check=modified" silent_modified "${two[@]}" \
        "$out/pending-$mpi" threads
    ok "$mpi: buffers used twice, --check=modified" finds_modified buffers.c "buffers-$mpi"
    ok "$mpi: random exchanges, changed meanwhile" exchanges_modified "$out/exchange-$mpi"
    ok "$mpi: random exchanges, changed meanwhile, with threads" exchanges_modified "$out/exchange-$mpi" threads
    if [ "$python_mpi" = $mpi ]; then
        ok "$mpi: wrong calls, mpi4py" finds_python wrong.py
        ok "$mpi: threads, mpi4py" finds_python level.py
        ok "$mpi: MPI refuses, and the code returns, mpi4py" finds_python returned.py
        ok "$mpi: arrays outside their memory, mpi4py" with_sizes finds_python size.py
        ok "$mpi: correct calls, mpi4py, with sizes" with_sizes is_silent "${two[@]}" "$python" "$here/silent.py"
        ok "$mpi: correct calls, mpi4py" is_silent "${two[@]}" "$python" "$here/silent.py"
    fi
    ok "$mpi: as text" says datatype-null "$out/wrong-$mpi"
    ok "$mpi: MPIPP_CHECK=none" none
    ok "$mpi: MPIPP_CHECK=frob" wrong_list
    ok "$mpi: exit without MPI_Finalize" at_exit
    ok "$mpi: a finding in a loop of 10^7" in_a_loop
    ok "$mpi: 1000 different findings" different_ones
    ok "$mpi: functions called at one place" at_one_place
    ok "$mpi: a rank that aborts while another reports" ends_while_another_reports abort
    ok "$mpi: a rank that is killed while another reports" ends_while_another_reports killed
    ok "$mpi: no end of a rank that MPI gives up" no_end fatal
    ok "$mpi: no end of a rank that aborts" no_end abort
    for way in destructor handler children; do
        ok "$mpi: a right end, $way" ends $way
    done
    if [ $mpi = mpich ]; then # has MPI-4.0's calls after MPI_Finalize
        for way in freed freed-late freed-handler; do
            ok "$mpi: a right end, $way" ends $way
        done
    fi
    ok "$mpi: leaks at the end" ends leaked handle-leak handle-leak
    ok "$mpi: nobody calls MPI_Finalize" ends nobody finalize-missing
    for case in fatal abort no-finalize; do
        ok "$mpi: status, $case" same_status $case
    done
done
finish
