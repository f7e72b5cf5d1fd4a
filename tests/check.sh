#!/bin/bash
# Runs the parts of the tests and adds them up.
#
#   check.sh [NAME...]      the parts with these names; default: all
#
# A part is a command in tests/parts. Twice as many run at a time as there are processors
# (CHECK_JOBS), since most of them often wait for ranks and debuggers. A part fails if it crashes,
# hangs (it prints nothing for half an hour: tests/patiently), ends without a count, or has run no check.
# Its output is in $BUILD/check/NAME.log.
set -u
cd "$(dirname "$0")/.." || exit 2

BUILD=$(realpath "${BUILD:-build}")
export BUILD
# Without hwloc's plugins a rank looks for no GPU: by twenty shared libraries, which gdb reads, and at
# each X display that is up, as another part's is.
export HWLOC_PLUGINS_PATH=/none
# Nor does Open MPI load what drives the network cards of a cluster: a third of the time of a start.
export OMPI_MCA_pml=ob1
# Where python3 is a script that looks for a Python, as pyenv's is, that takes longer than most tests' use
# of Python: it is looked for once.
if [ "$(head -c 2 "$(command -v python3)" 2>/dev/null)" = '#!' ]; then
    python=$(python3 -c 'import sys; print(sys.executable)') && PATH=${python%/*}:$PATH
fi
logs=$BUILD/check
mkdir -p "$logs"
limit=${CHECK_LIMIT:-1800} # seconds in which a part may print nothing, without those in which it waits for a processor
parts=${CHECK_PARTS:-tests/parts}

jobs=${CHECK_JOBS:-$((2 * $(nproc)))}

count_line='^([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?$'
known=

# Debian's gdb comes without its Python files compiled, and compiles them at each start where it may not keep that: a fifth
# of the time of a start. Here is a folder to keep it in. (Another check.sh may be writing to it.)
rm -rf "$BUILD/check/python" 2>/dev/null
export PYTHONPYCACHEPREFIX=$BUILD/check/python
unset PYTHONDONTWRITEBYTECODE

# Prints the result of a part, and its failures. Writes its counts to $logs/NAME.count.
part() {
    local start=$SECONDS status used last p=0 f=0 s=0
    rm -f "$logs/$name.count"
    local TIMEFORMAT='%0U %0S' user system
    used=$( { time tests/patiently -t "$limit" -w "$log" bash -c "$command" >"$log" 2>&1 </dev/null; } 2>&1)
    status=$?
    read -r user system <<<"$used"
    last=$(tail -n 1 "$log")

    complain() {
        f=$((f + 1))
        echo "FAIL: $name: $1 (see $log)"
    }
    if ! [[ $last =~ $count_line ]]; then
        tail -n 40 "$log"
        if [ "$status" = 124 ]; then
            complain "not done within $limit s"
        else
            complain "ended without a count, exit status $status"
        fi
    else
        p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[4]:-0}
        echo "$name: $last ($((SECONDS - start)) s, $((user + system)) s of processor time)"
        grep -E '^(SKIP|UNSUPPORTED|UNTESTED): ' "$log"
        if [ "$f" != 0 ]; then
            grep -E -A 8 '^(FAIL|ERROR|UNRESOLVED)(: |$)' "$log" || tail -n 40 "$log"
            echo "(the whole output: $log)"
        elif [ "$status" != 0 ]; then
            complain "exit status $status, though nothing failed"
        elif [ $((p + s)) = 0 ]; then
            complain "ran no check"
        fi
    fi
    echo "$p $f $s" >"$logs/$name.count"
}

# All lines of a part are printed together when it has ended. Each has a folder for temporary files: Open MPI
# looks at all that killed ranks have left in it at each start.
run_part() {
    log=$logs/$name.log
    TMPDIR=$(mktemp -d) && export TMPDIR || exit
    part >"$logs/$name.said"
    rm -rf "$TMPDIR"
    (flock 9 && cat "$logs/$name.said") 9>"$logs/lock"
}

chosen=()
while read -r name command; do
    case $name in '' | '#'*) continue ;; esac
    known="$known $name"
    [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
    chosen+=("$name")
    while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n; done
    run_part &
done <"$parts"
wait

passed=0 failed=0 skipped=0
for name in "${chosen[@]}"; do
    p=0 f=1 s=0
    read -r p f s <"$logs/$name.count"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
for name in "$@"; do
    [[ "$known " == *" $name "* ]] && continue
    failed=$((failed + 1))
    echo "FAIL: $name: no such part (see $parts)"
done

summary="$passed passed, $failed failed"
[ "$skipped" = 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
