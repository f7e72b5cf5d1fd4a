#!/bin/bash
# Collective calls in which ranks disagree are reported, with the wrong ranks and places. Correct ones are not reported.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS DEBUGINFOD_URLS
here=$top/tests/ranks
read -r python python_mpi < <(sh "$top/tests/python.sh")

# build_below MPI: random, with the calls of the quick path: no other tool stands before MPI
build_below() {
    local name quick=()
    for name in Bcast Gather Scatter Reduce Allreduce Allgather Alltoall Scan Reduce_scatter Gatherv Scatterv Allgatherv Alltoallv Alltoallw Ibcast Barrier; do
        quick+=("-DMPI_$name=PMPI_$name")
    done
    # shellcheck disable=SC2046 # words
    "mpicc.$1" -E mpi.c | python3 -S "$here/swallow.py" --below $(sed '/^#/d' "$top/tests/checks/collective.list") >below.c &&
        "mpicc.$1" -g -shared -fPIC -o libbelow.so below.c -ldl &&
        "mpicc.$1" -std=gnu11 -g "${quick[@]}" -o random_quick "$here/random.c" -L. "-Wl,-rpath,$PWD,--no-as-needed" -lbelow -lpthread
}

# build MPI: builds the programs, and the tool that does not pass wrong calls to MPI
build() {
    local mpi=$1 name
    echo '#include <mpi.h>' >mpi.c
    # shellcheck disable=SC2046 # words
    "mpicc.$mpi" -E mpi.c | python3 -S "$here/swallow.py" $(sed '/^#/d' "$top/tests/checks/collective.list") Comm_create_group \
        Comm_create_from_group Intercomm_create_from_groups >swallow.c &&
        "mpicc.$mpi" -g -shared -fPIC -o libswallow.so swallow.c || return
    build_below "$mpi" || return
    for name in wrong repeated random places arguments edges inter orders at_once silent killed first ends; do
        local swallow=()
        case $name in wrong | repeated | random | places | arguments | edges | inter | orders | at_once) swallow=(-L. "-Wl,-rpath,$PWD,--no-as-needed" -lswallow) ;; esac
        "mpicc.$mpi" -std=gnu11 -g -Wno-stringop-overflow -Wno-stringop-overread -o $name "$here/$name.c" "${swallow[@]}" -lpthread || return
    done
    if mpi_has MPI_Comm_create_from_group; then
        "mpicc.$mpi" -std=gnu11 -g -o from_groups "$here/from_groups.c" -L. "-Wl,-rpath,$PWD,--no-as-needed" -lswallow || return
    fi
    "mpicc.$mpi" -g -shared -fPIC -o libmeanwhile.so "$here/meanwhile.c" &&
        "mpicc.$mpi" -std=gnu11 -g -o concurrent "$here/concurrent.c" -L. "-Wl,-rpath,$PWD,--no-as-needed" -lmeanwhile -lpthread &&
        "mpicc.$mpi" -std=gnu11 -g -o split "$here/split.c" -L. "-Wl,-rpath,$PWD,--no-as-needed" -lswallow || return
    "mpicc.$mpi" -std=gnu11 -g -I"$top/libshadowtype" -o left "$here/left.c" -ldl || return
    "mpif90.$mpi" -g -o sample "$here/sample.f90"
}

# mpi_has FUNCTION: this MPI has it
mpi_has() {
    "mpicc.$mpi" -E mpi.c | grep -q "\<$1\>"
}

# can_make_of_groups RANKS: without mpipp the program ends by itself. Open MPI 5.0.7 fails or hangs, mostly with more than two ranks.
can_make_of_groups() {
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
        PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe patiently -t 20 "${marked[@]}" "mpirun.$mpi" -n "$1" \
        ./from_groups silent >/dev/null 2>&1 </dev/null
}

# job NAME RANKS PROGRAM ARGUMENT...: runs it in a separate folder; $options are options of mpipp
options=()
job() {
    local name=$1 ranks=$2
    shift 2
    mkdir -p "$name/tmp"
    (cd "$name" && TMPDIR=$PWD/tmp patiently "${marked[@]}" "$mpipp" run -n "$ranks" --max-reports=100000 --report=found.jsonl \
        "${options[@]}" "$@" >out 2>err </dev/null)
}

# disagree RANKS ODD first|last: each wrong call is reported once, with the right ranks and places
disagree() {
    local name=wrong-$1-$2-$3 how=two
    [ "$3" = last ] && how=all
    job "$name" "$1" ../wrong "$2" "$3"
    (cd "$name" && python3 -S "$here/compare.py" found.jsonl "$how") || { head -50 "$name/err"; return 1; }
}

# agree RANKS COMMAND...: nothing is reported
agree() {
    local name=agree-$RANDOM ranks=$1
    shift
    job "$name" "$ranks" "$@" && grep -q '^mpipp: no errors; ' "$name/err" && [ ! -s "$name/found.jsonl" ] && return
    cat "$name/err"
    return 1
}

# no_collective RANKS COMMAND...: nothing of this group is reported, and the job ends normally
no_collective() {
    local name=other-$RANDOM ranks=$1
    shift
    job "$name" "$ranks" "$@" && ! grep -q '"id":"collective-' "$name/found.jsonl" && return
    cat "$name/err"
    return 1
}

# put_in RANKS SEED CALLS WRONG [PROGRAM]: exactly the errors that the random calls contain are reported
put_in() {
    local name=random-$RANDOM
    job "$name" "$1" "../${5:-random}" "$2" "$3" "$4"
    (cd "$name" && python3 -S "$here/added.py" found.jsonl && grep -qv ' 0$' put-in.*) || { head -50 "$name/err"; return 1; }
}

# sampled ID SOURCE COMMAND...: only the last of three ranks is reported, at the marked line
sampled() {
    local id=$1 source=$2 name=sample-$RANDOM
    shift 2
    job "$name" 3 "$@"
    python3 -S - "$name/found.jsonl" "$id" "$(grep -n "wrong: $id" "$source" | cut -d: -f1)" <<'END' || { cat "$name/err"; return 1; }
import json, sys
found = [json.loads(line) for line in open(sys.argv[1])]
assert [one["id"] for one in found] == [sys.argv[2]], found
lines = {other["site"]["line"] for other in found[0]["other"]}
assert lines == {int(sys.argv[3])}, lines
assert found[0]["count"] == 1 and "rank 2" in {other["ranks"] for other in found[0]["other"]}, found
END
}

# marked RANKS SOURCE PROGRAM CASE: exactly the reports that the comments of the source name, at their lines
marked() {
    local name=marked-$4
    job "$name" "$1" "../$3" "$4"
    python3 -S - "$name/found.jsonl" "$here/$2" "$4" <<'END' || { cat "$name/err"; return 1; }
import json, re, sys
found = [json.loads(line) for line in open(sys.argv[1])]
found = sorted((one["site"]["line"], one["id"]) for one in found)
marks = sorted((number, id) for number, line in enumerate(open(sys.argv[2]), 1)
               for id, case in re.findall(r"/\* ([a-z-]+) \((\w+)\) \*/", line) if case == sys.argv[3])
assert found == marks, (found, marks)
END
}

# argued: each marked call of arguments.c is reported once, and nothing else
argued() {
    job argued 4 ../arguments
    python3 -S - argued/found.jsonl "$here/arguments.c" <<'END' || { cat argued/err; return 1; }
import json, re, sys
found = [json.loads(line) for line in open(sys.argv[1])]
assert {one["id"] for one in found} == {"collective-argument"}, found
lines = sorted((other["site"]["line"], one["call"]) for one in found for other in one["other"][:1])
marks = sorted((number, call) for number, line in enumerate(open(sys.argv[2]), 1)
               for call in re.findall(r"/\* wrong: (\w+) \*/", line))
assert lines == marks, (lines, marks)
assert all("rank 3" in one["message"] and "rank 3" in {other["ranks"] for other in one["other"]} for one in found), found
# Those whose arguments need not agree are not named: rank 3 is of one side with rank 1, and in one group with rank 0.
sides = [one["message"].split(" than ")[1] for one in found if "Intercomm_merge" in one["message"]]
groups = [one["message"].split(" than ")[1] for one in found if one["call"] == "MPI_Comm_create"]
assert sides == ["rank 1"] and groups == ["rank 0", "rank 0", "ranks 1-2"], (sides, groups)
assert all(one["count"] == 1 for one in found), found
assert {one["call"] for one in found if one["severity"] == "warning"} == {"MPI_Cart_sub", "MPI_Comm_dup_with_info"}, found
END
}

# unlike NAME: each marked call of NAME.c is reported once, with rank 3, and nothing else
unlike() {
    job "unlike-$1" 4 "../$1"
    python3 -S - "unlike-$1/found.jsonl" "$here/$1.c" <<'END' || { cat "unlike-$1/err"; return 1; }
import json, re, sys
found = [json.loads(line) for line in open(sys.argv[1])]
lines = sorted((one["other"][0]["site"]["line"], one["id"]) for one in found)
marks = sorted((number, id) for number, line in enumerate(open(sys.argv[2]), 1)
               for id in re.findall(r"/\* wrong: ([a-z-]+) \*/", line))
assert lines == marks, (lines, marks)
for one in found:
    assert "rank 3" in {other["ranks"] for other in one["other"]} and one["count"] == 1, one
END
}

# says_first collective|message NUMBER TEXT: one report, which describes the first difference by TEXT
says_first() {
    local name=first-$1-$2
    [ "$1" = message ] && local options=(--check=p2p)
    job "$name" 2 ../first "$1" "$2"
    [ "$(grep -c '^mpipp: error [a-z]*-type: ' "$name/err")" = 1 ] && [ "$(sed -n 's/^  first     //p' "$name/err")" = "$3" ] && return
    cat "$name/err"
    return 1
}

# tagged: the ranks pass different tags before each of them knows the other one
tagged() {
    job tagged 2 ../at_once
    grep -q '^mpipp: error collective-argument: rank 1 passes tag 6 to MPI_Intercomm_create where rank 0 passes tag 5' tagged/err && return
    cat tagged/err
    return 1
}

# misplaced win|file|open: of two ranks one makes another call on a window, a file, or after a file was not there
misplaced() {
    local name=misplaced-$1 place
    job "$name" 2 ../places "$1" wrong
    for place in "wrong: $1" "right: $1"; do
        place=$(grep -n "/\* $place \*/" "$here/places.c" | cut -d: -f1)
        [ "$(grep -c "^  rank [01]  .*places.c:$place in use_" "$name/err")" = 1 ] || { cat "$name/err"; return 1; }
    done
    [ "$(grep -c '^mpipp: error ' "$name/err")" = 1 ] && grep -q '^mpipp: error collective-call: rank 1 calls ' "$name/err" && return
    cat "$name/err"
    return 1
}

# dies COUNT ARGUMENT...: a killed rank ends the job; the finding before it is printed COUNT times
dies() {
    local count=$1 name=killed-$RANDOM
    shift
    options=(--timeout=0)
    job "$name" 3 ../killed "$@" # the exit status is the launcher's: MPICH 4.2's gives 0 now and then
    grep -q 'ended early$' "$name/err" && [ "$(grep -c '^mpipp: error collective-' "$name/err")" = "$count" ] && none_left && return
    cat "$name/err"
    return 1
}

# left_by CASE TEXT: what no rank has compared is found when the job has ended; no TEXT: nothing is
left_by() {
    local name=left-$1
    options=(--timeout=0)
    job "$name" 3 ../left "$1" # as above
    options=()
    grep -q 'ended early$' "$name/err" && [ "$(sed -n 's/^mpipp: error //p' "$name/err")" = "$2" ] && return
    cat "$name/err"
    return 1
}

collectives() {
    local mpi=$1 calls=3000 place
    in_folder "$mpi"
    ranks_yield "$mpi"
    build "$mpi" || return
    # MPICH's ranks never release the processor while they wait.
    [ "$mpi" = mpich ] && calls=300
    ok "$mpi: 2 ranks that disagree" disagree 2 1 last
    ok "$mpi: 3 ranks that disagree" disagree 3 2 last
    ok "$mpi: 4 ranks that disagree, rank 0 with the others" disagree 4 0 last
    ok "$mpi: the wrong one comes first" disagree 3 1 first
    options=(--check=local)
    ok "$mpi: --check=local" no_collective 2 ../wrong 1 last
    options=()
    for ranks in 2 3 4; do
        ok "$mpi: $ranks ranks that agree" agree $ranks ../silent
        ok "$mpi: $ranks ranks that agree, with one thread each" agree $ranks ../silent alone
    done
    ok "$mpi: a rank that goes another way after an error" no_collective 3 ../silent refused
    ok "$mpi: $calls random calls" agree 3 ../random 1 $calls 0
    ok "$mpi: $calls random calls with wrong ones" put_in 3 2 $calls 20
    ok "$mpi: $calls random calls with wrong ones, 2 ranks" put_in 2 3 $calls 10
    ok "$mpi: $calls random calls on the quick path" agree 3 ../random_quick 1 $calls 0
    ok "$mpi: $calls random calls on the quick path with wrong ones" put_in 3 2 $calls 20 random_quick
    ok "$mpi: $calls random calls on the quick path with wrong ones, 2 ranks" put_in 2 3 $calls 10 random_quick
    ok "$mpi: wrong calls on very many communicators" put_in 2 5 6000 3
    ok "$mpi: Fortran" sampled collective-type "$here/sample.f90" ../sample
    [ "$python_mpi" = "$mpi" ] && ok "$mpi: mpi4py" sampled collective-op "$here/sample.py" "$python" "$here/sample.py"
    ok "$mpi: other arguments" argued
    ok "$mpi: the first call of all" tagged
    ok "$mpi: what neighbours send" unlike edges
    ok "$mpi: two groups" unlike inter
    ok "$mpi: calls that a line repeats" unlike repeated
    if mpi_has MPI_Comm_create_from_group; then
        ok "$mpi: communicators made of groups" unlike from_groups
        for ranks in 2 3 4; do
            if can_make_of_groups $ranks; then
                ok "$mpi: communicators made of groups, $ranks ranks that agree" agree $ranks ../from_groups silent
            else
                skip "$mpi: communicators made of groups, $ranks ranks that agree" "without mpipp this MPI fails, or hangs"
            fi
        done
    else
        skip "$mpi: communicators made of groups" "this MPI has no MPI_Comm_create_from_group"
    fi
    ok "$mpi: the first difference" says_first collective 1 'element 1 is MPI_FLOAT in rank 1, MPI_INT in rank 0'
    ok "$mpi: the first difference, further in" says_first collective 19 'element 19 is MPI_FLOAT in rank 1, MPI_INT in rank 0'
    ok "$mpi: a first difference that is not known" says_first collective 35 \
        'not known: of each of its last 32 datatypes a rank publishes the first 28 runs of equal elements'
    ok "$mpi: the first difference of a message" says_first message 19 'element 19 is MPI_INT in rank 0, MPI_FLOAT in rank 1'
    for place in win file; do
        ok "$mpi: collective calls of a $place" agree 2 ../places $place
        ok "$mpi: a wrong collective call of a $place" misplaced $place
    done
    ok "$mpi: collective calls after a file that is not there" agree 2 ../places open
    ok "$mpi: a wrong collective call after a file that is not there" misplaced open
    ok "$mpi: a rank is killed" dies 0 right
    ok "$mpi: a rank is killed after a wrong call" dies 1
    ok "$mpi: a rank is killed before it compares its operation" left_by op \
        "collective-op: rank 2 passes another operation to MPI_Allreduce where ranks 0-1 pass MPI_SUM"
    ok "$mpi: a rank is killed before it compares its root" left_by root \
        "collective-root: rank 2 passes root 1 to MPI_Bcast where ranks 0-1 pass root 0"
    ok "$mpi: a rank is killed, and has passed the right root" left_by right ""
    options=()
    for place in call nonblocking window inside returns; do
        ok "$mpi: two threads at a time, $place" marked 2 concurrent.c concurrent $place
    done
    for place in left alone silent; do
        ok "$mpi: two threads, $place" agree 2 ../concurrent $place
    done
    for place in between without other begun; do
        ok "$mpi: split collective calls, $place" marked 2 split.c split $place
    done
    ok "$mpi: split collective calls, as they should be" agree 2 ../split silent
    for place in two three later objects; do
        ok "$mpi: an order that goes in a circle, $place" marked 3 orders.c orders $place
    done
    for place in nonblocking overlapping threads freed; do
        ok "$mpi: orders that go in no circle, $place" agree 3 ../orders $place
    done
    for place in more fewer freed; do
        ok "$mpi: ranks make different calls at the end, $place" marked 3 ends.c ends $place
    done
    ok "$mpi: ranks make equal numbers of calls" agree 3 ../ends silent
    ok "$mpi: nothing is left" none_left
}

in_both collectives
finish
