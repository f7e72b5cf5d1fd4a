# shellcheck shell=sh
# Sourced by shell tests: counts checks, and prints the last line, which check.sh reads.
#
#   ok NAME CONDITION...    CONDITION is a command; its output is shown if it fails
#   skip NAME WHY
#   finish                  the last line and the exit status
#   patiently COMMAND...    runs it; if it hangs, ends it and shows where it hung

PATH=$PWD/tests:$PATH
passed=0 failed=0 skipped=0

ok() {
    ok_name=$1
    shift
    if ok_output=$("$@" 2>&1); then
        passed=$((passed + 1))
        echo "PASS: $ok_name"
    else
        failed=$((failed + 1))
        echo "FAIL: $ok_name"
        echo "$ok_output" | sed 's/^/    /'
    fi
}

skip() {
    skipped=$((skipped + 1))
    echo "SKIP: $1 ($2)"
}

finish() {
    if [ "$skipped" = 0 ]; then
        echo "$passed passed, $failed failed"
    else
        echo "$passed passed, $failed failed, $skipped skipped"
    fi
    [ "$failed" = 0 ]
    exit
}
