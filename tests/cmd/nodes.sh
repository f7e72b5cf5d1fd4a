#!/bin/bash
# Jobs of several nodes: what ranks of different nodes do together is checked as on one. The nodes are on this machine:
# MPIPP_NODE_SIZE=N makes one of each N ranks; where a name space of host names can be made, there are two hosts. Both MPIs.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
. tests/cmd/hanging.sh
. tests/cmd/two_hosts.sh
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS MPIPP_GATHER MPIPP_NODE_SIZE DEBUGINFOD_URLS

sources=("$top"/tests/cmd/hangs.c) options=() program=(./hangs)

# wrong_line MARK: its line number in nodes.c
wrong_line() {
    grep -n "wrong: $1 " "$top/tests/cmd/nodes.c" | cut -d: -f1
}

# run NODE_SIZE RANKS MODE [OPTION...]: ./nodes in MODE; its output and status are in files
run() {
    local node_size=$1 ranks=$2 mode=$3
    shift 3
    env MPIPP_NODE_SIZE="$node_size" "${marked[@]}" patiently -t 120 "$mpipp" run -n "$ranks" "$@" ./nodes "$mode" >"$mode.out" 2>"$mode.err" </dev/null
    echo $? >"$mode.status"
}

# tells MODE PATTERN...: its one report has these lines
tells() {
    local mode=$1 pattern
    shift
    for pattern in "$@"; do
        grep -qE -e "$pattern" "$mode.err" || { echo "no '$pattern' in:"; cat "$mode.err"; return 1; }
    done
    [ "$(grep -cE '^mpipp: error' "$mode.err")" = 1 ] || { cat "$mode.err"; return 1; }
}

# quiet MODE: it ended by itself without a report or a sentence
quiet() {
    [ "$(cat "$1.status")" = 0 ] && [ "$(grep -c '^mpipp: ' "$1.err")" = 1 ] && grep -q '^mpipp: no errors; ' "$1.err" && return
    cat "$1.err"
    return 1
}

# alone REPORT: the report on a hang, without what differs from run to run: process numbers, durations, and on a loaded machine
# which ranks were stopped in time to show their stacks
alone() {
    sed -E '/^  look/s/[0-9]+$/PID/; s/for [0-9]+ s/for N s/; /^  (no stack|stacks) |^ {12}ranks? [0-9].*: /d' "$1" | grep -A12 '^mpipp: error' | sed '/^mpipp: the job/,$d'
}

same_report() {
    diff <(alone "$1") <(alone "$2")
}

hangs() {
    local mpi=$1 mode
    local both=("4 half" "2 waitall" "4 rows" "2 post_missing" "4 inter_create" "3 persistent_freed")
    options=("--check=local,collective,p2p")
    side_by_side "${both[@]}" "2 wrong_tag" # on one node
    for mode in half waitall rows post_missing inter_create persistent_freed wrong_tag; do
        mv $mode.err $mode.one
    done
    export MPIPP_NODE_SIZE=1
    side_by_side "${both[@]}" "2 wrong_tag"
    options=()
    side_by_side "2 recv_recv" "2 crosswise" "2 barrier_finalized" "3 wildcards"
    unset MPIPP_NODE_SIZE
    ok "$mpi: two nodes that receive from each other" found recv_recv 'deadlock: ranks 0 and 1 wait for each other' \
        "MPI_Recv\(source=0, tag=7, MPI_COMM_WORLD\)   hangs.c:$(line receive) in receive\(\)" \
        '^  stacks    ranks 0-1: main > recv_recv > receive > MPI_Recv$|^  stacks    ranks 0-1: .*MPI_Recv$' '^  look      mpipp attach --ranks=0,1 '
    for mode in half waitall rows post_missing inter_create persistent_freed wrong_tag; do
        ok "$mpi: the same report as on one node: $mode" same_report $mode.one $mode.err
    done
    ok "$mpi: what was sent instead" found wrong_tag '; rank 0 has sent one with tag 9 \(hangs.c:'
    ok "$mpi: barriers crosswise" found crosswise 'deadlock|collective-order|collective-call'
    ok "$mpi: a rank of another node that is in MPI_Finalize" found barrier_finalized 'collective-missing: .* which is in MPI_Finalize'
    ok "$mpi: MPI_Waitall" found waitall 'deadlock: ranks 0 and 1' 'MPI_Irecv of hangs.c:'
    ok "$mpi: wildcards" found wildcards 'deadlock: ranks 0-2 wait for each other'
    ok "$mpi: ranks that wait for one that sleeps on another node" note rests
}

# note MODE: ranks wait for one of another node that is in no call; the whole job stands still
note() {
    local job
    rm -f go
    env MPIPP_NODE_SIZE=1 "${marked[@]}" patiently -t 120 "$mpipp" run -n 3 --timeout=2 ./waits_for "$1" >"$1.out" 2>"$1.err" </dev/null &
    job=$!
    until_there '^mpipp: note no-progress: .* MPI_Barrier .* for rank ' "$1.err"
    : >go
    wait "$job" && grep -q '^mpipp: no errors, 1 note; ' "$1.err" && return
    cat "$1.err"
    return 1
}

collectives() {
    local mpi=$1 node_size
    run 1 3 type
    ok "$mpi: another type" tells type "collective-type: rank 2 passes 4 x MPI_FLOAT to MPI_Bcast where ranks 0-1 pass 4 x MPI_INT\$" \
        "^  rank 2    MPI_Bcast\(data=4 x MPI_FLOAT, root=0, comm=MPI_COMM_WORLD\)   nodes.c:$(wrong_line type) in wrong\(\)\$" \
        '^  order     both are collective call 2 of MPI_COMM_WORLD$' '^  found     by mpipp, which compares the calls of the nodes$' \
        '^  advice    let count and datatype name the same elements'
    run 1 3 mixed
    ok "$mpi: the first difference" tells mixed 'collective-type: rank 2 passes 3 x several basic types' \
        '^  first     element 1 is MPI_FLOAT in rank 2, MPI_INT in ranks 0-1$'
    run 1 3 operation
    ok "$mpi: another operation" tells operation 'collective-op: rank 2 passes MPI_MAX to MPI_Allreduce where ranks 0-1 pass MPI_SUM$'
    run 1 3 unequal
    ok "$mpi: what a rank receives is not what another one sends" tells unequal \
        'collective-type: rank 2 sends 3 x MPI_INT to rank 0 in MPI_Gatherv, which receives 2 x MPI_INT from it$' \
        "^  rank 2    MPI_Gatherv\\(.*comm=MPI_COMM_WORLD\\)   nodes.c:$(wrong_line pair) in unequal\\(\\)\$"
    run 2 4 type
    ok "$mpi: two ranks of one node tell it themselves, once" tells type 'collective-type: rank 3 receives 4 x MPI_FLOAT in MPI_Bcast where rank 2 '
    run 1 3 killed
    ok "$mpi: a rank is killed" tells killed 'collective-(call|root): ' "nodes.c:$(wrong_line killed) in killed"
    for node_size in 1 2; do
        run "$node_size" 4 correct --check=local,collective,p2p
        ok "$mpi: correct calls, nodes of $node_size" eval '! grep -E "^mpipp: (error|warning)" correct.err && [ "$(cat correct.status)" = 0 ]'
    done
    run 1 4 correct
    ok "$mpi: correct calls are compared in silence" quiet correct
}

# message HOW PATTERN...: a message between two nodes; its one report has these lines, as on one node
message() {
    local how=$1 pattern
    shift
    env MPIPP_NODE_SIZE=1 "${marked[@]}" patiently -t 120 "$mpipp" run -n 2 --check=local,collective,p2p "${how%% *}" "${how#* }" >message.out 2>message.err </dev/null
    for pattern in "$@"; do
        grep -qE -e "$pattern" message.err || { echo "no '$pattern' in:"; cat message.err; return 1; }
    done
    [ "$(grep -cE '^mpipp: (error|warning)' message.err)" = 1 ] && ! grep -q 'could not be compared' message.err && return
    cat message.err
    return 1
}

messages() {
    local mpi=$1 how
    for how in recv irecv waitall mprobe swap persistent; do
        ok "$mpi: a message of another node, $how" message "./misfits $how" \
            'match-type: rank [01] receives 6 x MPI_INT where rank 0 sends 6 x MPI_FLOAT( \(3 times\))?$' '^  rank 0    MPI_.*   misfits.c:'
    done
    ok "$mpi: one that is too long" message "./misfits long" 'match-truncation: rank 1 has room for 2 x MPI_INT where rank 0 sends 6 x MPI_INT$'
    ok "$mpi: one that is never received" message "./after_others lost" 'match-lost: rank 1 never receives what rank 0 sends with tag 7$'
    ok "$mpi: a ready send to another node: that it is not checked is said" times 1 \
        '^mpipp: whether the receives of 1 ready send were there before is not known between nodes' \
        env MPIPP_NODE_SIZE=1 "${marked[@]}" "$mpipp" run -n 2 --check=p2p ./match-ready
    ok "$mpi: races with messages of other nodes: the same" times 1 '^mpipp: 2 receives from any source: which messages of other nodes could ' \
        env MPIPP_NODE_SIZE=1 "${marked[@]}" "$mpipp" run -n 3 --check=race ./match-race
    ok "$mpi: where all ranks are on one: nothing is said" times 0 'is not known' \
        env MPIPP_NODE_SIZE=9 "${marked[@]}" "$mpipp" run -n 3 --check=race ./match-race
    env MPIPP_NODE_SIZE=1 "${marked[@]}" patiently -t 240 "$mpipp" run -n 3 --check=local,p2p ./messages 2 30 0 >correct.out 2>correct.err </dev/null
    ok "$mpi: random messages are compared in silence" eval '[ "$(grep -c "^mpipp: " correct.err)" = 1 ] && grep -q "^mpipp: no errors; " correct.err'
}

# keep_going RANKS: a job on nodes of one rank, in the background, until stop_going
keep_going() {
    rm -f stop
    run 1 "$1" keep_going &
    job=$!
}

stop_going() {
    touch stop
    wait "$job"
}

# went_well [LINES]: the job's status is 0, and mpipp has found nothing; it has said so many lines
went_well() {
    [ "$(cat keep_going.status)" = 0 ] && grep -q '^mpipp: no errors; ' keep_going.err &&
        { [ $# = 0 ] || [ "$(grep -c '^mpipp: ' keep_going.err)" = "$1" ]; } && return
    cat keep_going.err
    return 1
}

pid_of_run() {
    pids mpipp | while read -r one; do [ "$(cat "/proc/$one/comm")" = mpipp ] && echo "$one"; done | head -1
}

faults() {
    local mpi=$1 job port
    keep_going 3
    ok "$mpi: there are agents" until_agents 2
    kill -9 "$(pids mpipp-agent | head -1)"
    ok "$mpi: an agent that dies is told" until_there 'nothing is heard of the agent on ' keep_going.err
    stop_going
    ok "$mpi: the job goes on without it" went_well
    keep_going 2
    ok "$mpi: an agent that is stopped" until_agents 1
    pids mpipp-agent | xargs kill -STOP
    ok "$mpi: is told" until_there 'nothing is heard of the agent on ' keep_going.err
    pids mpipp-agent | xargs kill -CONT
    ok "$mpi: and that it goes on" until_there '^mpipp: the agent on .* is heard again$' keep_going.err
    stop_going
    ok "$mpi: and nothing is lost" went_well 3
    keep_going 2
    ok "$mpi: an agent, and 'mpipp run' that is stopped" until_agents 1
    kill -STOP "$(pid_of_run)"
    sleep 10
    kill -CONT "$(pid_of_run)"
    sleep 2
    stop_going
    ok "$mpi: nobody is missed" went_well 1
    keep_going 2
    ok "$mpi: an agent again" until_agents 1
    port=$(tr '\0' '\n' <"/proc/$(pids mpipp-agent | head -1)/environ" | sed -nE 's/^MPIPP_GATHER=.*:([0-9]+)$/\1/p')
    ok "$mpi: garbage at the port" garbage "$port"
    stop_going
    ok "$mpi: changes nothing" went_well
    keep_going 2
    ok "$mpi: an agent once more" until_agents 1
    kill -9 "$(pid_of_run)"
    stop_going
    ok "$mpi: agents end when 'mpipp run' was killed" agents_end
    ok "$mpi: and its folder is removed" folders_end
    keep_going 3
    ok "$mpi: two agents" until_agents 2
    # shellcheck disable=SC2046 # numbers
    kill -9 $(pids mpipp-agent)
    stop_going
    ok "$mpi: agents that are gone at the end are told of" eval '[ "$(cat keep_going.status)" = 0 ] &&
        [ "$(grep -cE "^mpipp: (the agent on .* has not told the last calls of its ranks|nothing is heard of the agent)" keep_going.err)" = 2 ]'
    : >empty && mkdir -p none && cp empty none/libzmq.so.5
    ok "$mpi: no ZeroMQ" gives 0 'what ranks of different nodes do together is not checked: .*libzmq' \
        env MPIPP_NODE_SIZE=1 LD_LIBRARY_PATH="$PWD/none" "${marked[@]}" "$mpipp" run -n 2 ./nodes correct
    ok "$mpi: nothing remains" none_left
}

# The first of two addresses of `mpipp run' leads nowhere: an agent tries it for three seconds.
dead_address() {
    local mpi=$1 launcher="mpiexec.mpich -n 3"
    [ "$mpi" = mpich ] || launcher="mpirun.openmpi --allow-run-as-root --oversubscribe -n 3"
    # shellcheck disable=SC2016 # of the script
    printf '#!/bin/sh\nMPIPP_GATHER=$(echo "$MPIPP_GATHER" | sed "s|,tcp://|,tcp://127.0.0.1:9,tcp://|")\nexport MPIPP_GATHER\nexec "$@"\n' >first_dead
    chmod +x first_dead
    MPIPP_NODE_SIZE=1 "${marked[@]}" patiently -t 120 "$mpipp" run --launcher="$PWD/first_dead $launcher" ./nodes type >type.out 2>type.err </dev/null
    ok "$mpi: an address that leads nowhere: what was begun meanwhile is compared" tells type 'collective-type: rank 2 passes 4 x MPI_FLOAT to MPI_Bcast where rank'
}

# until_agents COUNT: so many agents are there, and their ranks are in MPI
until_agents() {
    local i
    for ((i = 0; i < 1200; i++)); do
        [ "$(pids mpipp-agent | wc -l)" -ge "$1" ] && [ -n "$(pids nodes)" ] && sleep 2 && return
        sleep 0.1
    done
    cat keep_going.err
    return 1
}

# agents_end: within 3 seconds; by time alone they would take longer
agents_end() {
    local i one
    for ((i = 0; i < 30; i++)); do
        one=$(pids mpipp-agent | while read -r one; do grep -qs '^State:.Z' "/proc/$one/status" || echo "$one"; done)
        [ -z "$one" ] && return
        sleep 0.1
    done
    return 1
}

garbage() {
    local i
    [ -n "$1" ] || return 1
    for i in 1 2 3 4 5; do
        head -c 100000 /dev/urandom 2>/dev/null >"/dev/tcp/127.0.0.1/$1"
    done
    return 0
}

# folders_end: no folder of an 'mpipp run' is left
folders_end() {
    local i
    for ((i = 0; i < 100; i++)); do
        compgen -G 'tmp/mpipp-*' >/dev/null || return 0
        sleep 0.1
    done
    return 1
}

# branch RANK: the agent of another rank to which agents have come
branch() {
    local one most=0 found='' count
    for one in $(pids mpipp-agent); do
        tr '\0' '\n' <"/proc/$one/environ" | grep -qE "^(PMI_RANK|OMPI_COMM_WORLD_RANK)=$1\$" && continue
        count=$(find "/proc/$one/fd" -lname 'socket:*' 2>/dev/null | wc -l)
        [ "$count" -gt "$most" ] && most=$count && found=$one
    done
    echo "$found"
}

# Agents that come to other agents: MPIPP_NODE_WIDTH=1 makes a row of them, 2 a tree.
tree() {
    local mpi=$1 job width
    for width in 1 2; do
        export MPIPP_NODE_WIDTH=$width
        run 1 4 type
        ok "$mpi: another type, $width to an agent" tells type \
            "collective-type: rank 3 passes 4 x MPI_FLOAT to MPI_Bcast where ranks 0-2 pass 4 x MPI_INT\$"
        run 1 4 correct
        ok "$mpi: correct calls, $width to an agent" quiet correct
    done
    options=("--check=local,collective,p2p")
    MPIPP_NODE_SIZE=1 side_by_side "4 half" "2 waitall"
    options=()
    ok "$mpi: a hang, $width to an agent" same_report half.one half.err
    ok "$mpi: the places of requests, $width to an agent" same_report waitall.one waitall.err
    export MPIPP_NODE_WIDTH=1
    ok "$mpi: a message, $MPIPP_NODE_WIDTH to an agent" message "./misfits swap" 'match-type: rank [01] receives 6 x MPI_INT where rank 0 sends 6 x MPI_FLOAT'
    rm -f stop
    run 1 4 keep_going_wrong &
    job=$!
    ok "$mpi: a row of agents" until_agents 3
    kill -9 "$(branch 3)"
    ok "$mpi: one that dies is told" until_there 'nothing is heard of the agent on ' keep_going_wrong.err
    sleep 15 # those behind it have noticed it after ten seconds
    touch stop
    wait "$job"
    ok "$mpi: those behind it go back, which is said" grep -qE '^mpipp: [12] agents? lost the way by another agent' keep_going_wrong.err
    ok "$mpi: what they tell then is compared" grep -q '^mpipp: error collective-type: rank 3 passes 4 x MPI_FLOAT to MPI_Bcast where ' keep_going_wrong.err
    ok "$mpi: all other agents were heard" times 1 'nothing is heard of the agent' cat keep_going_wrong.err
    unset MPIPP_NODE_WIDTH
    ok "$mpi: no agent remains" none_left
}

# launchers MPI: that name no host, and start ranks on two: a script of the user's, as srun is, and an MPI's own, which may have the
# hosts from a file that mpipp does not know
launchers() {
    local mpi=$1 launcher="mpiexec.mpich"
    [ "$mpi" = mpich ] || launcher="mpirun.openmpi --oversubscribe"
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$launcher" "${options[*]}" >start
    chmod +x start && cp start mpiexec-hidden
    "${marked[@]}" patiently -t 120 "$mpipp" run --launcher="./start -n 4" ./nodes operation >operation.out 2>operation.err </dev/null
    if [ "$mpi" = mpich ]; then
        ok "$mpi: two hosts of a launcher that is no MPI's own" tells operation 'collective-op: rank 3 .* MPI_Allreduce where '
    else # its mpirun passes on what -x names, and mpipp does not know how to tell a script that
        ok "$mpi: two hosts of a launcher that is no MPI's own: that is said" grep -q \
            '^mpipp: ranks 0-3 were on nodes whose agents could not be reached: what they do' operation.err
    fi
    ok "$mpi: two hosts of an MPI's own launcher, which names none: that is said" times 1 \
        "^mpipp: ranks [0-3,-]+ were on other hosts, which no option of the launcher named \\(such as -hosts\\): what they do together with others was not checked" \
        "${marked[@]}" "$mpipp" run --launcher="./mpiexec-hidden -n 4" ./nodes operation
    ok "$mpi: the same with --check=local: nothing is said" times 0 'was not checked' \
        "${marked[@]}" "$mpipp" run --check=local --launcher="./mpiexec-hidden -n 4" ./nodes operation
}

hosts() {
    local mpi=$1
    if ! two_hosts "$mpi"; then
        skip "$mpi: two hosts" "no name space for host names can be made here"
        return
    fi
    job 4 half --fail-on=error
    ok "$mpi: ranks on two hosts" found half 'deadlock: ' '^  look      mpipp attach --ranks=0,1 [0-9]+$'
    mv half.err half.asked
    : >no_folder # so that 'mpipp run' has none for a socket
    TMPDIR=$PWD/no_folder OMPI_MCA_orte_tmpdir_base=$PWD/tmp job 4 half --fail-on=error
    ok "$mpi: ranks on two hosts, and nobody to ask where they are" found half 'deadlock: ' '^  look      mpipp attach (far[12]:)?[0-9]+$'
    "${marked[@]}" patiently -t 120 "$mpipp" run -n 4 "${options[@]}" ./nodes operation >operation.out 2>operation.err </dev/null
    ok "$mpi: a collective call of two hosts" tells operation 'collective-op: rank 3 .* MPI_Allreduce where '
    launchers "$mpi"
    one_host
}

nodes() {
    local mpi=$1 name
    in_folder "$mpi"
    ranks_rest
    "mpicc.$mpi" -std=gnu11 -g -Wno-stringop-overflow -o hangs "$top"/tests/cmd/hangs*.c &&
        "mpicc.$mpi" -std=gnu11 -g -o waits_for "$top/tests/cmd/waits_for.c" -lpthread &&
        "mpicc.$mpi" -std=gnu11 -g -o nodes "$top/tests/cmd/nodes.c" || return
    for name in misfits after_others messages; do
        "mpicc.$mpi" -std=gnu11 -g -w -o $name "$top/tests/ranks/$name.c" -lpthread -ldl || return
    done
    for name in match-ready match-race; do
        "mpicc.$mpi" -std=gnu11 -g -w -o $name "$top/examples/errors/$name.c" || return
    done
    hangs "$mpi"
    collectives "$mpi"
    messages "$mpi"
    dead_address "$mpi"
    faults "$mpi"
    tree "$mpi"
    hosts "$mpi"
    ok "$mpi: no process remains" none_left
}

in_both nodes
finish
