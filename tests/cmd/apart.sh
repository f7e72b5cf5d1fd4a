#!/bin/bash
# What is found between nodes is what is found on one: the programs of tests/ranks and tests/cmd, on one node, and on nodes of one
# rank and of two (MPIPP_NODE_SIZE). Through a slow link that loses pieces (slow_link.py, and tc netem where name spaces of a
# network can be made): the same findings, and none in correct programs. Both MPIs.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
. tests/cmd/hanging.sh
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS MPIPP_GATHER MPIPP_NODE_SIZE DEBUGINFOD_URLS
here=$top/tests/ranks
# shellcheck disable=SC2034 # for hanging.sh
sources=("$top"/tests/cmd/hangs.c) options=() program=(./hangs)

build() {
    local mpi=$1 name
    echo '#include <mpi.h>' >mpi.c
    # shellcheck disable=SC2046 # words
    "mpicc.$mpi" -E mpi.c | python3 "$here/swallow.py" $(sed '/^#/d' "$top/tests/checks/collective.list") Comm_create_group >swallow.c &&
        "mpicc.$mpi" -g -shared -fPIC -o libswallow.so swallow.c || return
    for name in wrong arguments edges inter orders silent; do
        "mpicc.$mpi" -std=gnu11 -g -w -o $name "$here/$name.c" -L. "-Wl,-rpath,$PWD,--no-as-needed" -lswallow -lpthread || return
    done
    "mpicc.$mpi" -std=gnu11 -g -o nodes "$top/tests/cmd/nodes.c" &&
        "mpicc.$mpi" -std=gnu11 -g -Wno-stringop-overflow -o hangs "$top"/tests/cmd/hangs*.c &&
        "mpicc.$mpi" -std=gnu11 -g -w -o messages "$here/messages.c" -lpthread -ldl
}

# run NAME RANKS COMMAND...: a job; its report is in-NAME/found.jsonl
run() {
    local folder=in-$1 ranks=$2
    shift 2
    rm -rf "$folder"
    mkdir -p "$folder/tmp"
    (cd "$folder" && TMPDIR=$PWD/tmp patiently -t 240 "${marked[@]}" "$mpipp" run -n "$ranks" --max-reports=100000 --report=found.jsonl "${options[@]}" "$@" \
        >out 2>err </dev/null)
}

# same ONE OTHER: two jobs have found the same, at the same places
same() {
    python3 - "in-$1/found.jsonl" "in-$2/found.jsonl" <<'END' || { tail -5 "in-$2/err"; return 1; }
import collections, json, sys

def found(path):
    """Findings by what does not depend on who came first: what they are, and which lines differ. Those that do not name their
    functions, of which a rank keeps only so many, are not counted: two of them may be one report."""
    kinds, unnamed = collections.Counter(), set()
    for line in open(path):
        one = json.loads(line)
        kind = one["id"], one["severity"], frozenset((other.get("site") or {}).get("line", 0) for other in one["other"])
        kinds[kind] += one["count"]
        if any(other["call"] == "a collective function" for other in one["other"]):
            unnamed.add(kind)
    return kinds, unnamed

(one, _), (other, unnamed) = map(found, sys.argv[1:])
for kind in unnamed & one.keys() & other.keys():
    one[kind] = other[kind] = 1
for name, kinds in ("missing", one - other), ("too many", other - one):
    for kind in kinds:
        print(name, *kind)
print(sum(one.values()), "on one node")
sys.exit(one != other or not one)
END
}

# none FOLDER: it has found nothing, and ended by itself
none() {
    [ ! -s "in-$1/found.jsonl" ] && grep -q '^mpipp: no errors; ' "in-$1/err" && return
    cat "in-$1/err"
    return 1
}

# is_compared FOLDER: mpipp says nothing of what it has not compared
is_compared() {
    ! grep -E '^mpipp: .*(could not be compared|too fast to be compared|not compared|is not known)' "in-$1/err"
}

# apart NAME RANKS COMMAND...: on nodes of one rank and of two, what is found on one node
apart() {
    local name=$1 ranks=$2 size
    shift 2
    run "$name" "$ranks" "$@"
    for size in 1 2; do
        for _ in 1 2 3; do # a machine that is very busy may be too slow
            MPIPP_NODE_SIZE=$size run "$name-$size" "$ranks" "$@"
            ! is_compared "$name-$size" || break
        done
        ok "$mpi: $name, nodes of $size" same "$name" "$name-$size"
    done
}

# in_peace NAME RANKS COMMAND...: nothing is found
in_peace() {
    local name=$1 ranks=$2 size
    shift 2
    for size in 1 2; do
        MPIPP_NODE_SIZE=$size run "$name-$size" "$ranks" "$@"
        ok "$mpi: nothing in $name, nodes of $size" none "$name-$size"
    done
}

# alone REPORT: as in nodes.sh, the report on a hang without what differs from run to run
alone() {
    sed -E '/^  look/s/[0-9]+$/PID/; s/for [0-9]+ s/for N s/; /^  (no stack|stacks|  )/d' "$1" | grep -A12 '^mpipp: error' | sed '/^mpipp: the job/,$d'
}

same_hang() {
    diff <(alone "$1") <(alone "$2") && [ -n "$(alone "$1")" ]
}

# hang RANKS MODE: the same report on one node, and on nodes of one rank and of two
hang() {
    local ranks=$1 mode=$2 size
    job "$ranks" "$mode" --on-hang=end
    mv "$mode.err" "$mode.one"
    for size in 1 2; do
        [ "$ranks" -gt "$size" ] || continue
        MPIPP_NODE_SIZE=$size job "$ranks" "$mode" --on-hang=end
        ok "$mpi: $mode, nodes of $size" same_hang "$mode.one" "$mode.err"
    done
}

# slowly NAME RANKS COMMAND...: on nodes of one rank, through a slow link
slowly() {
    local name=$1 ranks=$2 launcher
    shift 2
    launcher="$top/tests/cmd/slow_link.py mpiexec.mpich"
    [ "$mpi" = mpich ] || launcher="$top/tests/cmd/slow_link.py mpirun.openmpi --oversubscribe"
    for _ in 1 2 3; do # a machine that is very busy may be too slow
        MPIPP_NODE_SIZE=1 run "$name-slow" "$ranks" --launcher="$launcher" "$@"
        ! is_compared "$name-slow" || break
    done
}

slow() {
    slowly edges 4 ../edges
    ok "$mpi: edges, through a slow link" same edges edges-slow
    LATE=8 slowly edges 4 ../edges
    ok "$mpi: edges, with an agent that is late" same edges edges-slow
    slowly inter 4 ../inter
    ok "$mpi: inter, through a slow link" same inter inter-slow
    # shellcheck disable=SC2034 # for run
    options=('--check=local,collective,p2p')
    slowly correct 4 ../nodes correct
    ok "$mpi: nothing in correct calls, through a slow link" none correct-slow
    slowly messages 3 ../messages 2 10 0
    ok "$mpi: nothing in messages, through a slow link" none messages-slow
    options=()
}

# Two hosts with networks of their own, between which the kernel delays and loses packets.
netem() {
    if ! unshare -n true 2>/dev/null; then
        skip "$mpi: two networks" "no name space for a network can be made here"
    elif ! unshare -n sh -c 'ip link set lo up && tc qdisc add dev lo root netem delay 200ms loss 5%' 2>/dev/null; then
        skip "$mpi: 200 ms and 5 % loss by tc netem" "tc, or the kernel's netem, is not there"
    else # all nodes in one name space, whose only interface is slow
        slow_lo=(unshare -n sh -c 'ip link set lo up && tc qdisc add dev lo root netem delay 100ms loss 5% && exec "$@"' -)
        rm -rf in-correct-netem
        mkdir -p in-correct-netem/tmp
        (cd in-correct-netem && TMPDIR=$PWD/tmp MPIPP_NODE_SIZE=1 patiently -t 400 "${marked[@]}" "${slow_lo[@]}" "$mpipp" run -n 4 \
            --report=found.jsonl ../nodes correct >out 2>err </dev/null)
        ok "$mpi: nothing in correct calls, 200 ms and 5 % loss" none correct-netem
    fi
}

all_of() {
    local mpi=$1 name
    in_folder "$mpi"
    build "$mpi" || return
    ranks_yield "$mpi"
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    apart wrong 4 ../wrong 3 last
    apart arguments 4 ../arguments
    apart edges 4 ../edges
    apart inter 4 ../inter
    for name in two three later objects; do
        apart orders 3 ../orders $name
    done
    in_peace silent 4 ../silent
    options=('--check=local,collective,p2p')
    in_peace correct 4 ../nodes correct
    in_peace messages 3 ../messages 2 30 0
    options=()
    slow
    netem
    ranks_rest
    hang 2 recv_recv
    hang 2 wrong_tag
    hang 3 ssend_ring
    hang 3 wildcards
    hang 4 half
    hang 4 rows
    hang 2 barrier_receive
    hang 2 other_comm
    hang 4 inter_receive
    ok "$mpi: nothing is left" none_left
}

in_both all_of
finish
