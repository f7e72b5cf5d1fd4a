#!/bin/bash
# At scale, by replay: what a real agent has told is played to one 'mpipp run' by 32 nodes; hangs of up to 10^5 ranks are judged, and gathered
# from the agents of 100 nodes. Time is printed, not judged: it depends on the machine.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS MPIPP_GATHER MPIPP_NODE_SIZE DEBUGINFOD_URLS

# build NAME: a program with all that 'mpipp' has but its main()
build() {
    local objects version
    mapfile -t objects < <(find "$BUILD/obj/cmd" -name '*.o' ! -path "$BUILD/obj/cmd/main.o")
    version=$("$mpipp" --version | sed -nE '1s/^mpipp ([^ ]+).*/\1/p')
    gcc -O2 -w -D_GNU_SOURCE "-DMPIPP_VERSION=\"$version\"" -I"$top" -I"$top/cmd" -I"$top/libshadowtype" -o "$1" "$top/tests/replay/$1.c" \
        "${objects[@]}" "$BUILD/obj/core/libcore.a" -ljansson -lm -ldl -pthread
}

# has FILE PATTERN
has() {
    grep -qE -e "$2" "$1" && return
    cat "$1"
    return 1
}

in_folder replay
ok "the programs are built" eval 'build player && build judge && build crowd && build gather && mpicc.mpich -std=gnu11 -g -o nodes "$top/tests/cmd/nodes.c"'
MPIPP_NODE_SIZE=1 patiently -t 200 "${marked[@]}" ./player record stream mpiexec.mpich -n 2 "$mpipp" exec --mpi=mpich -- ./nodes correct >recorded 2>&1
ok "a real agent is recorded" test -s stream
ok "and ends" none_left
MPIPP_NODE_SIZE=1 patiently -t 200 "${marked[@]}" "$mpipp" run --mpi=mpich --launcher="./player play stream 32 10" true >played 2>&1
grep '^root: ' played
ok "32 nodes tell 10,000 calls a second" has played '^root: .* told by 32 nodes; peak memory [0-9]+ MB$'
ok "the one that differs is asked about, of each node" has played '^root: asked for the wrong call 1 time, each of 32 nodes, and for 0 others; '
ok "nothing was dropped but that one, of which the player knows no more" \
    eval '[ "$(grep -E "^mpipp: .*(too fast|could not be compared)" played)" = "mpipp: 1 collective call came too fast to be compared between nodes" ]'
MPIPP_NODE_SIZE=1 patiently -t 200 "${marked[@]}" "$mpipp" run --mpi=mpich --launcher="./player strange stream 3 1" true >strange 2>&1
ok "agents of another build are told of once" eval 'has strange "^mpipp: the mpipp on node0 is another build of " && [ "$(grep -c "is another build of" strange)" = 3 ]'
patiently -t 200 ./crowd 100 1000 >crowd.out 2>&1
grep '^10' crowd.out
ok "100,000 ranks of 100 nodes are looked at" has crowd.out '^100000 ranks in order, which wait: yes$'
ok "in memory that a login node has" eval '[ "$(sed -nE "s/.*peak memory ([0-9]+) MB\$/\1/p" crowd.out | sort -n | tail -1)" -le 200 ]'
judges() {
    local ranks=$1 last=$(($1 - 1))
    patiently -t 200 ./judge "$ranks" >judged 2>&1
    grep '^10' judged
    ok "a ring of $ranks ranks" has judged "^$ranks ranks in a ring: ranks 0-$last wait for each other: [0-9]+ ms, peak memory [0-9]+ MB\$"
    ok "of which some are told" has judged "^33 calls, the last: ranks 32-$last wait in other calls, or for other ranks\$"
    ok "a barrier of $ranks ranks without one" has judged \
        "^$ranks ranks in MPI_Barrier: ranks 1-$last wait in MPI_Barrier for rank 0, which .*: [0-9]+ ms, peak memory [0-9]+ MB\$"
    ok "is one call" has judged "^1 calls, the last: ranks 1-$last wait for them in MPI_Barrier"
    ok "in memory that a login node has" eval '[ "$(sed -nE "s/.*peak memory ([0-9]+) MB\$/\1/p" judged | sort -n | tail -1)" -le 200 ]'
}
judges 10000
judges 100000

# gathers MODE SUBJECT MESSAGE CALLS: a hang of 100,000 ranks, from the agents of 100 nodes to the report
gathers() {
    local mode=$1
    patiently -t 200 ./gather 100 1000 "$mode" >gathered 2>&1
    grep -E '^100000|bytes a rank' gathered | sort -u
    ok "100,000 ranks in a $mode are gathered, judged and told" has gathered "^found: $2 $3, for 9 s, in $4 calls\$"
    ok "of which each has sent some bytes" eval '[ "$(sed -nE "s/^([0-9]+) bytes a rank\$/\1/p" gathered | sort -n | tail -1)" -le 120 ]'
}
gathers ring 'ranks 0-99999' 'wait for each other' 33
ok "in memory that a login node has" eval '[ "$(sed -nE "s/.*peak memory ([0-9]+) MB\$/\1/p" gathered | sort -n | tail -1)" -le 200 ]'
gathers barrier 'ranks 1-99999' 'wait in MPI_Barrier for rank 0, which has left MPI by MPI_Finalize' 1
ok "in memory that a login node has" eval '[ "$(sed -nE "s/.*peak memory ([0-9]+) MB\$/\1/p" gathered | sort -n | tail -1)" -le 200 ]'
gathers halo 'ranks 0-4095' 'wait for each other' 33
patiently -t 200 ./gather 16 10 damaged >damaged 2>&1
ok "damaged answers are counted, and said" eval 'has damaged "^answers that could not be read: 16\$" &&
    has damaged "^mpipp: 16 answers of agents could not be read: what their ranks waited for was not known\$"'
ok "and nothing is found" eval '! grep "^found" damaged'
ok "nothing is left" none_left
finish
