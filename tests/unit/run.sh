#!/bin/bash
# Runs cmocka programs and adds them up.
#
#   run.sh [FOLDER]     every program below $BUILD/tests/FOLDER (default: unit)
#
# A program that crashes, hangs, leaks (under a sanitizer) or runs no test counts as failed.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh

folder=${BUILD:-build}/tests/${1:-unit}
limit=${UNIT_LIMIT:-600} # seconds a program, without those in which it waits for a processor
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# count PROGRAM STATUS: what its TAP output says
count() {
    local name=${1#"$folder"/} plan p f s said
    plan=$(sed -n 's/^1\.\.\([0-9][0-9]*\)$/\1/p' "$output" | head -n 1)
    p=$(grep -cE '^ok [0-9]' "$output")
    s=$(grep -cE '^not ok [0-9]+ # SKIP' "$output")
    f=$(($(grep -cE '^not ok [0-9]' "$output") - s))
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    sed -nE "s|^ok [0-9]+ - |PASS: $name: |p
             s|^not ok [0-9]+ # SKIP |SKIP: $name: |p
             s|^not ok [0-9]+ - |FAIL: $name: |p" "$output"
    said=
    if [ "$2" = 124 ]; then
        said="not done within $limit s"
    elif [ $((p + f + s)) = 0 ]; then
        said="ran no test (exit status $2)"
    elif [ $((p + f + s)) != "${plan:-0}" ]; then
        said="ended after $((p + f + s)) of ${plan:-0} tests (exit status $2)"
    elif [ "$2" != 0 ] && [ "$f" = 0 ]; then
        said="exit status $2, though no test failed"
    fi
    if [ -n "$said" ]; then
        failed=$((failed + 1))
        echo "FAIL: $name: $said"
    fi
    if [ -n "$said" ] || [ "$f" != 0 ]; then
        grep -vE '^(ok |1\.\.)' "$output" | sed 's/^/    /'
    fi
}

programs=$(find "$folder" -type f -name '*_test' -perm -u+x 2>/dev/null | sort)
for program in $programs; do
    CMOCKA_MESSAGE_OUTPUT=TAP patiently -t "$limit" "$program" >"$output" 2>&1 </dev/null
    count "$program" $?
done
finish
