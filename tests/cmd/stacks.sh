#!/bin/bash
# mpipp stacks: the merged stacks of jobs that mpipp has started or not, of processes that cannot be
# read, and that those that can go on unharmed. mpipp attach: several ranks under one gdb.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh

source=$top/tests/cmd/stacks.c

# at MARKER FUNCTION: the place of the call with this comment
at() {
    echo "stacks.c:$(grep -n "/\* $1 \*/" "$source" | cut -d: -f1) in $2()"
}

# becomes FILE COMMAND...: within some time, the command prints what is in FILE
becomes() {
    local i file=$1 printed
    shift
    for ((i = 0; i < 200; i++)); do
        printed=$(patiently "$@" 2>&1 </dev/null)
        [ "$printed" = "$(cat "$file")" ] && return
        sleep 0.3
    done
    diff <(echo "$printed") "$file"
}

# eventually COMMAND...: it succeeds within some time
eventually() {
    local i
    for ((i = 0; i < 200; i++)); do
        "$@" >/dev/null && return
        sleep 0.3
    done
    "$@"
}

# free PID...: no debugger has them, and none is stopped
free() {
    local pid
    for pid in "$@"; do
        grep -q '^TracerPid:\s*0$' "/proc/$pid/status" || return
        if grep '^State:\s*[Tt]' "/proc/$pid/status"; then return 1; fi
    done
}

# start COMMAND...: in the background, until it says that it is asleep; $job: its PID
start() {
    rm -f asleep
    "${marked[@]}" "$@" >asleep 2>&1 </dev/null &
    job=$!
    until_there asleep asleep
}

# stop PID: a job, which ends as it is told to
stop() {
    local status
    kill "$1"
    wait "$1" 2>/dev/null
    status=$?
    [ $status -lt 128 ] || [ $status = 143 ] || echo "note: the job ended with status $status"
}

# halo RECV BARRIER: the tree of 'stacks halo' on four ranks
halo() {
    cat <<END
ranks 0-3
  $(at 'main steps' main)
  ├─ ranks 0-1
  │  $(at exchanges step)
  │  $(at inlines exchange)
  │  $(at receives inlined)
  │  $1
  └─ ranks 2-3
     $(at meets step)
     $2
END
}

# stacks_tests MPI
stacks_tests() {
    local mpi=$1 bare pids compile
    in_folder "$mpi"
    ranks_rest
    "mpicc.$mpi" -g -O2 -pthread -o stacks "$source" || exit 2
    cp stacks bare && strip bare
    bare=(mpiexec.mpich)
    [ $mpi = mpich ] || bare=(mpirun.openmpi --allow-run-as-root --oversubscribe)

    # Of mpipp: the calls with their arguments.
    halo 'MPI_Recv(source=1|0, tag=7, comm=MPI_COMM_WORLD)' 'MPI_Barrier(comm=MPI_COMM_WORLD)' >wanted
    start "$mpipp" run -n 4 ./stacks halo
    ok "$mpi: stacks --job PID, -O2 and inlined" becomes wanted "$mpipp" stacks --job $job
    # shellcheck disable=SC2207 # numbers
    pids=($("$mpipp" ranks $job | awk '$1 == '$job' { print $3 }'))
    ok "$mpi: by the PID of a rank" becomes wanted "$mpipp" stacks --job="${pids[2]}"
    ok "$mpi: stacks PID..." becomes wanted "$mpipp" stacks "${pids[@]}" "${pids[0]}"
    ok "$mpi: the ranks are free again" free "${pids[@]}"
    ok "$mpi: --whole" gives 0 '^ +P?MPI_Recv\(\) of lib|^ .* in P?MPI_Recv\(\)$' \
        "$mpipp" stacks --whole "${pids[0]}"
    ok "$mpi: --all-threads" times 1 '^ranks 0-3 \([0-9]+ threads\)' "$mpipp" stacks --all-threads --job $job
    "$mpipp" stacks --json --job $job >json
    ok "$mpi: --json" python3 - <<'END'
import json
tree = json.load(open("json"))
assert tree["ranks"] == [0, 1, 2, 3] and tree["threads"] == 4 and len(tree["pids"]) == 4, tree
assert [frame["function"] for frame in tree["frames"]] == ["main"], tree
left, right = tree["branches"]
assert [frame["function"] for frame in left["frames"]] == ["step", "exchange", "inlined", "MPI_Recv"], left
assert left["frames"][-1]["call"]["arguments"]["source"] == ["1", "0"], left
assert left["frames"][0]["file"].endswith("stacks.c") and left["frames"][0]["line"] > 0, left
assert right["ranks"] == [2, 3] and right["branches"] == [], right
END
    ok "$mpi: attach --job, a PID of a rank" gives 0 '^in MPI_Barrier, called at stacks.c:[0-9]+ in step' \
        "$mpipp" attach -nx -batch -ex 'inferior 4' -ex 'mpi call' --job "${pids[1]}"
    ok "$mpi: attach --ranks" times 3 '^rank 0: inferior 1, process|^rank 3: inferior 2, process|^\$1 = 2' \
        "$mpipp" attach -nx -batch -ex 'print $_gdb_setting("schedule-multiple") + 1' --ranks=0,3 $job
    ok "$mpi: attach --ranks, one that is not there" says 1 "no rank 4 of job $job runs on '$(hostname)'" \
        "$mpipp" attach --ranks=3-4 $job
    ok "$mpi: the ranks are free after gdb" free "${pids[@]}"
    stop $job

    # Of none: the calls by their symbols.
    halo MPI_Recv MPI_Barrier >wanted
    start "${bare[@]}" -n 4 ./stacks halo
    ok "$mpi: a job that mpipp did not start" becomes wanted "$mpipp" stacks --job $job
    stop $job
    start "${bare[@]}" -n 2 ./bare halo
    ok "$mpi: a stripped program" eventually times 3 '^  bare\+0x[0-9a-f]+$' "$mpipp" stacks --job $job
    ok "$mpi: a stripped program, its MPI calls" eventually times 1 '^ +MPI_Recv$' "$mpipp" stacks --job $job
    stop $job

    start "$mpipp" run -n 2 ./stacks callback
    cat >wanted <<END
ranks 0-1
  $(at 'main reduces' main)
  $(at reduces reduce)
  MPI_Allreduce(comm=MPI_COMM_WORLD)
  $(at combines combine)
  $(at waits wait_for_ever)
END
    ok "$mpi: a function that MPI calls" becomes wanted sh -c '"$@" | grep -v -e usleep -e " of libc"' - \
        "$mpipp" stacks --job $job
    stop $job

    if [ $mpi = mpich ]; then
        start "$mpipp" run -n 1 ./stacks thread
        ok "$mpi: a thread of the program's" eventually times 2 "$(at works work)|$(at 'main waits' main)" \
            "$mpipp" stacks --job $job
        stop $job
    fi

    compile=mpifort.$mpi
    if ! command -v "$compile" >/dev/null; then
        skip "$mpi: Fortran" "no $compile"
        return 0
    fi
    "$compile" -g -O0 -o waits "$top/tests/cmd/stacks.f90" || exit 2
    cat >wanted <<'END'
ranks 0-1
  stacks.f90:19 in waits()
  stacks.f90:8 in exchange()
  MPI_Recv
END
    start "${bare[@]}" -n 2 ./waits
    ok "$mpi: Fortran" becomes wanted "$mpipp" stacks --job $job
    stop $job
    sed -i 's/MPI_Recv/MPI_Recv(source=1|0, tag=7, comm=MPI_COMM_WORLD)/' wanted
    start "$mpipp" run -n 2 ./waits
    ok "$mpi: Fortran, of mpipp" becomes wanted "$mpipp" stacks --job $job
    stop $job
    if [ "$python_mpi" = $mpi ]; then
        cat >wanted <<END
ranks 0-1
  Python
  stacks.py:$(grep -n 'world.recv' "$top/tests/cmd/stacks.py" | cut -d: -f1) in exchange()
  MPI_Mprobe(source=1|0, tag=7, comm=MPI_COMM_WORLD)
END
        start "$mpipp" run -n 2 "$python" "$top/tests/cmd/stacks.py"
        ok "$mpi: mpi4py" becomes wanted "$mpipp" stacks --job $job
        stop $job
    fi
    ok "$mpi: nothing is left" none_left
}

# gone MILLISECONDS: a process ends while its stack is taken
gone() {
    local pid output
    ./stacks alone "$1" &
    pid=$!
    output=$("$mpipp" stacks $pid 2>&1)
    wait $pid || return
    grep -qE "^process $pid$|^mpipp: (no process has the PID $pid|process $pid .*)$" <<<"$output" && return
    echo "$output"
    return 1
}

all_gone() {
    local i
    for i in 0 1 2 3 4 5 6 8 10 12 15 20; do gone $i || return; done
}

# starts PROGRAM ARGUMENTS...: in the background, with $pid, when it is that program and no shell any more
starts() {
    "$@" >/dev/null 2>&1 &
    pid=$!
    until [ "/proc/$pid/exe" -ef "$1" ]; do sleep 0.02; done
    sleep 0.1
}

# killed_midway: mpipp is killed at any moment, and the process goes on
killed_midway() {
    local i pid
    starts ./spin
    for i in 1 2 3 4 5 6 7 8 9 10 12 14 16 18 20 22 24; do
        timeout -s KILL "$(printf 0.%03d "$i")" "$mpipp" stacks $pid >/dev/null 2>&1
        sleep 0.01
        free $pid || return
    done
    kill $pid
}

# stopped: a process that a signal has stopped shows, stays stopped, and goes on when it is told to
stopped() {
    local pid status
    starts ./spin
    kill -STOP $pid
    until grep -q '^State:\s*T' /proc/$pid/status; do sleep 0.1; done
    "$mpipp" stacks $pid >out 2>err
    grep -q '^  .*in main()$' out && grep -qx "mpipp: process $pid is stopped by a signal" err &&
        grep -q '^State:\s*T' /proc/$pid/status && kill -CONT $pid && sleep 0.1 &&
        grep -q '^State:\s*R' /proc/$pid/status
    status=$?
    cat out err
    kill -KILL $pid
    return $status
}

in_kernel() {
    local pid child
    starts ./stacks vfork
    until child=$(pgrep -P $pid) && grep -q '^State:\s*D' /proc/$pid/status; do sleep 0.1; done
    says 1 "process $pid does not stop: it waits in the kernel" "$mpipp" stacks $pid || return
    kill "$child"
    wait $pid
}

# starved: a process that gets no processor is waited for; for 4 seconds others want the only one that it may use
starved() {
    local pid
    starts ./spin
    taskset -pc 0 $pid && chrt --idle -p 0 $pid || return
    for _ in 1 2 3 4 5 6 7 8; do taskset -c 0 timeout 4 sh -c 'while :; do :; done' & done
    (sleep 4 && chrt --other -p 0 $pid) &
    sleep 0.3
    gives 0 '^  .*in main\(\)$' "$mpipp" stacks $pid
    local status=$?
    kill $pid
    return $status
}

# with_debugger: a process in gdb is left out, and the other one shows
with_debugger() {
    local pid first second
    starts ./spin
    first=$pid
    starts ./spin
    second=$pid
    gdb -nx -q -batch -ex 'shell touch attached; until [ -e seen ]; do sleep 0.1; done' -p $first >/dev/null 2>&1 &
    until [ -e attached ]; do sleep 0.1; done
    gives 0 "^mpipp: process $first is in a debugger already: process [0-9]+$" "$mpipp" stacks $first $second &&
        gives 0 "^process $second$" "$mpipp" stacks $first $second
    local status=$?
    touch seen
    kill $first $second
    return $status
}

zombie() {
    local pid
    sh -c './stacks alone 0 & exec sleep 60' >/dev/null 2>&1 &
    pid=$!
    until grep -qs '^State:\s*Z' "/proc/$(pgrep -P $pid)/status"; do sleep 0.1; done
    says 1 "process $(pgrep -P $pid) has ended, and waits for its parent" "$mpipp" stacks "$(pgrep -P $pid)"
    local status=$?
    kill $pid
    return $status
}

read -r python python_mpi < <(tests/python.sh)
[ -n "$python" ] || skip "mpi4py" "no Python with mpi4py"
# deep: a recursion is one line, and the first call of it is of another place
deep() {
    local pid status
    gcc -g -O0 -o deep -x c - <<'END'
#include <unistd.h>
volatile int calls;
static int down(int left)
{
    while (left == 0)
        pause();
    return down(left - 1) + calls;
}
int main(void)
{
    alarm(300);
    return down(30);
}
END
    starts ./deep
    until grep -q '^State:\s*S' /proc/$pid/status; do sleep 0.1; done
    times 1 ':7 in down\(\), 30 times$' "$mpipp" stacks $pid
    status=$?
    kill $pid
    return $status
}

in_both stacks_tests

in_folder alone
ranks_rest
cp "$all/mpich/stacks" .
gcc -g -o spin -x c - <<<'volatile unsigned long n; int main(void) { while (1) n++; }'
ok "a recursion" deep
ok "a process that ends meanwhile" all_gone
ok "mpipp is killed meanwhile" killed_midway
ok "a process that is stopped" stopped
ok "a process that waits in the kernel" in_kernel
ok "a process that gets no processor" starved
ok "a process in a debugger" with_debugger
ok "a process that has ended" zombie
ok "no such process" says 1 "no process has the PID 999999999" "$mpipp" stacks 999999999
mkdir broken && : >broken/libdw.so.1
ok "no libdw" gives 1 '^mpipp: stacks cannot be read: .*libdw' \
    env LD_LIBRARY_PATH="$PWD/broken" "$mpipp" stacks $$
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod 755 "$all" "$folder"
    cp "$mpipp" .
    ok "another user's" says 1 "process $$ belongs to 'root', not to you" \
        setpriv --reuid=65534 --regid=65534 --clear-groups ./mpipp stacks $$
else
    skip "another user's" "not root"
fi

ok "no operand" says 2 "no process given to 'mpipp stacks': PID... or --job" "$mpipp" stacks
ok "no PID" says 2 "'app' is not a PID" "$mpipp" stacks app
ok "no PID of a job" says 2 "'0' is not a PID" "$mpipp" stacks --job 0
ok "two jobs" says 2 "'--job' takes one PID: '2' is too much" "$mpipp" stacks --job 1 2
ok "an unknown option" says 2 "'mpipp stacks' has no option '--frob'" "$mpipp" stacks --frob
ok "a job of no process" says 127 "no process has the PID 999999999" "$mpipp" stacks --job 999999999
ok "attach: ranks that are none" says 2 "'--ranks=0,x': ranks are given as 0,1 or 0-3" "$mpipp" attach --ranks=0,x
ok "attach: a range from high to low" says 2 "'--ranks=3-1': ranks are given as 0,1 or 0-3" "$mpipp" attach --ranks 3-1
ok "attach: a job elsewhere" says 2 "'far:1' is not the PID of a job's process on this host" \
    "$mpipp" attach --job far:1
ok "nothing is left" none_left

cd / && finish
