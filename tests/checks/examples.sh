#!/bin/bash
# Each program in examples/errors produces the report of its check, at the marked line, and no other
# report, under both MPIs.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh

unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS DEBUGINFOD_URLS
in_folder examples
ranks_rest || exit 2

# option ID: the options of 'mpipp run' that its program names
option() {
    sed -n 's|^/\*.* mpipp run \(-.*\) \*/$|\1|p' "$top/examples/errors/$1.c"
}

# finds ID PROGRAM: 'mpipp run' reports only ID, at the line of a marker
finds() {
    local id=$1 program=$2 line options
    options=$(option "$id")
    [[ $options = *-n\ * ]] || options="-n 1 $options"
    rm -f found.jsonl
    # shellcheck disable=SC2086 # several words
    patiently "${marked[@]}" "$mpipp" run $options --report=found.jsonl "$program" >out 2>err </dev/null
    line=$(grep -n "/\* [a-z]*: $id \*/" "$top/examples/errors/$id.c" | cut -d: -f1)
    python3 -S -c 'import json, sys
found = [json.loads(line) for line in open("found.jsonl")]
ids, lines = [f["id"] for f in found], [(f["site"] or (f["other"] or [{}])[0].get("site") or {}).get("line") for f in found]
wanted = [int(line) for line in sys.argv[2].split()]
assert ids == sys.argv[1:2], ids
assert not wanted or lines[0] in wanted, (lines, wanted)
# If two ranks disagree, the report names the higher one as different. It also receives the messages.
who = ("rank 1 ",) if ids[0] in sys.argv[3:] else ("rank 0 ", "ranks 0 and 1 ")
assert found[0]["message"].startswith(who), found[0]["message"]' "$id" "$line" \
        collective-{call,root,op,type,in-place,argument} match-{type,truncation,partial,ready,lost} && return
    cat err
    return 1
}

# shows PROGRAM TEXT...: the report as a page and for code-scanning sites names the elements; the page
# has a picture of the datatype
shows() {
    local program=$1 text
    shift
    patiently "${marked[@]}" "$mpipp" run -n 1 --report=found.html --report=found.sarif --report=found.txt "$program" \
        >out 2>err </dev/null
    for text in "$@"; do
        for file in found.html found.sarif found.txt; do
            grep -qF "$text" $file || { echo "not in $file: $text"; return 1; }
        done
    done
    grep -qF '<svg ' found.html && grep -qF '<title>bytes 4 to 11: MPI_DOUBLE</title>' found.html
}

for mpi in mpich openmpi; do
    for source in "$top"/examples/errors/*.c; do
        id=$(basename "$source" .c)
        "mpicc.$mpi" -std=c11 -g -o "$id-$mpi" "$source" || exit 2
        ok "$mpi: $id" finds "$id" "./$id-$mpi"
    done
    ok "$mpi: elements and pictures in files" shows "./datatype-suspicious-$mpi" \
        '{0}(STRUCT)[1][0](MPI_DOUBLE)'
done
finish
