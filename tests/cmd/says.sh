# shellcheck shell=bash
# Sourced by tests of mpipp: check exit status and output of a command. The tests set $folder.

# run_patiently COMMAND...: $output and $got, its exit status. MPICH's launcher itself is ended by SIGPIPE at times, on a busy
# machine in 7 of 100 jobs of 'echo': it passes on the end of its standard input to a job that has ended. Then again.
run_patiently() {
    for _ in 1 2 3; do
        output=$(patiently "$@" 2>&1 </dev/null)
        got=$?
        [ "$got" = 141 ] || return
    done
}

# gives STATUS PATTERN COMMAND...: it has this exit status, and a line of the output matches
gives() {
    local status=$1 pattern=$2 output got
    shift 2
    run_patiently "$@"
    [ "$got" = "$status" ] && grep -qE -e "$pattern" <<<"$output" && return
    echo "wanted status $status and '$pattern', got status $got and: $output"
    return 1
}

# times COUNT PATTERN COMMAND...: the pattern occurs so often in the output (ranks may share a line)
times() {
    local count=$1 pattern=$2 output got
    shift 2
    run_patiently "$@"
    [ "$got" != 124 ] && [ "$(grep -oE -e "$pattern" <<<"$output" | wc -l)" = "$count" ] && return
    echo "wanted $count times '$pattern', got status $got and: $output"
    return 1
}

# shellcheck disable=SC2154 # folder
# says STATUS SENTENCE COMMAND...: it prints this sentence to standard error, and nothing else
says() {
    local status=$1 sentence=$2 got
    shift 2
    patiently "$@" >"$folder/out" 2>"$folder/err" </dev/null
    got=$?
    [ "$got" = "$status" ] && [ "$(cat "$folder/err")" = "mpipp: $sentence" ] &&
        [ ! -s "$folder/out" ] && return
    echo "wanted status $status and '$sentence', got status $got and: $(cat "$folder/out" "$folder/err")"
    return 1
}
