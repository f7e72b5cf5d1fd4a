#!/bin/bash
# One-sided calls of several ranks (--check=rma): those that nothing orders are found, and nothing else.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS DEBUGINFOD_URLS
here=$top/tests/ranks

# job NAME RANKS PROGRAM ARGUMENT...: in a folder of its own
job() {
    local name=$1 ranks=$2
    shift 2
    mkdir -p "$name/tmp"
    (cd "$name" && TMPDIR=$PWD/tmp patiently "${marked[@]}" "$mpipp" run -n "$ranks" --check=rma --max-reports=100000 \
        --report=found.jsonl "$@" >out 2>err </dev/null)
}

# marked_case CASE: what is found, and at which lines, is what the comments of the source say
marked_case() {
    local name=case-$1
    job "$name" 3 ../onesided "$1" &&
        python3 - "$name/found.jsonl" "$here/onesided.c" "$1" <<'END' && return
import json, re, sys
found = sorted((one["other"][0]["site"]["line"], one["id"]) for one in map(json.loads, open(sys.argv[1])))
marks = sorted((number, id) for number, line in enumerate(open(sys.argv[2]), 1)
               for id, case in re.findall(r"/\* ([a-z-]+) \((\w+)\) \*/", line) if case == sys.argv[3])
assert found == marks, (found, marks)
END
    cat "$name/err"
    return 1
}

# drawn SEED: of a random program exactly the conflicts that the model knows
drawn() {
    local name=drawn-$1
    python3 "$here/races.py" make "$1" >"$name.c" && "mpicc.$mpi" -g -o "$name.run" "$name.c" &&
        job "$name" 4 "../$name.run" && python3 "$here/races.py" judge "$1" "$name/found.jsonl" && return
    tail -3 "$name/err"
    return 1
}

# without: nothing is compared unless it is asked for
without() {
    mkdir -p without/tmp
    (cd without && TMPDIR=$PWD/tmp patiently "${marked[@]}" "$mpipp" run -n 3 --check=local,collective,p2p --report=found.jsonl \
        ../onesided put_get >out 2>err </dev/null) && [ ! -s without/found.jsonl ] && return
    cat without/err
    return 1
}

# uncounted: what could not be compared is counted, in one line
uncounted() {
    grep -qE '^mpipp: [0-9]+ of [0-9]+ one-sided calls could not be compared with the others$' case-many/err
}

# merged: the same two lines in three ranks are one report
merged() {
    job merged 4 ../onesided shared
    grep -q '^mpipp: 1 error; ' merged/err &&
        python3 -c 'import json; one, = map(json.loads, open("merged/found.jsonl")); assert one["count"] == 3, one' && return
    cat merged/err
    return 1
}

# at_a_line: sites for code scanning want a place of each finding, which has none of its own
at_a_line() {
    mkdir -p at_a_line/tmp
    (cd at_a_line && TMPDIR=$PWD/tmp patiently "${marked[@]}" "$mpipp" run -n 3 --check=rma --report=found.sarif \
        ../onesided put_get >out 2>err </dev/null)
    python3 - at_a_line/found.sarif "$(grep -n 'rma-conflict (put_get)' "$here/onesided.c" | cut -d: -f1)" <<'END' && return
import json, sys
result, = json.load(open(sys.argv[1]))["runs"][0]["results"]
place = result["locations"][0]["physicalLocation"]
assert place["region"]["startLine"] == int(sys.argv[2]), result
assert len(result["relatedLocations"]) == 2, result
END
    cat at_a_line/err
    return 1
}

onesided() {
    local case seed
    mpi=$1
    in_folder "$mpi"
    "mpicc.$mpi" -std=gnu11 -g -o onesided "$here/onesided.c" || return
    for case in $(grep -o 'CASE([a-z_]*)' "$here/onesided.c" | sed 's/CASE(//; s/)//; /^name$/d'); do
        ok "$mpi: $case" marked_case "$case"
    done
    ok "$mpi: what is not compared is counted" uncounted
    ok "$mpi: not asked for" without
    ok "$mpi: a place for code scanning" at_a_line
    ok "$mpi: one report for two lines, whatever the ranks" merged
    for seed in 1 2 3 4 5 6; do
        ok "$mpi: random calls, seed $seed" drawn "$seed"
    done
    ok "$mpi: nothing is left" none_left
}

in_both onesided
finish
