#!/bin/bash
# Many ranks: all of a job under one gdb, core files of several ranks, attaching here and through
# gdbserver, the list of ranks, other launchers; and no process left, however a session ends.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
. tests/cmd/sshd.sh

# killed NAME [SIGNAL]: a session that waits at main ends with that process; "running": gdb, while the ranks run
killed() {
    local signal=${2:-KILL}
    mkfifo commands
    "${marked[@]}" "$mpipp" gdb -nx -q -n 2 "$program" sleep >session 2>&1 <commands &
    exec 7>commands
    until_there '^rank 1: inferior 2' session || return
    if [ "$1" = running ]; then
        echo continue >&7
        until_there asleep session || return
        kill "-$signal" "$(pids gdb)"
    else
        kill "-$signal" "$(pids "$1")"
    fi
    if [ "$1" = "$launcher" ]; then
        sleep 1
        echo continue >&7
        until_there 'SIGKILL|killed from outside' session || return
    fi
    exec 7>&-
    rm commands
    none_left
}

# far_gdb_killed HOST:PID: a gdb that is killed leaves no gdbserver there, and the process free
far_gdb_killed() {
    mkfifo far
    env MPIPP_SSH="ssh -F $folder/ssh_config" "${marked[@]}" "$mpipp" attach -nx -q "$1" >session 2>&1 <far &
    exec 7>far
    echo 'print 41+1' >&7
    until_there '^(\(gdb\) )?\$1 = 42' session && kill -KILL "$!"
    exec 7>&-
    rm far
    sshd_idle && grep -q '^TracerPid:\s*0$' "/proc/${1#*:}/status"
}

# On a terminal: Ctrl-C stops the ranks, and not the launcher; then 'quit'.
cat >"$all/terminal.exp" <<'END'
set timeout 600
log_user 1
set prompt "\n?\\(gdb\\) " ;# not at the end: what a rank prints may come after it
spawn env "MARK=[lindex $argv 0]" [lindex $argv 1] gdb -nx -q -n 2 -ex "set confirm off" -ex "set style enabled off" [lindex $argv 2] sleep
expect_after timeout { puts "\nno answer"; exit 1 }
expect -re $prompt
send "continue\r"
expect "asleep"
expect "asleep"
sleep 1
send "\003"
expect "SIGINT"
expect -re $prompt
send "info inferiors\r"
expect -re "process.*process"
expect -re $prompt
send "print 41+1\r"
expect "= 42"
expect -re $prompt
send "quit\r"
expect eof
puts "\nall done"
END

# aborts COMMAND...: gdb comes back, with no complaint of its own, and nothing is left. It tells of one
# rank's end; of none where the launcher has killed both while gdb was stopping the second (gdb 13.1).
aborts() {
    local output told
    output=$(patiently "$@" 2>&1 </dev/null)
    told=$(grep -cE 'exited with code|terminated with signal|received signal SIG' <<<"$output")
    [ "$told" -le 1 ] && ! grep -qE 'Traceback|Python Exception|internal-error' <<<"$output" && none_left &&
        return
    echo "$output"
    return 1
}

# until_both_wait JOB: its rank 0 is asleep, its rank 1 in MPI_Recv
until_both_wait() {
    local i
    for ((i = 0; i < 3000; i++)); do
        [ "$(grep -o asleep asleep | wc -l)" = 2 ] && "$mpipp" ranks "$1" >listed 2>&1 &&
            grep -q ' MPI_Recv from 0' listed && return
        sleep 0.1
    done
    cat asleep listed
    return 1
}

# until_all_wait JOB: its two ranks and the two that they have spawned are in MPI_Recv
until_all_wait() {
    local i
    for ((i = 0; i < 3000; i++)); do
        "$mpipp" ranks "$1" >listed 2>&1
        [ "$(grep -c ' MPI_Recv from [01], tag [34], ' listed)" = 4 ] && return
        sleep 0.1
    done
    cat asleep listed
    return 1
}

T0='\{kind = CONTIGUOUS, count = 3, type = "MPI_INT"\}'
T1='\{kind = VECTOR, count = 2, blocklength = 2, stride = 5, type = "MPI_DOUBLE"\}'
T2='\{kind = VECTOR, count = 3, blocklength = 2, stride = 5, type = "MPI_DOUBLE"\}'

# job_tests MPI
job_tests() {
    local mpi=$1 program launcher victim job pid other command
    in_folder "$mpi"
    "mpicc.$mpi" -g -O0 -o ranks-$mpi "$top/tests/cmd/ranks.c" || exit 2
    program=$folder/ranks-$mpi
    strip -o stripped-$mpi ranks-$mpi

    ok "$mpi: stopped at main, rank 0 is selected" shows 1 '^#0 +main ' \
        "${gdb[@]}" -n 2 -ex 'inferior' "$program"
    ok "$mpi: rank r is inferior r + 1" shows 3 \
        '(rank 0: inferior 1|rank 1: inferior 2|rank 2: inferior 3), process' "${gdb[@]}" -n 3 "$program"
    ok "$mpi: whichever rank is selected shows its own types" \
        shows 1 "^\\\$1 = $T1 \\\$2 = $T2 \\\$3 = $T0 \\\$4 = $T1 \$" bash -c '"$@" | grep "^\\$" | tr "\n" " "' - \
        "${gdb[@]}" -n 3 -ex 'set mpi-gather 60' -ex 'break stop_here' -ex continue -ex 'inferior 2' -ex 'print T' \
        -ex 'inferior 3' -ex 'print shared' -ex 'inferior 1' -ex 'print T' -ex 'inferior 2' \
        -ex 'print T' "$program"
    ok "$mpi: continue runs all to their end" shows 2 'rank [01] ends \[a b\] \[\] \[\*\]' \
        "${gdb[@]}" -n 2 -ex continue "$program" types 'a b' '' '*'
    ok "$mpi: continue after a breakpoint" shows 2 'rank [01] ends' \
        "${gdb[@]}" -n 2 -ex 'set mpi-gather 60' -ex 'break stop_here' -ex continue -ex continue "$program"
    ok "$mpi: a breakpoint for one rank alone" shows 1 'inferior 2: at no breakpoint within 1 s' \
        "${gdb[@]}" -n 2 -ex 'set mpi-gather 1' -ex 'break stop_here' -ex continue "$program" only
    ok "$mpi: and the job goes on" shows 2 'rank [01] ends' \
        "${gdb[@]}" -n 2 -ex 'set mpi-gather 1' -ex 'break stop_here' -ex continue -ex continue \
        "$program" only
    ok "$mpi: a temporary breakpoint" shows 1 'hit Temporary breakpoint 1' \
        "${gdb[@]}" -n 2 -ex 'tbreak stop_here' -ex continue "$program"
    printf 'break stop_here\ncommands\nsilent\nprint T\nend\ncontinue\ncontinue\ncontinue\n' >script.gdb
    ok "$mpi: a breakpoint with commands" shows 2 "^\\\$[12] = ($T0|$T1)\$" \
        "${gdb[@]}" -n 2 -x script.gdb "$program"
    ok "$mpi: and the ranks end" shows 2 'rank [01] ends' "${gdb[@]}" -n 2 -x script.gdb "$program"
    ok "$mpi: no symbols: stopped at the entry" shows 2 'rank [01]: inferior' \
        "${gdb[@]}" -n 2 -ex continue "./stripped-$mpi"
    ok "$mpi: no symbols: MPI's own can be stopped at" shows 2 \
        'hit Breakpoint 1.*MPI_Comm_rank|^inferior [12]: 0x[0-9a-f]+ in P?MPI_Comm_rank' \
        "${gdb[@]}" -n 2 -ex 'set mpi-gather 60' -ex 'break MPI_Comm_rank' -ex continue "./stripped-$mpi"
    ok "$mpi: detached ranks run to their end" shows 2 'rank [01] ends' \
        "${gdb[@]}" -n 2 -ex 'detach inferiors 1 2' "$program"
    ok "$mpi: kill of one rank ends the job" shows 0 'rank . ends' \
        "${gdb[@]}" -n 2 -ex 'kill' "$program" sleep
    ok "$mpi: quit is quiet" shows 0 'TERMINATION|aborted|Killed' "${gdb[@]}" -n 2 "$program"
    ok "$mpi: a rank that crashes" shows 1 'received signal SIGSEGV' \
        "${gdb[@]}" -n 2 -ex continue "$program" crash
    ok "$mpi: a rank that aborts" aborts "${gdb[@]}" -n 2 -ex continue "$program" abort
    ok "$mpi: ranks that end before MPI_Init" shows 2 'exited normally' \
        "${gdb[@]}" -n 2 -ex continue "$program" early 0
    ok "$mpi: a rank that ends badly stops the others" shows 1 'exited with code 05' \
        "${gdb[@]}" -n 2 -ex continue "$program" early 5
    # The kill may come while gdb makes the rank go on: "Couldn't read debug register" is gdb's own.
    ok "$mpi: and what its launcher does to them is told" shows 0 'registers: No such process' \
        "${gdb[@]}" -n 2 -ex continue -ex 'shell sleep 2' -ex continue "$program" early 5
    printf 'one\ntwo\n' >input
    ok "$mpi: standard input" shows 1 '^two' "${gdb[@]}" -n 2 --stdin=input -ex continue "$program" cat
    ok "$mpi: run" shows 1 "mpipp: the ranks are started already: 'continue', or" \
        "${gdb[@]}" -n 2 -ex run "$program"
    launcher=$(launcher_of $mpi)
    for victim in gdb $launcher mpipp running "running TERM" "gdb HUP" "mpipp INT"; do
        # shellcheck disable=SC2086 # a name and a signal
        ok "$mpi: killed: $victim" killed $victim
    done
    ok "$mpi: Ctrl-C on a terminal" shows 1 'all done' expect "$all/terminal.exp" "$mark" "$mpipp" "$program"

    "${gdb[@]}" -n 2 -ex 'set mpi-gather 60' -ex 'break stop_here' -ex continue -ex 'inferior 1' \
        -ex 'generate-core-file core.1' -ex 'inferior 2' -ex 'generate-core-file core.2' \
        "$program" >cores 2>&1
    ok "$mpi: core files, each with its own types" \
        shows 1 "^\\\$1 = $T0 \\\$2 = $T1 \\\$3 = $T0 \$" bash -c '"$@" | grep "^\\$" | tr "\n" " "' - \
        "${gdb[@]}" -ex 'print T' -ex 'inferior 2' -ex 'print T' -ex 'inferior 1' -ex 'print T' \
        "$program" core.1 core.2
    rm -f core.1 core.2

    # Attaching, and the list of ranks.
    "${marked[@]}" "$mpipp" run -n 2 "$program" receive >asleep 2>&1 &
    job=$!
    ok "$mpi: a rank sleeps, the other one waits" until_both_wait $job
    sleep 3 # so that `mpipp run` has looked at them
    pid=$("$mpipp" ranks $job | awk '$2 == 1 { print $3 }')
    # The column WORLD is there where another job, of another test, has several.
    ok "$mpi: ranks" gives 0 "^$job +(1 +)?0 +[0-9]+ +$(hostname) +yes +<?[0-9]+ s +outside MPI +$program\$" "$mpipp" ranks
    ok "$mpi: ranks: the call that one is in" gives 0 \
        "^$job +(1 +)?1 +[0-9]+ +$(hostname) +yes +<?[0-9]+ s +MPI_Recv from 0, tag 3, MPI_COMM_WORLD +$program\$" "$mpipp" ranks
    ok "$mpi: ranks of the job" times 2 "^$job +[01] " "$mpipp" ranks $job
    ok "$mpi: ranks: since when" times 2 "^$job +[01] .* yes +[1-9][0-9]* s +[oM]" "$mpipp" ranks $job
    ok "$mpi: attach --job: since when" gives 0 \
        '^1 +MPI_Recv from 0, tag 3, MPI_COMM_WORLD +[1-9][0-9]* s +ranks.c:[0-9]+ ' \
        "$mpipp" attach --job -nx -batch -ex 'mpi ranks' -ex 'inferior 2' -ex 'gcore core.2' $job
    ok "$mpi: a core file: since when, at least" gives 0 \
        '^1 +MPI_Recv from 0, tag 3, MPI_COMM_WORLD +>=[1-9][0-9]* s +ranks.c:[0-9]+ ' \
        "${gdb[@]}" -ex 'mpi ranks' "$program" core.2
    rm -f core.2
    ok "$mpi: attach" gives 0 "^\\\$1 = $T1\$" "$mpipp" attach -nx -batch -ex 'print shared' "$pid"
    if [ "$mpi" = openmpi ]; then
        : # as with MPICH, and slow: gdb reads all files through gdbserver
    elif ! command -v gdbserver >/dev/null || ! sshd_here; then
        skip "$mpi: attach HOST:PID" "gdbserver, sshd or ssh is not installed"
    else
        sshd_start far.away
        ok "$mpi: an sshd" ssh -F ssh_config far.away true
        ok "$mpi: attach HOST:PID" gives 0 "^\\\$1 = $T1\$" env MPIPP_SSH="ssh -F $folder/ssh_config" \
            "$mpipp" attach -nx -batch -ex 'print shared' "far.away:$pid"
        ok "$mpi: attach HOST:PID leaves nothing there" sshd_idle
        ok "$mpi: attach HOST:PID, gdb is killed" far_gdb_killed "far.away:$pid"
        rm known_hosts
        ok "$mpi: attach HOST:PID, why ssh does not let us in" says 1 \
            "cannot start a gdbserver on 'far.away' by 'ssh -F ssh_config far.away gdbserver --once --attach - $pid': Host key verification failed" \
            env MPIPP_SSH="ssh -F ssh_config" "$mpipp" attach -nx -batch "far.away:$pid"
        sshd_stop
    fi
    ok "$mpi: ranks still run" times 2 "^$job +[01] " "$mpipp" ranks $job
    kill $job
    wait $job 2>/dev/null
    ok "$mpi: nothing is left of it" none_left
    ok "$mpi: ranks: none of that job" says 1 \
        "no MPI rank of yours runs on '$(hostname)' in a job '$job'" "$mpipp" ranks $job

    # Two worlds, whose ranks have the same numbers. MPICH with UCX cannot spawn.
    if [ "$mpi" = openmpi ]; then
        "${marked[@]}" "$mpipp" run --timeout=0 -n 2 "$program" worlds >asleep 2>&1 &
        job=$!
        ok "$mpi: parents and children wait" until_all_wait $job
        "$mpipp" ranks $job >listed
        ok "$mpi: ranks: there is more than one world" gives 0 '^JOB +WORLD +RANK +PID +' cat listed
        ok "$mpi: ranks: the parents" times 2 "^$job +1 +[01] +[0-9]+ " cat listed
        ok "$mpi: ranks: the children" times 2 "^$job +2 +[01] +[0-9]+ .*MPI_Recv from [01], tag 4" cat listed
        # Since when they wait is known from the second look of 'mpipp run' on.
        for _ in {1..20}; do
            "$mpipp" attach --job -nx -batch -ex 'mpi ranks' -ex 'mpi deadlock' $job >worlds 2>&1
            grep -q '^rank .* since ' worlds && break
            sleep 0.2
        done
        ok "$mpi: mpi ranks: the parents" gives 0 '^0 +MPI_Recv from 0, tag 3, others +<?[0-9]+ s ' cat worlds
        ok "$mpi: mpi ranks: and the children" gives 0 \
            '^1 of world 2 +MPI_Recv from 1, tag 4, others +<?[0-9]+ s ' cat worlds
        ok "$mpi: mpi deadlock: both" gives 0 \
            '^rank [01] and rank [01] of world 2 wait for each other$' cat worlds
        kill $job
        wait $job 2>/dev/null
        ok "$mpi: nothing is left of both worlds" none_left
    fi

    # A launcher that sets what srun sets, and hands the ranks no PMI: each is alone in its world.
    cat >srun <<'END'
#!/bin/bash
[ "$1" = -n ] && count=$2 && shift 2
[ "$1" = --label ] && echo labelled && shift
for ((rank = 0; rank < count; rank++)); do
    SLURM_PROCID=$rank SLURM_NTASKS=$count SLURM_JOB_ID=77 EXTRA=extra$rank "$@" &
done
wait
END
    chmod +x srun
    ok "$mpi: run --launcher, a fake srun" shows 2 'rank 0 ends' \
        "${marked[@]}" "$mpipp" run --launcher='./srun -n 2' "$program"
    ok "$mpi: run --launcher, options go to it" shows 1 '^labelled' \
        "${marked[@]}" "$mpipp" run --launcher=./srun -n 2 --label "$program"
    ok "$mpi: exec under it, its environment" shows 2 "^extra[01] .*/libshadowtype-$mpi.so" \
        "${marked[@]}" ./srun -n 2 "$mpipp" exec --mpi=$mpi /bin/sh -c 'echo $EXTRA $LD_PRELOAD'
    ok "$mpi: gdb --launcher" shows 2 'rank [01]: inferior [12], process' \
        "${gdb[@]}" --launcher='./srun -n 2' "$program"
    if [ $mpi = mpich ]; then # slow: the other rank is waited for
        cat >late <<'END'
#!/bin/bash
export PMI_SIZE=2 MPI_LOCALNRANKS=2
PMI_RANK=1 "$@" &
sleep 25
PMI_RANK=0 "$@" &
wait
END
        chmod +x late
        ok "$mpi: gdb, a rank that starts late" shows 3 \
            '^mpipp: 1 of 2 ranks have started: waiting for the others|^rank [01]: inferior [12], process' \
            "${gdb[@]}" --launcher=./late "$program"
    fi
    if [ $mpi = openmpi ]; then
        : # as with MPICH, and slow, too
    elif [ "$(id -u)" = 0 ] && unshare --uts true 2>/dev/null; then
        cat >elsewhere <<'END'
#!/bin/bash
SLURM_PROCID=0 SLURM_NTASKS=2 "$@" &
SLURM_PROCID=1 SLURM_NTASKS=2 unshare --uts sh -c 'hostname far.away && exec "$@"' - "$@" &
wait
END
        chmod +x elsewhere
        ok "$mpi: gdb, a rank on another host" shows 1 \
            "^mpipp: rank 1 is on another host, where this gdb does not reach: it waits for 'mpipp attach far.away:[0-9]+'" \
            "${gdb[@]}" --launcher=./elsewhere "$program"
    else
        skip "$mpi: gdb, a rank on another host" "not root"
    fi
    other=mpiexec.mpich
    [ $mpi = openmpi ] || other='mpirun.openmpi --allow-run-as-root --oversubscribe'
    for command in run "gdb -nx -batch"; do
        ok "$mpi: $command, the launcher of the other MPI is told, once" shows 1 \
            "^mpipp: '.*/ranks-$mpi' uses .*, but the launcher of another MPI started it: each rank is alone" \
            "${marked[@]}" "$mpipp" $command --launcher="env $other -n 2" "$program"
    done
}

in_both job_tests

# Bad input.
program=$all/mpich/ranks-mpich
in_folder bad
printf '#!/bin/sh\nshift && exec "$@"\n' >ssh && chmod +x ssh
echo 'int main(void) { return 0; }' >nothing.c
gcc -o nothing nothing.c
gcc -static -o static nothing.c
printf '#!/bin/sh\nexit 0\n' >script && chmod +x script
static="'./static' is linked statically, so that nothing can be preloaded: link it with shared libraries"
ok "gdb -n 2: no program" says 2 "no program given to 'mpipp gdb'" "$mpipp" gdb -n 2
ok "gdb -n 2: no such program" says 127 "no such program: './none'" "$mpipp" gdb -n 2 ./none
ok "gdb -n 2: static" says 126 "$static" "$mpipp" gdb -n 2 ./static
ok "gdb -n 2: no MPI" says 2 \
    "'./nothing' is linked with no MPI library: if it loads one as it runs, say --mpi=mpich or --mpi=openmpi" \
    "$mpipp" gdb -n 2 ./nothing
ok "gdb -n 2: a script" says 2 \
    "cannot tell which MPI the script './script' will use: say --mpi=mpich or --mpi=openmpi" \
    "$mpipp" gdb -n 2 ./script
ok "gdb -n 2: no such gdb" says 127 "no such gdb: './none'" "$mpipp" gdb --gdb=./none -n 2 "$program"
ok "gdb -n 2: no such launcher" says 127 "cannot run the launcher './none': No such file or directory" \
    "$mpipp" gdb --launcher=./none "$program"
ok "gdb -n 2: no such input" says 127 "cannot read './none': No such file or directory" \
    "$mpipp" gdb -n 2 --stdin=./none "$program"
ok "gdb -n 2: a launcher that starts nothing" says 1 "the launcher ended before all ranks had started" \
    "$mpipp" gdb --launcher=true "$program"
ok "gdb -n 2: nothing is left of these" none_left

ok "attach: no operand" says 2 "no process given to 'mpipp attach': PID or HOST:PID" "$mpipp" attach
ok "attach: two" says 2 "'mpipp attach' takes one process: '2' is too much" "$mpipp" attach 1 2
ok "attach: no PID" says 2 "'app' is neither a PID nor HOST:PID" "$mpipp" attach app
ok "attach: no host" says 2 "'' is not the name of a host" "$mpipp" attach :1
ok "attach: a host that is an option" says 2 "'a b' is not the name of a host" "$mpipp" attach 'a b:1'
ok "attach: no such process" says 127 "no process has the PID 999999999" "$mpipp" attach 999999999
sleep 60 &
sleeper=$!
ok "attach: no registry" gives 0 \
    '^mpipp: no shadow registry in this process: the program does not use MPI' \
    "$mpipp" attach -nx -batch $sleeper
ok "attach: no registry: gdb is attached" gives 0 "process $sleeper" \
    "$mpipp" attach -nx -batch -ex 'info inferiors' $sleeper
"$mpipp" attach -nx -batch -ex 'shell touch attached; sleep 6' $sleeper >/dev/null 2>&1 &
until [ -e attached ]; do sleep 0.1; done
ok "attach: traced already" gives 126 "^mpipp: process $sleeper is in a debugger already: process [0-9]+\$" \
    "$mpipp" attach $sleeper
kill $sleeper
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    chmod 755 "$all" "$folder"
    cp "$mpipp" "$folder"
    gcc -o hidden -x c - <<<'#include <sys/prctl.h>
#include <unistd.h>
int main(void) { prctl(PR_SET_DUMPABLE, 0); sleep(60); return 0; }'
    sleep 60 &
    sleeper=$!
    ok "attach: another user's" says 126 "process $sleeper belongs to 'root', not to you" \
        "${user[@]}" ./mpipp attach $sleeper
    kill $sleeper
    "${user[@]}" ./hidden &
    sleeper=$!
    sleep 1
    ok "attach: not permitted" says 126 \
        "process $sleeper cannot be traced: the kernel does not permit it; a container has to be started with '--cap-add=SYS_PTRACE'" \
        "${user[@]}" ./mpipp attach $sleeper
    for scope in 1 3; do
        remedy="1: root can change that by 'sysctl kernel.yama.ptrace_scope=0'"
        [ $scope = 1 ] || remedy='3, which only a reboot changes'
        if ! unshare --mount sh -c 'mount -t tmpfs none /proc/sys/kernel' 2>/dev/null; then
            skip "attach: ptrace_scope $scope" "nothing can be mounted here"
            continue
        fi
        ok "attach: ptrace_scope $scope" says 126 \
            "process $sleeper cannot be traced: the kernel's ptrace_scope is $remedy" \
            unshare --mount sh -c 'mount -t tmpfs -o mode=755 none /proc/sys/kernel &&
                mkdir /proc/sys/kernel/yama && echo '$scope' >/proc/sys/kernel/yama/ptrace_scope &&
                exec "$@"' - "${user[@]}" ./mpipp attach $sleeper
    done
    kill $sleeper
else
    skip "attach: not permitted" "not root"
fi
ok "attach: no ssh" gives 1 "^mpipp: cannot start a gdbserver on 'far' by './none far gdbserver --once --attach - 1': .*none.*: No such file or directory\$" \
    env MPIPP_SSH=./none "$mpipp" attach -nx -batch far:1
ok "attach: no such process there" gives 1 \
    "^mpipp: cannot attach to process 999999999 on 'far': No such process\$" \
    env MPIPP_SSH="$folder/ssh" "$mpipp" attach -nx -batch far:999999999
# Where none of the other tests' processes is.
if unshare --pid --fork --mount-proc true 2>/dev/null; then
    ok "ranks: none" says 1 "no MPI rank of yours runs on '$(uname -n)'" unshare --pid --fork --mount-proc "$mpipp" ranks
else
    skip "ranks: none" "no process namespace of its own"
fi
# What Slurm sets for a batch script, and for a rank that it starts.
slurm=(env SLURM_PROCID=0 SLURM_NTASKS=2 SLURM_JOB_ID=78)
"${slurm[@]}" sleep 600 &
script=$!
"${slurm[@]}" SLURM_STEP_ID=0 sleep 600 &
rank=$!
for process in $script $rank; do
    until_there sleep "/proc/$process/comm" # not a copy of this shell any more
done
ok "ranks: the shell of a batch script is none" sh -c '"$0" ranks >listed
    cat listed
    ! grep -q " $1 " listed && grep -q " $2 .*sleep" listed' "$mpipp" $script $rank
kill $script $rank
ok "ranks: two jobs" says 2 "'mpipp ranks' takes one job: '2' is too much" "$mpipp" ranks 1 2
ok "ranks: unknown option" says 2 "'mpipp ranks' has no option '--frob'" "$mpipp" ranks --frob

cd / && finish
