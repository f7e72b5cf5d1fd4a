#!/bin/bash
# One-sided calls of several ranks (--check=rma): those that are not ordered are reported, and nothing else.
cd "$(dirname "$0")/../.." || exit 2
check=rma
. tests/ranks/job.sh
. tests/ranks/drawn.sh

# marked_case PROGRAM CASE: exactly the reports that the comments of its source name, at their lines
marked_case() {
    local name=case-$2
    job "$name" 3 "../$1" "$2" &&
        python3 -S - "$name/found.jsonl" "$here/$1.c" "$2" <<'END' && return
import json, re, sys
found = sorted(((one["other"] or [one])[0]["site"]["line"], one["id"]) for one in map(json.loads, open(sys.argv[1])))
marks = sorted((number, id) for number, line in enumerate(open(sys.argv[2]), 1)
               for id, case in re.findall(r"/\* ([a-z-]+) \((\w+)\) \*/", line) if case == sys.argv[3])
assert found == marks, (found, marks)
END
    cat "$name/err"
    return 1
}

# sampled SOURCE COMMAND...: the one conflict that its source marks
sampled() {
    local source=$1 name=sample-$RANDOM
    shift
    job "$name" 2 "$@" && python3 -S - "$name/found.jsonl" "$(grep -n '[!#] rma-conflict$' "$source" | cut -d: -f1)" <<'END' && return
import json, sys
found, = map(json.loads, open(sys.argv[1]))
assert found["id"] == "rma-conflict" and found["other"][0]["site"]["line"] == int(sys.argv[2]), found
END
    cat "$name/err"
    return 1
}

# epochs: what has opened the epochs of both, and has completed what they did
epochs() {
    python3 -S - case-lock_all/found.jsonl case-started/found.jsonl <<'END' && return
import json, sys
named = [[(other["ranks"], other["call"], other.get("remark")) for other in json.loads(open(name).readline())["other"][2:]]
         for name in sys.argv[1:]]
assert named[0][0] == ("ranks 0 and 1", "MPI_Win_lock_all", "opens the epoch"), named
assert all(call in (("rank 0", "MPI_Win_unlock_all", "completes it"), ("rank 1", "MPI_Win_unlock_all", "completes it"),
                    ("ranks 0 and 1", "MPI_Win_unlock_all", "completes it")) for call in named[0][1:]), named
# Rank 1 completes them before or after they are compared.
assert named[1][0] == ("ranks 0 and 2", "MPI_Win_start", "opens the epoch"), named
assert named[1][1:] in ([], [("rank 1", "MPI_Win_wait", "completes it at the target")]), named
END
    return 1
}

# one_of_loop: of a loop's calls, the report names the ones that meet, and the bytes that both access
one_of_loop() {
    python3 -S - case-in_loops/found.jsonl <<'END' && return
import json, sys
found, = map(json.loads, open(sys.argv[1]))
named = [(call["arguments"]["data"], call["arguments"]["target_disp"]) for call in found["other"][:2]]
assert named == [("2 x MPI_INT", "16"), ("3 x MPI_INT", "17")], found
assert ["window", "bytes 68 to 71 at rank 1 of its window"] in found["lines"], found
END
    return 1
}

# dies: a rank is killed while others access its memory; the job ends, and nothing is reported
dies() {
    job killed 3 --timeout=0 ../ordered killed && { echo "status 0"; return 1; }
    [ ! -s killed/found.jsonl ] && none_left && return
    cat killed/err
    return 1
}

# example NAME RANKS: a program of examples/onesided has the finding that its marks say, and its corrected form none
example() {
    local source=$top/examples/onesided/$1.c form
    for form in WRONG CORRECTED; do
        "mpicc.$mpi" -std=c11 -Wall -Werror -g -D$form -o "$1-$form.run" "$source" || return
        job "$1-$form" "$2" "../$1-$form.run"
    done
    [ ! -s "$1-CORRECTED/found.jsonl" ] && python3 -S - "$1-WRONG/found.jsonl" "$source" "$mpi" <<'END' && return
import json, re, sys
found = {(one["id"], call["site"]["line"]) for one in map(json.loads, open(sys.argv[1]))
         for call in (one["other"][:2] if one["id"].startswith("rma") else [one])}
marks = {(id, number) for number, line in enumerate(open(sys.argv[2]), 1) for id in re.findall(r"; /\* ([a-z-]+) \*/", line)}
if sys.argv[3] == "openmpi":  # what MPI_Get brings is there at once
    marks = {mark for mark in marks if mark[0] != "buffer-overlap"}
assert found == marks, (found, marks)
END
    cat "$1"-*/err
    return 1
}

# without: nothing is compared without --check=rma
without() {
    mkdir -p without/tmp
    (cd without && TMPDIR=$PWD/tmp patiently "${marked[@]}" "$mpipp" run -n 3 --check=local,collective,p2p --report=found.jsonl \
        ../onesided put_get >out 2>err </dev/null) && [ ! -s without/found.jsonl ] && return
    cat without/err
    return 1
}

# uncounted: one line counts the calls that could not be compared
uncounted() {
    grep -qE '^mpipp: [0-9]+ of [0-9]+ one-sided calls could not be compared with the others$' case-many/err
}

# merged: the same two lines in three ranks are one report
merged() {
    job merged 4 ../onesided shared
    grep -q '^mpipp: 1 error; ' merged/err &&
        python3 -S -c 'import json; one, = map(json.loads, open("merged/found.jsonl")); assert one["count"] == 3, one' && return
    cat merged/err
    return 1
}

# at_a_line: code-scanning sites need a single place for each finding, which has two
at_a_line() {
    mkdir -p at_a_line/tmp
    (cd at_a_line && TMPDIR=$PWD/tmp patiently "${marked[@]}" "$mpipp" run -n 3 --check=rma --report=found.sarif \
        ../onesided put_get >out 2>err </dev/null)
    python3 -S - at_a_line/found.sarif "$(grep -n 'rma-conflict (put_get)' "$here/onesided.c" | cut -d: -f1)" <<'END' && return
import json, sys
result, = json.load(open(sys.argv[1]))["runs"][0]["results"]
place = result["locations"][0]["physicalLocation"]
assert place["region"]["startLine"] == int(sys.argv[2]), result
assert len(result["relatedLocations"]) >= 2, result
END
    cat at_a_line/err
    return 1
}

onesided() {
    local name case seed
    mpi=$1
    in_folder "$mpi"
    ranks_yield "$mpi"
    "mpif90.$mpi" -g -o sample "$here/races.f90" || return
    for name in onesided ordered asserted_epochs attached; do
        "mpicc.$mpi" -std=gnu11 -g -o $name "$here/$name.c" || return
        for case in $(grep -o 'CASE([a-z_]*)' "$here/$name.c" | sed 's/CASE(//; s/)//; /^killed$/d'); do
            ok "$mpi: $case" marked_case $name "$case"
        done
    done
    ok "$mpi: Fortran" sampled "$here/races.f90" ../sample
    [ "$python_mpi" = "$mpi" ] && ok "$mpi: mpi4py" sampled "$here/races_sample.py" "$python" "$here/races_sample.py"
    ok "$mpi: both epochs" epochs
    ok "$mpi: one of a loop's calls" one_of_loop
    ok "$mpi: a rank is killed" dies
    ok "$mpi: what is not compared is counted" uncounted
    ok "$mpi: not asked for" without
    ok "$mpi: example emulate" example emulate 2
    ok "$mpi: example bt-broadcast" example bt-broadcast 2
    ok "$mpi: example lockopts" example lockopts 2
    ok "$mpi: example pingpong" example pingpong 3
    ok "$mpi: example jacobi" example jacobi 3
    ok "$mpi: a place for code scanning" at_a_line
    ok "$mpi: one report for two lines, whatever the ranks" merged
    for seed in 1 2 3 4 5 6; do
        ok "$mpi: random calls, seed $seed" drawn "$seed"
    done
    ok "$mpi: nothing is left" none_left
}

in_both onesided
finish
