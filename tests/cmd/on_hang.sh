#!/bin/bash
# Actions after the report of a job that hangs ('mpipp run --on-hang'), and ways to look at such a job: by
# signals, and by 'mpipp attach'. Under both MPIs.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS DEBUGINFOD_URLS

# begin RANKS MODE [OPTION...]: a job in the background, in a new session without a terminal; $job: mpipp's PID
begin() {
    local ranks=$1 mode=$2
    shift 2
    rm -f err
    "${marked[@]}" setsid "$mpipp" run -n "$ranks" --timeout=2 "$@" "./${program:-hangs}" "$mode" >out 2>err </dev/null &
    job=$!
}

# over: waits until the job has ended; $status: its exit status
over() {
    wait "$job" 2>/dev/null
    status=$?
}

# all_end: no rank is left, within a minute
all_end() {
    local i
    for ((i = 0; i < 600; i++)); do
        [ -z "$(pids hangs)" ] && return
        sleep 0.1
    done
    return 1
}

# end: ends the job
end() {
    kill "$job"
    over
}

# lines PATTERN...: each is in err
lines() {
    local pattern
    for pattern in "$@"; do
        grep -qE -e "$pattern" err || { echo "no '$pattern' in:"; cat err; return 1; }
    done
}

# stays RANKS: some seconds after its report the job still exists, with all its ranks
report='^  look      mpipp attach --ranks=0,1 [0-9]+$'
stays() {
    until_there "$report" err && sleep 4 && kill -0 "$job" && [ "$(pids hangs | wc -l)" = "$1" ]
}

# snapshot SIGNAL: mpipp prints once the call that each rank is in
snapshot() {
    local before i line
    line=$(grep -n "hang: receive " "$top/tests/cmd/hangs.c" | cut -d: -f1)
    for ((i = 0; i < 100; i++)); do
        before=$(grep -c '^mpipp: what 2 ranks are in now$' err)
        kill -"$1" "$job"
        until_there_times $((before + 1)) '^mpipp: what 2 ranks are in now$' err || return
        sleep 0.2
        tail -n +"$(grep -n '^mpipp: what 2 ranks are in now$' err | tail -n 1 | cut -d: -f1)" err >last
        if grep -qE "^  rank 0    MPI_Recv\(source=1, tag=7, MPI_COMM_WORLD\)   hangs.c:$line   for [0-9]+ s$" last &&
            grep -qE "^  rank 1    MPI_Recv\(source=0, tag=7, MPI_COMM_WORLD\)   hangs.c:$line   for [0-9]+ s$" last; then
            return 0
        fi
        [ "$1" = USR1 ] || break
        sleep 0.3
    done
    cat err
    return 1
}

# until_both_wait: 'mpipp ranks' shows both ranks in their call
until_both_wait() {
    local i
    for ((i = 0; i < 600; i++)); do
        [ "$("$mpipp" ranks "$job" 2>/dev/null | grep -c ' MPI_Recv from [01]')" = 2 ] && return
        sleep 0.1
    done
    return 1
}

# until_there_times COUNT PATTERN FILE: so many lines match
until_there_times() {
    local i
    for ((i = 0; i < 600; i++)); do
        [ "$(grep -cE -e "$2" "$3")" -ge "$1" ] && return
        sleep 0.1
    done
    echo "not $1 times '$2' in: $(cat "$3")"
    return 1
}

# looked: the command of the report opens gdb on both ranks, where 'mpi deadlock' says the same
looked() {
    local attach
    attach=$(sed -nE 's/^  look      mpipp attach //p' err)
    # shellcheck disable=SC2086 # words
    times 1 '^ranks 0 and 1 wait for each other$' "${marked[@]}" "$mpipp" attach -nx -batch -ex 'mpi deadlock' $attach
}

no_gdb() {
    ! pids gdb | grep .
}

# in_terminal: gdb has the terminal and both ranks, and gives it back: Ctrl-C ends the job then
in_terminal() {
    cat >terminal.exp <<'END'
set timeout 300
proc see {what} {
    expect -re $what {} timeout { puts "TIMEOUT: $what"; exit 1 } eof { puts "EOF: $what"; exit 1 }
}
eval spawn $argv
see {\(gdb\) }
send "mpi deadlock\r"
see {ranks 0 and 1 wait for each other.*\(gdb\) }
send "\032"
send "python print(6 * 7)\r"
see {42.*\(gdb\) }
send "quit\r"
see {y or n}
send "y\r"
see {mpipp: gdb has ended; the job is still there: 'kill \d+' ends it}
send "\003"
see {mpipp: 1 error; }
expect eof
END
    patiently -t 400 "${marked[@]}" TERM=dumb expect terminal.exp \
        "$mpipp" run -n 2 --timeout=2 --on-hang=gdb ./hangs recv_recv >terminal 2>&1 </dev/null && return
    cat terminal
    return 1
}

# in_background: of a shell in a terminal
in_background() {
    cat >background.exp <<'END'
set timeout 300
eval spawn sh -mc [list "\$0 \"\$@\" </dev/null & until \[ -e seen \]; do sleep 0.2; done; kill %1; wait"] $argv
expect -re {'--on-hang=gdb': the job runs in the background of its terminal; 'mpipp attach --ranks=0,1 \d+' looks at the ranks} {} \
    timeout { puts "TIMEOUT"; exit 1 } eof { puts "EOF"; exit 1 }
close [open seen w]
expect eof
END
    patiently -t 400 "${marked[@]}" TERM=dumb expect background.exp \
        "$mpipp" run -n 2 --timeout=2 --on-hang=gdb ./hangs recv_recv >background 2>&1 </dev/null && return
    cat background
    return 1
}

# in_files: the report as a page, with a picture of who waits for whom, and as JSON
in_files() {
    grep -q '<svg class=hang' o.html && [ "$(grep -c '^<rect class="rank core"' o.html)" = 2 ] &&
        [ "$(grep -c '^<rect class="rank behind"' o.html)" = 1 ] && [ "$(grep -c '^<path class=waits' o.html)" = 4 ] &&
        [ "$(grep -c '^<svg class=hang\|^<details.*stacks\|^</ul></details>' o.html)" = 3 ] &&
        [ "$(grep -o '<svg ' o.html | wc -l)" = "$(grep -o '</svg>' o.html | wc -l)" ] || return
    python3 - <<'END'
import json
report = json.loads(open("o.jsonl").readline())
nodes, edges = report["waits"]["nodes"], report["waits"]["edges"]
assert [(node["ranks"], node["state"]) for node in nodes] == [([0], "waits"), ([1], "waits"), ([2, 3], "behind")], nodes
assert sorted(edges) == [[0, 1], [1, 0], [2, 0], [2, 1]], edges
tree = report["stacks"]
assert tree["ranks"] == [0, 1, 2, 3] and tree["frames"][0]["function"] == "main", tree
receive, barrier = tree["branches"]
assert (receive["ranks"], receive["frames"][-1]["function"]) == ([0, 1], "MPI_Recv"), receive
assert (barrier["ranks"], barrier["frames"][-1]["function"]) == ([2, 3], "MPI_Barrier"), barrier
END
}

# free: no rank is in a debugger, and none is stopped
free() {
    local pid
    for pid in $(pids hangs); do
        grep -q '^TracerPid:\s*0$' "/proc/$pid/status" || return
        if grep '^State:\s*[Tt]' "/proc/$pid/status"; then return 1; fi
    done
}

# kill_helper MILLISECONDS [begun]: the ranks are looked at, and what reads the stacks is killed so much later, or so
# much after it has begun; the ranks go on
kill_helper() {
    local helper
    kill -USR1 "$job"
    for _ in {1..3000}; do
        if [ $# = 1 ] || pgrep -P "$job" -x mpipp >/dev/null; then break; fi
        sleep 0.01
    done
    sleep "$(printf %d.%03d $(($1 / 1000)) $(($1 % 1000)))"
    for helper in $(pgrep -P "$job" -x mpipp); do kill -KILL "$helper"; done
    sleep 0.3
    for _ in {1..300}; do # one that came late reads them to the end
        free >/dev/null && return
        sleep 0.1
    done
    free
}

# killed_midway: what reads the stacks beside mpipp is killed at any moment; at least once it has begun
killed_midway() {
    local i
    for i in 1 2 3 5 8 12 16 20 30 40; do kill_helper "$i" || return; done
    for i in {0..50}; do # on a busy machine it begins later
        if grep -q '^mpipp: their stacks could not be taken in time$' err; then return; fi
        kill_helper "$i" begun || return
    done
    return 1
}

# note_once HOW RANKS DOES [LINE]: the note on ranks that wait for one that runs, and the job ends well. On a
# busy machine the second rank that waits may come seconds after the first one: a longer timeout leaves it time.
note_once() {
    local how=$1 ranks=$2 barrier seconds=2
    [ "$how" != computes ] || seconds=6
    barrier=$(grep -n "waits_for: barrier" "$top/tests/cmd/waits_for.c" | cut -d: -f1)
    rm -f go
    # shellcheck disable=SC2086 # no word, or one
    program=waits_for begin "$ranks" "$how" --timeout=$seconds ${severity---severity=note} --report=o.jsonl
    until_there '^mpipp: note no-progress: ' err
    [ "$how" != stops ] || kill -CONT "$(pids waits_for | sort -n | tail -n 1)" # the last rank was started last
    : >go
    over
    rm go
    lines "^mpipp: note no-progress: .* waits? in MPI_Barrier \(waits_for.c:$barrier\) for $3, for [0-9]+ s$" \
        '^mpipp: no errors, 1 note; ' "${@:4}" && [ $status = 0 ]
}

# note_of HOW RANKS DOES [LINE]: the same, where there was time for the stacks
note_of() {
    for _ in 1 2 3; do
        note_once "$@" && return
        grep -q 'were not taken: the others took too long' err || return
    done
    return 1
}

# until_stopped: until the last rank has stopped itself
until_stopped() {
    until grep -q ') T' "/proc/$(pids waits_for | sort -n | tail -n 1)/stat" 2>/dev/null; do
        sleep 0.1
    done
}

# untold HOW RANKS: 'mpipp run' without --severity says nothing about ranks that wait for such a rank, before ten times the
# timeout: on a busy machine they need a while to end.
untold() {
    rm -f go
    program=waits_for begin "$2" "$1" --timeout=6
    [ "$1" != stops ] || until_stopped
    sleep 12
    [ "$1" != stops ] || kill -CONT "$(pids waits_for | sort -n | tail -n 1)"
    : >go
    over
    rm go
    [ "$(grep -c . err)" = 1 ] && lines '^mpipp: no errors; ' && [ $status = 0 ] && return
    cat err
    return 1
}

# told_late RANKS: the note on a rank that computes, after ten times the timeout
told_late() {
    rm -f go
    program=waits_for begin "$1" computes --timeout=1
    until_there '^mpipp: note no-progress: ' err
    : >go
    over
    rm go
    lines '^mpipp: note no-progress: .*, which (computes|is outside MPI) in .*, for (9|[1-9][0-9]+) s$' '^mpipp: no errors, 1 note; ' && [ $status = 0 ]
}

# after_error HOW ID FUNCTION [OPTION...]: a job in which all ranks wait in FUNCTION after an error is ended
after_error() {
    program=waits_for begin 2 "$1" "${@:4}"
    over
    lines "^mpipp: error $2: " "^mpipp: note no-progress: .* waits? in $3 \(waits_for.c:[0-9]+\) " \
        '^  advice    an error was reported before' '^mpipp: the job is ended: it can never go on$' && [ $status = 86 ]
}

# goes_on: after an error, a job whose ranks read a file slowly is not ended
goes_on() {
    rm -f fifo
    mkfifo fifo
    program=waits_for begin 2 file --timeout=1 --fail-on=error
    sleep 6
    timeout 60 sh -c ': >fifo'
    over
    lines '^mpipp: error collective-op: ' '^mpipp: 1 error; [0-9]+ calls checked on 2 ranks$' && ! grep 'the job is ended' err && [ $status = 86 ]
}

# as_json: what such a note says to programs
as_json() {
    python3 - <<'END'
import json
(note,) = [one for one in map(json.loads, open("o.jsonl")) if one.get("id") == "no-progress"]
(running,) = note["running"]
assert (running["rank"], running["does"], running["at"]["function"]) == (2, "computes", "relax"), running
assert running["at"]["file"].endswith("waits_for.c") and running["at"]["line"] > 0, running
assert note["ranks"] == [0, 1] and note["seconds"] >= 2, note
END
}

in_relax='relax\(\) \(waits_for.c:[0-9]+\)'

on_hang() {
    local mpi=$1
    in_folder "$mpi"
    ranks_rest
    "mpicc.$mpi" -std=gnu11 -g -Wno-stringop-overflow -o hangs "$top"/tests/cmd/hangs*.c || return

    "mpicc.$mpi" -std=gnu11 -g -o waits_for "$top/tests/cmd/waits_for.c" || return

    ok "$mpi: ranks wait for one that computes" note_of computes 3 "rank 2, which computes in $in_relax" \
        '^  stacks    ranks 0-1: main > MPI_Barrier$' '^            rank 2: main > relax$' '^  look      mpipp attach [0-9]+$'
    ok "$mpi: the same as JSON" as_json
    ok "$mpi: ranks wait for one that rests" note_of rests 2 'rank 1, which is outside MPI in rest\(\) \(waits_for.c:[0-9]+\)'
    ok "$mpi: ranks wait for one that polls" note_of polls 2 'rank 1, which (runs( in [a-z_]+\(\) \(waits_for.c:[0-9]+\))?|polls MPI_Iprobe \(waits_for.c:[0-9]+\))'
    ok "$mpi: ranks wait for one that is stopped" note_of stops 2 'rank 1, which is stopped( in .*)?'
    severity='' ok "$mpi: by default, for one that rests" note_of rests 2 'rank 1, which is outside MPI in rest\(\) \(waits_for.c:[0-9]+\)'
    severity='' ok "$mpi: by default, for one that polls" note_of polls 2 'rank 1, which (runs( in [a-z_]+\(\) \(waits_for.c:[0-9]+\))?|polls MPI_Iprobe \(waits_for.c:[0-9]+\))'
    ok "$mpi: by default, not for one that computes" untold computes 3
    ok "$mpi: by default, not for one that is stopped" untold stops 2
    ok "$mpi: by default, after a long computation" told_late 3
    ok "$mpi: by default, not while others communicate" untold others 4
    ok "$mpi: after an error, with --fail-on" after_error roots collective-root MPI_Gather --fail-on=error
    ok "$mpi: after an error, with --severity=error" after_error roots collective-root MPI_Gather --severity=error --on-hang=end
    ok "$mpi: after an error, and one is in MPI_Finalize" after_error leaves collective-call MPI_Barrier --fail-on=error
    ok "$mpi: after an error, while they wait for a file" goes_on
    ok "$mpi: ranks wait for two" note_of both 3 'ranks 1 and 2, which may go on' "^  runs      rank 1 computes in $in_relax$" \
        '^            rank 2 is outside MPI in rest'

    begin 4 behind --on-hang=end --report=o.html --report=o.jsonl
    over
    ok "$mpi: the stacks of those that hang" lines '^  stacks    ranks 0-1: main > run_mode > behind > receive > MPI_Recv$' \
        '^            ranks 2-3: main > run_mode > behind > MPI_Barrier$'
    ok "$mpi: in reports in files" in_files
    mkdir -p broken && : >broken/libdw.so.1
    LD_LIBRARY_PATH=$PWD/broken begin 2 recv_recv --on-hang=end
    over
    ok "$mpi: stacks that cannot be read" lines '^  no stack  stacks cannot be read: .*libdw'

    begin 2 recv_recv --on-hang=report --fail-on=error
    ok "$mpi: report: the job stays, also under --fail-on" stays 2
    ok "$mpi: report: nothing more is said" [ "$(tail -n 1 err | grep -cE "$report")" = 1 ]
    ok "$mpi: the report's command opens gdb on its ranks" looked
    ok "$mpi: mpi deadlock on all attached ranks" times 1 '^ranks 0 and 1 wait for each other$' \
        "${marked[@]}" "$mpipp" attach -nx -batch -ex 'mpi deadlock' --job "$job"
    ok "$mpi: the job is still there" stays 2
    end
    ok "$mpi: report: the job ends as it is told to" [ $status = 86 ]

    begin 2 recv_recv --on-hang=wait --fail-on=error
    ok "$mpi: wait: the job stays" stays 2
    ok "$mpi: wait: a sentence" lines \
        "^mpipp: the job stays as it is: 'mpipp attach --ranks=0,1 [0-9]+' looks at the ranks, 'kill $job' ends the job$"
    end
    ok "$mpi: wait: --fail-on counts at the end" [ $status = 86 ]

    begin 2 recv_recv --on-hang=gdb --fail-on=error
    ok "$mpi: gdb without a terminal: the job stays" stays 2
    ok "$mpi: gdb without a terminal: a sentence" lines \
        "^mpipp: '--on-hang=gdb': there is no terminal for gdb; 'mpipp attach --ranks=0,1 [0-9]+' looks at the ranks$"
    ok "$mpi: gdb without a terminal: no gdb" no_gdb
    end
    ok "$mpi: gdb in the terminal" in_terminal
    ok "$mpi: gdb, in the background of a terminal" in_background

    begin 2 recv_recv
    until_there "$report" err
    ok "$mpi: SIGUSR1: what the ranks are in" snapshot USR1
    ok "$mpi: SIGUSR1: their stacks" until_there '^     *MPI_Recv\(source=1\|0, tag=7, comm=MPI_COMM_WORLD\)$' err
    ok "$mpi: SIGUSR1: the job goes on" stays 2
    ok "$mpi: no rank is left stopped" killed_midway
    ok "$mpi: SIGTERM: what the ranks are in" snapshot TERM
    over
    ok "$mpi: SIGTERM: the job ends" all_end
    ok "$mpi: SIGTERM: what they were in at the end" lines '^mpipp: what they were in when they were looked at last$'
    # Also if the last look came while they were about to end, and had no memory any more.
    ok "$mpi: SIGTERM: their calls at the end" lines '^  rank 0    MPI_Recv\(source=1, tag=7, ' '^  rank 1    MPI_Recv\(source=0, tag=7, '

    # MPICH's mpiexec ends with status 0.
    begin 2 recv_recv --timeout=0 --fail-on=error
    ok "$mpi: without a timeout: both ranks wait" until_both_wait
    end
    ok "$mpi: SIGTERM with --fail-on: no success" [ $status != 0 ]
    ok "$mpi: nothing is left" none_left
}

in_both on_hang
finish
