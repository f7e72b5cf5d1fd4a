#!/bin/bash
# Tests the plugin in gdb, through CLI and MI, under every installed MPI: a DejaGnu test suite.
#
#   run.sh [FILE.exp...]      the last line is "N passed, M failed"; without any check it fails
#
# Each FILE.exp for each MPI is a job, which runs in a separate folder with a copy of the programs. Twice as
# many jobs run at a time as there are processors, since a job waits for its ranks and debuggers for almost half of its time.
set -u
here=$(cd "$(dirname "$0")" && pwd)
BUILD=$(realpath "${BUILD:-$here/../../build}")
export BUILD
export LC_ALL=C.UTF-8 TERM=dumb

# These also run in rank 1 of 2, since they differ if a rank is one of several. Those of the first
# line do not count the existing types: rank 1 first makes an additional one, so that its types have
# other handles than those of rank 0.
other_handles="kinds.exp places.exp buffers.exp element.exp mi.exp"
on_two_ranks="$other_handles types.exp bad.exp core.exp fortran.exp f08.exp cxx.exp compare.exp
    bindings.exp forms.exp callers.exp python.exp call.exp groups.exp handles.exp windows.exp"

# --- one job: run.sh --job MPI RANKS FILE.exp

# count LABEL: the counts of DejaGnu's summary
count() {
    awk -v label="# of $1" 'index($0, label) == 1 { n = $NF } END { print n + 0 }' mpipp.sum
}

run_job() {
    local mpi=$1 ranks=$2 file=$3 label=$1 passed failed skipped start=$SECONDS
    local work=$BUILD/check/gdb/$mpi/$ranks-${file%.exp} options=(MPI="$mpi")
    if [ "$ranks" != 1 ]; then
        label="$mpi, $ranks ranks"
        options+=(RANKS="$ranks")
        [[ " $other_handles " != *" $file "* ]] || export OTHER_HANDLES=yes
    fi
    cp -r "$BUILD/check/gdb/$mpi/programs" "$work"
    cd "$work" || exit 1
    TMPDIR=$(mktemp -d) && export TMPDIR || exit 1 # what killed ranks leave in it, later ones need not look at
    local TIMEFORMAT='%0U %0S' used user system
    used=$({ time runtest --tool mpipp --srcdir "$here" --status "$file" "${options[@]}" >said 2>&1; } 2>&1)
    read -r user system <<<"$used"

    passed=$(count "expected passes")
    failed=$(($(count "unexpected failures") + $(count "unresolved testcases")))
    failed=$((failed + $(grep -c '^ERROR' mpipp.sum)))
    skipped=$(count "unsupported tests")
    {
        grep -vE '^(PASS|Running|Schedule|Using|Test run by|Native configuration)' said |
            sed -n "s/^\(FAIL\|ERROR\|UNSUPPORTED\|UNRESOLVED\): /&$label: /; /^\(FAIL\|ERROR\|UNS\|UNR\)/,\$p" |
            sed '/=== mpipp Summary/,$d'
        if [ "$passed$skipped" = 00 ]; then
            failed=$((failed + 1))
            echo "FAIL: $label: $file: no check was run"
        fi
        echo "$label: $file: $passed passed, $failed failed ($((SECONDS - start)) s, $((user + system)) s of processor time)"
    } >result
    (flock 9 && cat result) 9>"$BUILD/check/gdb/lock"
    echo "$passed $failed $skipped" >count
    rm -rf "$TMPDIR"
    [ "$failed" != 0 ] || find . -type f -size +1M -delete
}

if [ "${1-}" = --job ]; then
    shift
    run_job "$@"
    exit
fi

# --- the programs

# compile COMPILER SOURCE PROGRAM [OPTION...], in the background
compile() {
    local compiler=$1 source=$2 program=$3
    shift 3
    case $source in *.[fF]90) # two at once must not write the same module
        mkdir "$programs/$program.mod"
        set -- "$@" -J "$program.mod" ;;
    esac
    while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do wait -n; done
    (cd "$programs" && "$compiler" -g -O0 -w -o "$program" "$here/fixtures/$source" "$@") ||
        echo "FAIL: $mpi: $source does not compile" >>"$all/broken" &
}

build_programs() {
    local source name binding linked at_once bound
    for source in "$here"/fixtures/*.c; do
        case $source in */callers* | */stepped.c | */daily.c | */unplaced.c) continue ;; esac # below, with their library, or their options
        compile "mpicc.$mpi" "$(basename "$source")" "$(basename "$source" .c)"
    done
    # The same flags as from pkg-config, which need not be installed here.
    linked="-L$BUILD/lib -Wl,-rpath,$BUILD/lib -Wl,--no-as-needed -lshadowtype-$mpi"
    # Bound at once, as all programs of some distributions: otherwise gdb steps through the dynamic linker instruction by
    # instruction, at the first call of each function. stepped_lazy and stepped_mpif_h are bound lazily.
    at_once=-Wl,-z,now
    compile "mpicc.$mpi" stepped.c stepped $at_once
    compile "mpicc.$mpi" daily.c daily $at_once
    compile "mpicc.$mpi" stepped.c stepped_lazy -Wl,-z,lazy
    compile "mpicc.$mpi" stepped.c stepped_optimized -O2 $at_once
    compile "mpicc.$mpi" unplaced.c unplaced -O2
    compile "mpicc.$mpi" callers_library.c libcallers.so -shared -fPIC
    wait
    compile "mpicc.$mpi" callers.c callers -L. -lcallers -Wl,-rpath,"\$ORIGIN"
    compile "mpicc.$mpi" callers.c callers_linked $linked -L. -lcallers -Wl,-rpath,"\$ORIGIN"
    if command -v "mpicxx.$mpi" >/dev/null; then
        compile "mpicxx.$mpi" cxx.cc cxx
        compile "mpicxx.$mpi" thrown.cc thrown $at_once
        compile "mpicxx.$mpi" fields_cxx.cc fields_cxx
        compile "mpicxx.$mpi" near_cxx.cc near_cxx
        compile "mpicxx.$mpi" members_cxx.cc members_cxx
        compile "mpicxx.$mpi" covered_cxx.cc covered_cxx -std=c++20 # std::span
    fi
    if command -v "mpifort.$mpi" >/dev/null; then
        for name in fortran fortran_f08 fields_fortran covered_fortran near_fortran handles_fortran; do
            compile "mpifort.$mpi" $name.f90 $name
        done
        compile "mpifort.$mpi" unplaced_fortran.f90 unplaced_fortran -O2 -fno-inline
        for binding in mpif_h use_mpi use_f08; do
            compile "mpifort.$mpi" bindings.F90 $binding -D${binding^^}
            compile "mpifort.$mpi" waiting.F90 waiting_$binding -D${binding^^}
            compile "mpifort.$mpi" calls_fortran.F90 calls_$binding -D${binding^^}
            bound=$at_once
            [ $binding != mpif_h ] || bound=-Wl,-z,lazy
            compile "mpifort.$mpi" stepped_fortran.F90 stepped_$binding -D${binding^^} -fallow-argument-mismatch $bound
            compile "mpifort.$mpi" callees_fortran.F90 callees_$binding -D${binding^^}
            compile "mpifort.$mpi" forms_fortran.F90 forms_$binding -D${binding^^} -fallow-argument-mismatch
            compile "mpifort.$mpi" bindings.F90 ${binding}_linked -D${binding^^} $linked
        done
    fi
    wait
    rm -rf "$programs"/*.mod
}

# --- all

all=$BUILD/check/gdb
rm -rf "$all"
mkdir -p "$all"
touch "$all/broken"
mpis=()
for mpi in mpich openmpi; do
    command -v "mpicc.$mpi" >/dev/null || continue
    mpis+=("$mpi")
    programs=$all/$mpi/programs
    mkdir -p "$programs"
    build_programs
done

# The longest first, so that none runs alone at the end: those that take more than 10 s of processor time.
longest="steps.exp core_files.exp steps_mi.exp daily.exp mpi_ranks.exp crash.exp large.exp"
files=("$@")
# shellcheck disable=SC2086 # a list
[ $# != 0 ] || mapfile -t files < <(cd "$here" && { printf '%s\n' $longest; basename -a mpipp.*/*.exp; } | awk '!listed[$0]++')
python=$("$here/../python.sh" | cut -d ' ' -f 2)
# jobs_of RANKS FILE...: lists the jobs
jobs_of() {
    local ranks=$1 file mpi
    shift
    for file in "$@"; do
        for mpi in "${mpis[@]}"; do
            # Debian's mpi4py is for one MPI.
            [ "$file" = python.exp ] && [ -n "$python" ] && [ "$python" != "$mpi" ] && continue
            echo "$mpi $ranks $file"
        done
    done
}
{
    jobs_of 1 "${files[@]}"
    # shellcheck disable=SC2086 # a list
    [ $# != 0 ] || jobs_of 2 $on_two_ranks
} >"$all/jobs"
xargs -P $((2 * $(nproc))) -L 1 "$here/run.sh" --job <"$all/jobs"

passed=0 failed=$(wc -l <"$all/broken") skipped=0
cat "$all/broken"
while read -r mpi ranks file; do
    p=0 f=1 s=0
    [ ! -f "$all/$mpi/$ranks-${file%.exp}/count" ] || read -r p f s <"$all/$mpi/$ranks-${file%.exp}/count"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done <"$all/jobs"
[ ${#mpis[@]} != 0 ] || failed=1
summary="$passed passed, $failed failed"
[ "$skipped" = 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ "$failed" = 0 ]
