#!/bin/bash
# Receives from any source (--check=race): those that could have got another rank's message are reported, and nothing else.
cd "$(dirname "$0")/../.." || exit 2
check=race
. tests/ranks/job.sh

# judge FOLDER CASE [ID]: exactly the receives that the source marks, and perhaps another finding
judge() {
    python3 -S - "$1/found.jsonl" "$here/raced.c" "$2" "$3" <<'END' && return
import json, re, sys
found = [one for one in map(json.loads, open(sys.argv[1])) if one["id"] != sys.argv[4]]
lines = sorted((one["other"][0]["site"]["line"], one["id"]) for one in found)
marks = sorted((number, id) for number, line in enumerate(open(sys.argv[2]), 1)
               for id, case in re.findall(r"/\* ([a-z-]+) \((\w+)\) \*/", line) if case == sys.argv[3])
assert lines == marks, (lines, marks)
for one in found:
    calls = [other["ranks"] for other in one["other"]]
    assert len(calls) == 3 and calls[1] != calls[2] and one["count"] == 1 and one["severity"] == "warning", one
END
    cat "$1/err"
    return 1
}

# raced CASE [SEED]: a program that ends
raced() {
    local name=raced-$1-${2:-1} other=
    [ "$1" = lost ] && other=match-lost
    job "$name" 3 ../raced "$@" && judge "$name" "$1" "$other"
}

# hangs: the report of the hang does not replace it
hangs() {
    job hang 3 --timeout=2 --on-hang=end ../raced hang
    judge hang hang deadlock && grep -q '^mpipp: error deadlock: ' hang/err && return
    cat hang/err
    return 1
}

# only_asked: without --check=race nothing is reported
only_asked() {
    local check=p2p
    job other 3 ../raced blocking && [ ! -s other/found.jsonl ]
}

races() {
    local mpi=$1 name
    in_folder "$mpi"
    ranks_yield "$mpi"
    "mpicc.$mpi" -std=gnu11 -g -Wno-stringop-overflow -o raced "$here/raced.c" || return
    for name in blocking then_named any_tag nonblocking tested persistent both_ways ordered_sends gathered lost own reversed probed polled mprobed; do
        ok "$mpi: a race: $name" raced $name
    done
    ok "$mpi: a race: hang" hangs
    for name in named tagged communicators posted asked answered exposed probed_one; do
        ok "$mpi: none: $name" raced $name
    done
    for name in 1 2; do
        ok "$mpi: random rounds that are ordered, $name" raced rounds $name
        ok "$mpi: random rounds with two that are not, $name" raced unordered $name
    done
    ok "$mpi: it must be asked for" only_asked
    ok "$mpi: nothing is left" none_left
}

in_both races
finish
