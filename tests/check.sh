#!/bin/bash
# Runs the parts of the tests and adds them up.
#
#   check.sh [NAME...]      the parts of these names; all, if none is given
#
# A part is a command in tests/parts. It counts as failed if it crashes, runs into the time limit,
# ends without a count, or has run no check at all: silence is not success. Its whole output is in
# $BUILD/check/NAME.log.
set -u
cd "$(dirname "$0")/.." || exit 2

BUILD=$(realpath "${BUILD:-build}")
export BUILD
logs=$BUILD/check
mkdir -p "$logs"
limit=${CHECK_LIMIT:-1800} # seconds for one part
parts=${CHECK_PARTS:-tests/parts}

count_line='^([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?$'
passed=0 failed=0 skipped=0
known=

complain() {
    failed=$((failed + 1))
    echo "FAIL: $name: $1 (see $log)"
}

run_part() {
    local start=$SECONDS status last p f s
    log=$logs/$name.log
    timeout --kill-after=10 "$limit" bash -c "$command" >"$log" 2>&1 </dev/null
    status=$?
    last=$(tail -n 1 "$log")

    if ! [[ $last =~ $count_line ]]; then
        tail -n 40 "$log"
        if [ "$status" = 124 ]; then
            complain "not done within $limit s"
        else
            complain "ended without a count, exit status $status"
        fi
        return
    fi
    p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[4]:-0}
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))

    echo "$name: $last ($((SECONDS - start)) s)"
    grep -E '^(SKIP|UNSUPPORTED|UNTESTED): ' "$log"
    if [ "$f" != 0 ]; then
        grep -E -A 8 '^(FAIL|ERROR|UNRESOLVED)(: |$)' "$log" || tail -n 40 "$log"
        echo "(the whole output: $log)"
    elif [ "$status" != 0 ]; then
        complain "exit status $status, though nothing failed"
    elif [ $((p + s)) = 0 ]; then
        complain "ran no check"
    fi
}

while read -r name command; do
    case $name in '' | '#'*) continue ;; esac
    known="$known $name"
    if [ $# = 0 ] || [[ " $* " == *" $name "* ]]; then
        run_part
    fi
done <"$parts"

for name in "$@"; do
    [[ "$known " == *" $name "* ]] && continue
    log=$parts
    complain "no such part"
done

summary="$passed passed, $failed failed"
[ "$skipped" = 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
