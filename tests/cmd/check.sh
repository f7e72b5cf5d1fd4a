#!/bin/bash
# The tests' own sum: check.sh counts what passed, and takes silence for failure.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# sums STATUS LAST-LINE PATTERN PART...: PART is a command
sums() {
    local status=$1 last=$2 pattern=$3 number=0 output got
    shift 3
    for part in "$@"; do
        number=$((number + 1))
        echo "part$number $part"
    done >"$folder/parts"
    output=$(BUILD=$folder CHECK_PARTS=$folder/parts CHECK_LIMIT=2 tests/check.sh)
    got=$?
    [ "$got" = "$status" ] && [ "$(tail -n 1 <<<"$output")" = "$last" ] &&
        grep -qE -e "$pattern" <<<"$output" && return
    echo "wanted status $status, '$last' and '$pattern', got status $got and: $output"
    return 1
}

good='echo 3 passed, 0 failed'
ok "adds up" sums 0 '7 passed, 0 failed' 'part2: 4 passed' "$good" 'echo 4 passed, 0 failed'
ok "a failed check" sums 1 '4 passed, 2 failed' '^FAIL: x' \
    "$good" 'echo FAIL: x; echo 1 passed, 2 failed; exit 1'
ok "a skipped check is named" sums 0 '3 passed, 0 failed, 1 skipped' '^SKIP: x \(why\)' \
    "$good" 'echo "SKIP: x (why)"; echo 0 passed, 0 failed, 1 skipped'
ok "no check" sums 1 '3 passed, 1 failed' 'part2: ran no check' "$good" 'echo 0 passed, 0 failed'
ok "silence" sums 1 '3 passed, 1 failed' 'part2: ended without a count' "$good" true
ok "a crash" sums 1 '3 passed, 1 failed' 'exit status 139' "$good" 'kill -SEGV $$'
ok "a crash after a count" sums 1 '6 passed, 1 failed' 'though nothing failed' \
    "$good" "$good; exit 3"
ok "too long" sums 1 '3 passed, 1 failed' 'not done within 2 s' "$good" 'sleep 20'
ok "long, but it goes on" sums 0 '3 passed, 0 failed' '' "for i in 1 2 3 4 5 6 7 8 9 10; do echo PASS: \$i; sleep 0.5; done; $good"
ok "too long at work" sums 1 '3 passed, 1 failed' 'not done within 2 s' "$good" 'while :; do :; done'

# crowded SUMS-ARGUMENT...: while five others want the first processor
crowded() {
    local others=() status
    for _ in 1 2 3 4 5; do
        taskset -c 0 timeout 60 sh -c 'while :; do :; done' &
        others+=("$!")
    done
    sums "$@"
    status=$?
    kill "${others[@]}"
    wait "${others[@]}"
    return $status
} 2>&1
ok "no time for it" crowded 0 '3 passed, 0 failed' '' \
    "taskset -c 0 python3 -c 'while __import__(\"time\").process_time() < 1: pass'; $good"

# counted MS RUN WAITED: so much a second counts for a command that has a processor for RUN ns, and waits WAITED ns for one
counted() {
    local got
    got=$(eval "$(sed -n '/^counts() {/,/^}/p' tests/patiently)" && counts "thread 5 5" "thread $((5 + $2)) $((5 + $3))" 1)
    [ "$got" = "$1" ] && return
    echo "wanted $1 ms, got $got"
    return 1
}
ok "a second at work" counted 1000 1000000000 0
ok "a second with a tenth of a processor" counted 100 100000000 900000000
ok "a second without a processor" counted 20 0 1000000000
ok "a second asleep" counted 1000 0 0
ok "a second asleep, and a moment awake" counted 950 1000000 50000000
ok "no part at all" sums 1 '0 passed, 0 failed' ''
ok "an unknown name" bash -c '! tests/check.sh none'

# refuses SENTENCE ARGUMENT...: systems/run.sh says why, in one line
refuses() {
    local sentence=$1 output got
    shift
    output=$(tests/systems/run.sh "$@" 2>&1 </dev/null)
    got=$?
    [ "$got" = 2 ] && [[ $output == "run.sh: $sentence"* ]] && [ "$(wc -l <<<"$output")" = 1 ] && return
    echo "wanted '$sentence', got status $got and: $output"
    return 1
}

ok "another system: none is named" refuses 'no system is named; usage: '
ok "another system: an unknown one" refuses "unknown system 'potato': bullseye, bookworm, trixie or sid" potato
ok "another system: an unknown option" refuses "unknown option '--frob'; usage: " --frob trixie
ok "another system: an unknown part" refuses "no part 'none' in tests/parts" trixie none
ok "another system: a goal and a part" refuses 'a goal or parts, not both' --goal=demo trixie gdb
if [ "$(id -u)" = 0 ]; then
    mkdir "$folder/other"
    ok "another system: a folder of something else" \
        refuses "'$folder/other' is there, and is no trixie" --root="$folder/other" trixie
    ok "another system: this one" refuses '--root=/ is this system itself' --root=/ trixie
else
    ok "another system: not as root" refuses 'another system needs root' trixie
fi
finish
