#!/bin/bash
# --on-error: each mode in real jobs of both MPIs, what is left of a job that is killed meanwhile, and
# the messages if no debugger can be started.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh

unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS MPIPP_ON_ERROR MPIPP_MAX_DEBUGGERS DISPLAY DEBUGINFOD_URLS
source=$top/tests/cmd/on_error.c
line=$(grep -n 'wrong: uncommitted' "$source" | cut -d: -f1)
second=$(grep -n 'wrong: count' "$source" | cut -d: -f1)
host=$(hostname)

# start MODE ARGUMENTS...: a job of two ranks in the background; its output in out and err
start() {
    local mode=$1
    shift
    : >err
    patiently "${marked[@]}" "$mpipp" run --mpi="$mpi" -n 2 $options --on-error="$mode" ./on_error "$@" \
        >out 2>err </dev/null &
    job=$!
}

# ends NAME: waits for the job that was started; it is as if nothing had happened
ends() {
    wait $job
    status=$?
    ok "$1: the job is as without" as_without
}

as_without() {
    [ $status = 7 ] && [ "$(sort out)" = "$(printf 'rank 0 as before\nrank 1 as before')" ] && none_left && return
    echo "status $status: $(cat out err)"
    return 1
}

# pid_of: of the rank that the newest sentence of a held rank is about
pid_of() {
    grep -oE "mpipp attach [0-9]+'" err | tail -n 1 | tr -dc '0-9'
}

# in_order FILE PATTERN...: lines that match, in this order
in_order() {
    local file=$1 pattern
    shift
    for pattern; do
        printf '%s\n' "$pattern"
    done | awk 'NR == FNR { wanted[NR] = $0; next } $0 ~ wanted[at + 1] && at + 1 in wanted { at++ }
        END { if (at + 1 in wanted) { print "no line: " wanted[at + 1]; exit 1 } }' - "$file" && return
    cat "$file"
    return 1
}

transcript=(
    '^--- error 1, process [0-9]+$'
    '^error datatype-uncommitted: rank 1 passes a datatype that is not committed'
    "^  at +on_error.c:$line in exchange\$"
    '^--- backtrace$'
    "^#[0-9]+ .* exchange [(].* at .*on_error.c:$line\$"
    '^--- arguments and variables$'
    '^numbers = [{]11, 12, 13, 14, 15, 16, 17, 18[}]$'
    '^column = [{]kind = VECTOR, count = 2, blocklength = 1, stride = 4, type = "MPI_INT"[}]$'
    '^--- buffer, through its type$'
    '= [{]11, 15[}]$'
    '^--- threads$'
    '^--- error 2, process [0-9]+$'
    '^error argument-count: rank 1 passes a negative count$'
    "^#[0-9]+ .* exchange [(].* at .*on_error.c:$second\$"
)

gdb_modes() {
    start gdb 1
    ends "$mpi: gdb"
    ok "$mpi: gdb: where the transcript is" grep -qx "mpipp: rank 1 at its errors, as gdb shows it: 'mpipp-gdb.1.txt'" err
    ok "$mpi: gdb: the transcript" in_order mpipp-gdb.1.txt "${transcript[@]}"
    ok "$mpi: gdb: one transcript" [ "$(echo mpipp-gdb.*)" = mpipp-gdb.1.txt ]
    ok "$mpi: gdb: nothing but the sections" [ "$(sed -n 1,2p mpipp-gdb.1.txt | tr -d '\n' | cut -c1-11)" = '--- error 1' ]
    start gdb 1 thread
    ends "$mpi: gdb, another thread"
    ok "$mpi: gdb, another thread: the transcript is new" in_order mpipp-gdb.1.txt "${transcript[@]}"
    ok "$mpi: gdb, another thread: the old one is gone" [ "$(grep -c '^--- error' mpipp-gdb.1.txt)" = 2 ]
    start core 1
    ends "$mpi: core"
    ok "$mpi: core: says where" grep -qx "mpipp: rank 1 at its error 2: 'mpipp gdb PROGRAM mpipp-core.1.2'" err
    "${gdb[@]}" -ex 'mpi errors' ./on_error mpipp-core.1.1 >first 2>&1
    ok "$mpi: core: of the first error" [ "$(grep -cE '^[1-9]  error' first)" = 1 ]
    echo 'info locals' | patiently "$mpipp" gdb -nx -q ./on_error mpipp-core.1.2 >second 2>&1
    ok "$mpi: core: opens at the user's frame" in_order second "on_error.c:$second" 'numbers = [{]11, 12'
    rm -f mpipp-core.*
}

held_modes() {
    start wait 1
    ok "$mpi: wait: says so" until_there "^mpipp: rank 1 waits on $host at its error 1: 'mpipp attach [0-9]+'; there, 'set var shadowtype_held = 0' and 'continue' let it go on\$" err
    ok "$mpi: wait: the report does, too" until_there "^  look      mpipp attach [0-9]+   [(]rank 1 on ${host}[)]\$" err
    "$mpipp" attach -nx -batch -ex 'echo locals\n' -ex 'info locals' "$(pid_of)" >seen 2>&1
    ok "$mpi: wait: gdb is at the user's frame" in_order seen "on_error.c:$line" '^locals$' '^numbers = [{]11, 12'
    "$mpipp" attach -nx -batch -ex 'break mpipp_error' -ex 'set var shadowtype_held = 0' -ex continue -ex 'echo locals\n' \
        -ex 'mpi errors' "$(pid_of)" >seen 2>&1
    ok "$mpi: wait: the next error is a breakpoint" in_order seen "on_error.c:$second" '^locals$' \
        "^2  error argument-count: .* on_error.c:$second in exchange"
    ok "$mpi: wait: without that gdb it is held again" until_there "waits on $host at its error 2:" err
    "$mpipp" attach -nx -batch -ex 'set var shadowtype_held = 0' "$(pid_of)" >/dev/null 2>&1
    ends "$mpi: wait"
    start stop 1
    ok "$mpi: stop: says so" until_there "^mpipp: rank 1 is stopped on $host at its error 1: 'mpipp attach [0-9]+'; 'kill -CONT [0-9]+' lets it go on\$" err
    ok "$mpi: stop: it is" until_there '^State:.T .stopped' "/proc/$(pid_of)/status"
    "$mpipp" attach -nx -batch -ex 'echo locals\n' -ex 'info locals' "$(pid_of)" >seen 2>&1
    ok "$mpi: stop: gdb is at the user's frame" in_order seen "on_error.c:$line" '^locals$' '^numbers = [{]11, 12'
    kill -CONT "$(pid_of)"
    ok "$mpi: stop: again" until_there "is stopped on $host at its error 2:" err
    ok "$mpi: stop: it is, again" until_there '^State:.T .stopped' "/proc/$(pid_of)/status"
    kill -CONT "$(pid_of)"
    ends "$mpi: stop"
    start gdbserver 1
    for number in 1 2; do
        ok "$mpi: gdbserver: error $number" until_there "^mpipp: rank 1 waits on $host at its error $number for 'mpipp gdb -ex \"target remote localhost:[0-9]+\"'" err
        "$mpipp" gdb -nx -batch -ex "$(grep -oE 'target remote localhost:[0-9]+' err | tail -n 1)" -ex 'echo locals\n' \
            -ex 'info locals' -ex "mpi error $number" -ex detach >seen 2>&1
        ok "$mpi: gdbserver: gdb is at the user's frame, $number" in_order seen '^locals$' '^numbers = [{]11, 12' 'in exchange$'
    done
    ends "$mpi: gdbserver"
}

limits() {
    start wait all
    ok "$mpi: --max-debuggers=1: one waits" until_there 'waits on' err
    ok "$mpi: --max-debuggers=1: says so" until_there "^mpipp: '--max-debuggers' is 1: other ranks with errors get no debugger, and wait while one is held\$" err
    for number in 1 2; do
        ok "$mpi: --max-debuggers=1: error $number" until_there "waits on .* error $number:" err
        "$mpipp" attach -nx -batch -ex 'set var shadowtype_held = 0' "$(pid_of)" >/dev/null 2>&1
    done
    ends "$mpi: --max-debuggers=1"
    ok "$mpi: --max-debuggers=1: no other did" [ "$(grep -c 'waits on' err) $(grep -c max-debuggers err)" = '2 1' ]
    options=--max-debuggers=2
    start gdb all
    ends "$mpi: --max-debuggers=2"
    ok "$mpi: --max-debuggers=2: two transcripts" [ "$(grep -c '^--- error' mpipp-gdb.0.txt mpipp-gdb.1.txt | tr '\n' ' ')" = \
        'mpipp-gdb.0.txt:2 mpipp-gdb.1.txt:2 ' ]
    options=
}

# killed MODE PATTERN FILE SIGNAL NAME: a job in which a rank is held is ended by a signal to 'mpipp run'
# or to the launcher
killed() {
    local victim
    rm -f begun seen
    start "$1" all
    until_there "$2" "$3" || return
    victim=$(cat "/proc/$job/task/$job/children")
    [ "$5" = mpipp ] || victim=$(pids "$5" | head -n 1)
    kill -s "$4" $victim || return
    wait $job 2>/dev/null
    [ "$4$5" != KILLmpipp ] || rm -rf tmp/mpipp-* # it could not
    none_left
}

killed_jobs() {
    local launcher
    launcher=$(launcher_of "$mpi")
    ok "$mpi: wait, mpipp run is told to end" killed wait 'waits on' err TERM mpipp
    ok "$mpi: wait, the launcher is killed" killed wait 'waits on' err KILL $launcher
    ok "$mpi: stop, interrupted" killed stop 'is stopped on' err INT mpipp
    ok "$mpi: stop, mpipp run is killed" killed stop 'is stopped on' err KILL mpipp
    ok "$mpi: gdbserver, mpipp run is told to end" killed gdbserver 'waits on' err TERM mpipp
    printf '#!/bin/sh\necho begun >begun\nsleep 1000 & sleep 1000\n' >slow-gdb && chmod +x slow-gdb
    MPIPP_GDB=$PWD/slow-gdb
    export MPIPP_GDB
    ok "$mpi: gdb at work, mpipp run is told to end" killed gdb begun begun TERM mpipp
    unset MPIPP_GDB
}

# What gdb in a window has a test see: where it stands at its first prompt, and, where it is to go on, at
# the next error.
window_gdbinit() {
    cat >"$HOME/.gdbinit" <<END
set height 0
python
import gdb
def look():
    with open("$folder/seen", "a") as seen:
        seen.write(gdb.execute("frame", to_string=True) + gdb.execute("info locals", to_string=True))
        seen.write(gdb.execute("mpi errors", to_string=True) + "whole\n")
def go_on():
    gdb.execute("continue")
def at_stop(event):
    look()
    gdb.post_event(go_on)
def at_prompt():
    if gdb.selected_thread() is not None:
        gdb.events.before_prompt.disconnect(at_prompt)
        look()
        if $1:
            gdb.events.stop.connect(at_stop)
            gdb.post_event(go_on)
gdb.events.before_prompt.connect(at_prompt)
end
END
    rm -f seen
}

windows() {
    rm -f display
    Xvfb -displayfd 3 -screen 0 1000x800x24 3>display >/dev/null 2>&1 &
    xvfb=$!
    until_there . display
    DISPLAY=:$(cat display)
    export DISPLAY
    window_gdbinit True
    start xterm 1
    ends "$mpi: xterm"
    ok "$mpi: xterm: gdb is at the user's frame" in_order seen "on_error.c:$line" '^numbers = [{]11, 12' \
        '^1  error datatype-uncommitted' whole "on_error.c:$second" '^numbers = [{]11, 12' '^2  error argument-count'
    ok "$mpi: ddd: gdb is at the user's frame; the next one opens when the first is closed" ddd_windows
    ok "$mpi: xterm, mpipp run is told to end" killed xterm whole seen TERM mpipp
    rm -f "$HOME/.gdbinit"
    DISPLAY=:$(($(cat display) + 5000))
    start xterm 1
    ends "$mpi: xterm, no such display"
    ok "$mpi: xterm, no such display: says so" grep -qx "mpipp: 'xterm' has failed on DISPLAY '$DISPLAY' (status [1-9][0-9]*)" err
    unset DISPLAY
    kill $xvfb
    start ddd 1
    ends "$mpi: ddd, no display"
    ok "$mpi: ddd, no display: says so" grep -qx "mpipp: '--on-error=ddd': there is no DISPLAY on $host, so that no window can be opened" err
}

close_window() {
    kill -KILL "$(pids ddd | head -n 1)"
}

# awaits PATTERN: 'seen' has it before the job ends
awaits() {
    until grep -qsE -e "$1" seen; do
        kill -0 $job 2>/dev/null || return
        sleep 0.1
    done
}

two_windows() {
    awaits '^whole' && in_order seen "on_error.c:$line" '^numbers = [{]11, 12' '^1  error' || return
    rm seen
    close_window && awaits '^2  error' && awaits '^whole' && close_window
}

# ddd_windows: DDD 3.3.12 ends itself at times (an assertion of PosBuffer.C, tests/frontends/ddd.py), and the job goes on: then
# it is tried again.
ddd_windows() {
    local shown
    for _ in 1 2 3; do
        window_gdbinit False
        start ddd 1
        two_windows
        shown=$?
        wait $job
        status=$?
        as_without || return
        [ $shown != 0 ] || return 0
        cat seen err
    done
    return 1
}

both_mpis() {
    mpi=$1 options=
    in_folder "on_error_$mpi"
    "mpicc.$mpi" -g -o on_error "$source" || exit 2
    gdb_modes
    held_modes
    limits
    killed_jobs
    windows
}
in_both both_mpis

# If there is no debugger, a message says so, and the job goes on. One MPI is enough.
mpi=mpich options=
in_folder on_error
mpicc.mpich -g -o on_error "$source" || exit 2
run=("${marked[@]}" "$mpipp" run --mpi=mpich -n 2)

# goes_on SENTENCE COMMAND...: prints it once; the job ends like without mpipp
goes_on() {
    local sentence=$1
    shift
    patiently "$@" >out 2>err </dev/null
    status=$?
    as_without && [ "$(grep -cxE "mpipp: $sentence" err)" = 1 ] && return
    cat err
    return 1
}

ok "no gdb" goes_on "'--on-error=gdb': there is no '/nowhere/gdb' on $host: install the package 'gdb'" \
    env MPIPP_GDB=/nowhere/gdb "${run[@]}" --on-error=gdb ./on_error all
ok "no gdbserver" goes_on "'--on-error=gdbserver': there is no 'gdbserver' on $host: install the package 'gdbserver'" \
    "${run[@]}" --on-error=gdbserver sh -c 'PATH=/nowhere exec ./on_error all'
mkdir mpipp-gdb.1.txt
ok "the transcript cannot be written" goes_on "cannot write 'mpipp-gdb.1.txt': Is a directory" \
    "${run[@]}" --on-error=gdb ./on_error 1
mkdir mpipp-core.1.1 mpipp-core.1.2
ok "the core file cannot be written" goes_on "gdb cannot write a core file of rank 1 to 'mpipp-core.1.2'" \
    "${run[@]}" --on-error=core ./on_error 1
mkdir -p tree/lib && cp "$BUILD/lib/libshadowtype-mpich.so" tree/lib
ok "the library alone, without mpipp" goes_on "cannot start '$(realpath tree)/bin/mpipp': it is not there" \
    "${marked[@]}" MPIPP_ON_ERROR=gdb LD_PRELOAD= mpiexec.mpich -n 2 \
    env "LD_PRELOAD=$(realpath tree)/lib/libshadowtype-mpich.so" ./on_error 1
if [ "$(id -u)" = 0 ]; then
    forbid=(setpriv --bounding-set=-sys_ptrace)
else
    forbid=(env)
fi
ok "ptrace is forbidden" goes_on "'--on-error=wait': process [0-9]+ cannot be traced: the kernel does not permit it; a container has to be started with '--cap-add=SYS_PTRACE'" \
    "${forbid[@]}" "${run[@]}" --on-error=wait ./on_error 1 undumpable
ok "warnings hold nobody" goes_on "no errors, 1 warning; .*" "${run[@]}" --on-error=wait ./on_error leak
ok "report: nothing else" goes_on "2 errors; .*" "${run[@]}" --on-error=report ./on_error all

# Without 'mpipp run'.
start_exec() {
    "${marked[@]}" MPIPP_ON_ERROR="$1" mpiexec.mpich -n 2 "$mpipp" exec ./on_error all >out 2>err
    status=$?
}
rmdir mpipp-gdb.1.txt
start_exec gdb
ok "mpipp exec: the job is as without" as_without
ok "mpipp exec: one transcript" [ "$(cat mpipp-gdb.[01].txt | grep -c '^--- error')" = 2 ]

words="it is report, wait, stop, gdb, xterm, ddd, gdbserver or core"
ok "a program that is linked with the library: a wrong word" gives 7 "^mpipp: MPIPP_ON_ERROR=frob: $words\$" \
    "${marked[@]}" MPIPP_ON_ERROR=frob mpiexec.mpich -n 1 env "LD_PRELOAD=$BUILD/lib/libshadowtype-mpich.so" ./on_error 0
ok "a program that is linked with the library: a wrong number" gives 7 \
    '^mpipp: MPIPP_MAX_DEBUGGERS=0: it is a number of ranks, 1 to 1000$' \
    "${marked[@]}" MPIPP_MAX_DEBUGGERS=0 mpiexec.mpich -n 1 env "LD_PRELOAD=$BUILD/lib/libshadowtype-mpich.so" ./on_error
ok "--on-error=frob" says 2 "'--on-error=frob': $words" "${run[@]}" --on-error=frob ./on_error
ok "--on-error=" says 2 "'--on-error=': $words" "${run[@]}" --on-error= ./on_error
ok "MPIPP_ON_ERROR=frob" says 2 "'MPIPP_ON_ERROR=frob': $words" env MPIPP_ON_ERROR=frob "${run[@]}" ./on_error
for most in 0 -1 x 1x '' 1001 99999999999999999999; do
    ok "--max-debuggers=$most" says 2 "'--max-debuggers=$most': it is a number of ranks, 1 to 1000" \
        "${run[@]}" --max-debuggers="$most" ./on_error
done
ok "on-error is not for users" says 2 "'mpipp on-error' is for ranks: see '--on-error' in 'mpipp help run'" "$mpipp" on-error
finish
