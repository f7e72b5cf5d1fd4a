#!/bin/bash
# dies.sh FILTER COMMAND...: runs a rank that dies, and leaves a core file with what the filter names. What it says is in core.said.
#
# MPI's own handlers of the signals may wait for ever for the lock that free() holds. A rank that has come to its death (it
# has written where.pid) and has not woken up for two seconds is ended by SIGQUIT, which leaves a core file, too; as is
# one that is still there after a minute.
rm -f where.pid
ulimit -c unlimited
echo "$1" >/proc/self/coredump_filter
shift
env --default-signal=QUIT "$@" </dev/null >core.said 2>&1 & # which a shell's background has it ignore
rank=$!

# Its state, and how often it has fallen asleep: nothing if it has ended.
looks() {
    sed -n '/^State:\tZ/q; s/^\(State\|voluntary_ctxt_switches\):\t\([^ ]*\).*/\2/p' "/proc/$rank/status" 2>/dev/null
}

# ended TENTHS [asleep]: within that time; or, with `asleep', until it does not wake up any more
ended() {
    local before='' still=0 i now
    for ((i = 0; i < $1; i++)); do
        sleep 0.1
        now=$(looks)
        [ -n "$now" ] || return 0
        if [[ $now = S* && $now = "$before" && -f where.pid ]]; then
            still=$((still + 1))
        else
            still=0
        fi
        [ "${2-}:$still" != asleep:20 ] || return 1
        before=$now
    done
    return 1
}

ended 600 asleep || { kill -QUIT $rank && ended 100; } || kill -KILL $rank
wait $rank
