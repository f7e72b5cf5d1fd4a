#!/bin/bash
# A job of several nodes under one 'mpipp run', which a user looks at from its host: 'mpipp ranks', 'mpipp attach --job', and in
# gdb 'mpi ranks' and 'mpi deadlock'. The nodes are on this machine (nodes.sh). Both MPIs.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
. tests/cmd/hanging.sh
. tests/cmd/two_hosts.sh
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS MPIPP_GATHER MPIPP_NODE_SIZE DEBUGINFOD_URLS

sources=("$top"/tests/cmd/hangs.c) options=()

# begin RANKS MODE: starts a job of ./hangs: $job
begin() {
    "${marked[@]}" "$mpipp" run -n "$1" --timeout=0 "${options[@]}" ./hangs "$2" >job.out 2>&1 </dev/null &
    job=$!
}

# waits: its ranks 0 and 1 have been in MPI_Recv for a second or more
waits() {
    local i
    for ((i = 0; i < 1200; i++)); do
        "$mpipp" ranks "$job" >listed 2>&1
        [ "$(grep -cE " [1-9][0-9]* s +MPI_Recv from [01], tag 7, " listed)" = 2 ] && return
        sleep 0.1
    done
    cat listed job.out
    return 1
}

end() {
    kill "$job"
    wait "$job" 2>/dev/null
}

# agent: the process number of the first agent
agent() {
    pids mpipp-agent | head -1
}

# swiftly SECONDS COMMAND...: it ends in this time; its output and that of errors are in 'swift'
swiftly() {
    local begun=$SECONDS seconds=$1
    shift
    patiently "$@" >swift 2>&1 </dev/null
    [ $((SECONDS - begun)) -le "$seconds" ] && return
    cat swift
    return 1
}

# has COUNT PATTERN: so many lines of 'swift' match
has() {
    [ "$(grep -cE -e "$2" swift)" = "$1" ] && return
    echo "not $1 times '$2' in:"
    cat swift
    return 1
}

# from_gdb NAME COUNT PATTERN: so many lines of what gdb said match
from_gdb() {
    [ "$(grep -cE -e "$3" "$1")" = "$2" ] && return
    echo "not $2 times '$3' in:"
    cat "$1"
    return 1
}

nodes_here() {
    local mpi=$1
    export MPIPP_NODE_SIZE=1
    begin 4 half
    unset MPIPP_NODE_SIZE
    ok "$mpi: a job of four nodes here" waits
    ok "$mpi: ranks" swiftly 20 "$mpipp" ranks
    ok "$mpi: ranks: no agent" has 0 "$mpipp\$"
    ok "$mpi: ranks of the job" swiftly 20 "$mpipp" ranks "$job"
    ok "$mpi: ranks: all agents answer" knows_all
    ok "$mpi: ranks: all" has 4 "^$job +[0-3] +[0-9]+ +$(hostname) +yes .*/hangs\$"
    ok "$mpi: ranks: nothing else" has 5 .
    "$mpipp" attach --ranks=0 -nx -batch -ex 'mpi ranks' -ex 'mpi deadlock' "$job" >part 2>&1
    ok "$mpi: one of them in gdb: mpi ranks has all" from_gdb part 1 \
        "^1 +MPI_Recv from 0, tag 7, MPI_COMM_WORLD +[1-9][0-9]* s +hangs.c:$(line receive) receive\$"
    ok "$mpi: one of them in gdb: the other two" from_gdb part 1 '^2-3 +(outside MPI|MPI_Finalize|MPI_Recv)|^2 +'
    ok "$mpi: one of them in gdb: mpi deadlock" from_gdb part 1 '^ranks 0 and 1 wait for each other$'
    ok "$mpi: one of them in gdb: the places" from_gdb part 2 \
        "^  rank [01]    MPI_Recv\\(source=[01], tag=7, MPI_COMM_WORLD\\)   hangs.c:$(line receive) in receive\$"
    ok "$mpi: one of them in gdb: nothing is absent" from_gdb part 0 'may release|not known'
    "$mpipp" attach --job -nx -batch -ex 'mpi ranks' -ex 'mpi deadlock' "$job" >attached 2>&1
    ok "$mpi: all of them in gdb" from_gdb attached 4 '^rank [0-3]: inferior [1-4], process [0-9]+$'
    ok "$mpi: all of them in gdb: mpi deadlock" from_gdb attached 1 '^ranks 0 and 1 wait for each other$'
    stacks_of "$mpi"
    as_a_rank "$mpi"
    asked "$mpi"
    end
    ok "$mpi: nothing remains" none_left
}

# In a shell that a launcher has started, 'mpipp run' has the environment of a rank, and is none.
as_a_rank() {
    local mpi=$1 job
    PMI_RANK=0 PMI_SIZE=1 "$mpipp" run --mpi="$mpi" -n 1 --timeout=0 sleep 1000 >sleeps.out 2>&1 </dev/null &
    job=$!
    while ! pgrep -P "$job" >/dev/null && kill -0 "$job"; do
        sleep 0.1
    done
    ok "$mpi: mpipp run with the environment of a rank" swiftly 20 "$mpipp" ranks
    ok "$mpi: mpipp run with the environment of a rank: it is none" has 0 "$mpipp\$"
    end
}

# reads_stacks: 'mpipp run' has a process beside it that reads stacks, and that stands still: its number is in 'beside'
reads_stacks() {
    local i k
    for ((i = 0; i < 100; i++)); do
        kill -USR1 "$job"
        for ((k = 0; k < 100; k++)); do
            if pgrep -P "$job" -x mpipp >beside && kill -STOP "$(cat beside)"; then
                sleep 0.1
                grep -q '^State:.T' "/proc/$(cat beside)/status" && return
            fi
        done
    done
    return 1
}

# That process has the command line of 'mpipp run', and its files, and is none.
stacks_of() {
    local mpi=$1
    ok "$mpi: stacks are read" reads_stacks
    ok "$mpi: while stacks are read: ranks" swiftly 20 "$mpipp" ranks
    ok "$mpi: while stacks are read: all, once" has 4 "^$job +[0-3] "
    ok "$mpi: while stacks are read: nothing else" has 4 " $PWD/hangs\$"
    kill -CONT "$(cat beside)"
}

# What goes wrong while the job is asked.
asked() {
    local mpi=$1 agent
    ok "$mpi: another version asks" eval 'talk "{\"inquiry\": 1, \"version\": \"0\", \"ask\": \"ranks\"}" >swift && has 1 "^\{\"inquiry\": ?1, ?\"version\": ?\"[^\"]+\"\}\$"'
    ok "$mpi: garbage" eval 'talk "{" >swift && has 1 "^\{\"inquiry\""'
    ok "$mpi: a long question" eval 'talk "$(head -c 100000 /dev/zero | tr "\0" x)" >swift && has 0 .'
    ok "$mpi: many who ask nothing" eval 'silent_askers && "$mpipp" ranks "$job" >swift 2>&1 && has 0 "^mpipp: "'
    agent=$(agent)
    kill -STOP "$agent"
    ok "$mpi: an agent is stopped: an answer all the same" swiftly 20 "$mpipp" ranks "$job"
    ok "$mpi: an agent is stopped: its ranks are told of" has 4 "^$job +[0-3] "
    ok "$mpi: an agent is stopped: that is said" has 1 "^mpipp: the agent on '$(hostname)' does not answer: what its ranks do is not known\$"
    kill -CONT "$agent"
    ok "$mpi: it goes on" knows_all
    pids mpipp-agent | xargs kill -STOP
    "$mpipp" attach --ranks=0 -nx -batch -ex 'mpi deadlock' "$job" >part 2>&1
    pids mpipp-agent | xargs kill -CONT
    ok "$mpi: all agents are stopped: in gdb, no verdict" from_gdb part 1 '^no deadlock is seen$'
    ok "$mpi: all agents are stopped: in gdb, of whom nothing is known" from_gdb part 1 '^of ranks 1-3 it is not known what they do$'
    "$mpipp" attach --ranks=0 -nx -batch -ex 'python from mpipp import whole_job' -ex 'python whole_job._ask = lambda what: None' \
        -ex 'mpi deadlock' "$job" >part 2>&1
    ok "$mpi: mpipp run has no memory: in gdb, no verdict" from_gdb part 1 \
        "^it is not known who waits for whom: 'mpipp run' could not find it out\$"
    ok "$mpi: mpipp run has no memory: in gdb, nothing else" from_gdb part 0 '^no deadlock'
    ok "$mpi: they go on" knows_all
    kill -STOP "$job"
    ok "$mpi: mpipp run is stopped: that is said at once" swiftly 20 "$mpipp" ranks "$job"
    ok "$mpi: mpipp run is stopped: the sentence" has 1 \
        "^mpipp: 'mpipp run' \\(process $job\\) is stopped, and answers nothing: what runs on other nodes is not known\$"
    ok "$mpi: mpipp run is stopped: the ranks here are listed" has 4 "^$job +[0-3] "
    "$mpipp" attach --ranks=0 -nx -batch -ex 'mpi ranks' -ex 'mpi deadlock' "$job" >part 2>&1
    ok "$mpi: mpipp run is stopped: in gdb" from_gdb part 2 \
        "^mpipp: 'mpipp run' \\(process $job\\) is stopped, and answers nothing: what other ranks do is not known\$"
    ok "$mpi: mpipp run is stopped: in gdb, its own ranks" from_gdb part 1 '^0 +MPI_Recv from 1, tag 7'
    kill -CONT "$job"
    pids hangs | xargs kill -STOP
    ok "$mpi: the ranks are stopped" swiftly 20 "$mpipp" ranks "$job"
    ok "$mpi: the ranks are stopped: they are shown" has 2 "^$job +[01] .* MPI_Recv from [01], tag 7"
    pids hangs | xargs kill -CONT
    kill -9 "$agent"
    ok "$mpi: an agent dies" lacks_one
}

# talk TEXT: what 'mpipp run' answers to it
talk() {
    python3 - "$job" "$1" <<'END'
import glob, os, socket, sys
path, = (one for one in glob.glob(f"/proc/{sys.argv[1]}/fd/*/inquiry"))
link = socket.socket(socket.AF_UNIX)
link.settimeout(60)
link.connect(path)
try:
    link.sendall(sys.argv[2].encode() + b"\n")
    while True:
        part = link.recv(65536)
        if not part:
            break
        sys.stdout.write(part.decode())
except ConnectionError:
    pass
END
}

# silent_askers: as many as there is room for, for a while; then there is room again
silent_askers() {
    python3 - "$job" <<'END'
import glob, socket, sys
path, = (one for one in glob.glob(f"/proc/{sys.argv[1]}/fd/*/inquiry"))
links = [socket.socket(socket.AF_UNIX) for _ in range(16)]
for link in links:
    link.connect(path)
END
}

knows_all() {
    local i
    for ((i = 0; i < 300; i++)); do
        "$mpipp" ranks "$job" >swift 2>&1
        grep -q '^mpipp: ' swift || return 0
        sleep 0.1
    done
    cat swift
    return 1
}

# One agent is gone: the three other nodes answer.
lacks_one() {
    swiftly 20 "$mpipp" ranks "$job" && has 4 "^$job +[0-3] "
}

# Hosts with names of their own: gdb reaches them by a command like ssh.
hosts() {
    local mpi=$1
    if ! two_hosts "$mpi"; then
        skip "$mpi: two hosts" "no name space for host names can be made here"
        return
    fi
    begin 4 half
    one_host
    ok "$mpi: a job of two hosts" waits
    ok "$mpi: two hosts: ranks" swiftly 20 "$mpipp" ranks "$job"
    ok "$mpi: two hosts: all agents answer" knows_all
    ok "$mpi: two hosts: all are listed, once" has 4 "^$job +[0-3] +[0-9]+ +far[12] +yes .*/hangs\$"
    ok "$mpi: two hosts: nothing else" has 5 .
    ok "$mpi: two hosts: the call" has 1 "^$job +1 .* +[1-9][0-9]* s +MPI_Recv from 0, tag 7, MPI_COMM_WORLD +/"
    ok "$mpi: two hosts: no ssh" gives 1 '^mpipp: no rank could be attached to$' \
        env MPIPP_SSH=./none "$mpipp" attach --job -nx -batch "$job"
    if command -v gdbserver >/dev/null; then
        printf '#!/bin/sh\nshift && exec "$@"\n' >ssh && chmod +x ssh
        MPIPP_SSH=./ssh "$mpipp" attach --ranks=0,1 -nx -batch -ex 'mpi ranks' -ex 'mpi deadlock' "$job" >far 2>&1
        ok "$mpi: two hosts: gdb" from_gdb far 2 '^rank [01]: inferior [12], process [0-9]+ on far[12]$'
        ok "$mpi: two hosts: mpi ranks" from_gdb far 2 \
            "^[01] +MPI_Recv from [01], tag 7, MPI_COMM_WORLD +>?=?[1-9][0-9]* s +hangs.c:$(line receive) receive\$"
        ok "$mpi: two hosts: mpi ranks, those that gdb does not have" from_gdb far 1 '^2(-3)? +'
        ok "$mpi: two hosts: mpi deadlock" from_gdb far 1 '^ranks 0 and 1 wait for each other$'
    else
        skip "$mpi: two hosts: gdb" "gdbserver is not installed"
    fi
    end
    ok "$mpi: two hosts: nothing remains" none_left
}

# A link that breaks while the job is asked; and what is left a second after the end of a job.
broken() {
    local mpi=$1 launcher="mpiexec.mpich -n 4"
    [ "$mpi" = mpich ] || launcher="mpirun.openmpi --allow-run-as-root --oversubscribe -n 4"
    MPIPP_NODE_SIZE=1 "${marked[@]}" "$mpipp" run --timeout=0 --launcher="$top/tests/cmd/slow_link.py $launcher" ./hangs half >job.out 2>&1 </dev/null &
    job=$!
    ok "$mpi: a job whose agents are behind a slow link" waits
    ok "$mpi: a slow link: all answer" swiftly 20 "$mpipp" ranks "$job"
    ok "$mpi: a slow link: all are listed" has 4 "^$job +[0-3] "
    ok "$mpi: a slow link: nothing is wrong with it" knows_all # where pieces are lost an agent may need longer than its two seconds
    "$mpipp" ranks "$job" >swift 2>&1 &
    sleep 0.1
    pids python | xargs kill -9 # the link
    wait $!
    ok "$mpi: a link that breaks while it is asked: an answer" has 4 "^$job +[0-3] "
    ok "$mpi: a broken link" swiftly 20 "$mpipp" ranks "$job"
    ok "$mpi: a broken link: that is said" has 1 "^mpipp: the agent on '$(hostname)' does not answer: what its ranks do is not known\$"
    ok "$mpi: a broken link: in gdb" gives 0 '^1(-3)? +not known: its agent does not answer' \
        "$mpipp" attach --ranks=0 -nx -batch -ex 'mpi ranks' "$job"
    "$mpipp" attach --ranks=1 -nx -batch -ex 'mpi ranks' "$job" >part 2>&1
    ok "$mpi: a broken link: a rank that gdb has is listed once" from_gdb part 1 '^1(-3)? +'
    ok "$mpi: a broken link: so are those that it does not have" from_gdb part 1 '^2-3 +not known: its agent does not answer'
    end
    ok "$mpi: a broken link: nothing remains" none_left
    MPIPP_NODE_SIZE=1 patiently -t 60 "${marked[@]}" "$mpipp" run -n 4 ./nodes type >job.out 2>&1 </dev/null
    ok "$mpi: nothing remains a second after a job" left_soon
}

# left_soon: within a second, of which a loaded machine makes some
left_soon() {
    local i
    for ((i = 0; i < 50; i++)); do
        if ! grep -qsa "MARK=$mark" /proc/[0-9]*/environ && [ -z "$(ls -d tmp/mpipp-* 2>/dev/null)" ]; then
            echo "after $((i / 10)).$((i % 10)) s"
            return 0
        fi
        sleep 0.1
    done
    grep -lsa "MARK=$mark" /proc/[0-9]*/environ
    ls -d tmp/*
    return 1
}

whole_job() {
    local mpi=$1 job
    in_folder "$mpi"
    ranks_rest
    "mpicc.$mpi" -std=gnu11 -g -Wno-stringop-overflow -o hangs "$top"/tests/cmd/hangs*.c &&
        "mpicc.$mpi" -std=gnu11 -g -o nodes "$top/tests/cmd/nodes.c" || return
    nodes_here "$mpi"
    broken "$mpi"
    hosts "$mpi"
}

in_both whole_job
finish
