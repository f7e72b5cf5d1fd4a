#!/bin/bash
# Jobs without 'mpipp run': the library in LD_PRELOAD, by the environment or by an option of the launcher. Each rank reports for
# itself, nothing else of the job changes, and nothing is left of it. Both MPIs.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_NODE MPIPP_GATHER
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# job LIBRARY COMMAND...: out, err and status in files
job() {
    local preload=$1
    shift
    patiently -t 120 env ${preload:+"LD_PRELOAD=$preload"} "${marked[@]}" "$@" >out 2>err </dev/null
    echo $? >status
}

# reported RANKS: on standard error, each rank has reported its warning, with the place in the program, and nothing else
reported() {
    local rank
    for ((rank = 0; rank < $1; rank++)); do
        [ "$(grep -cE "^mpipp: warning datatype-recommitted: rank $rank commits a datatype that is committed already$" err)" = 1 ] || break
    done
    [ "$rank" = "$1" ] && [ "$(grep -c '^mpipp: ' err)" = "$1" ] &&
        grep -qE '^  call      MPI_Type_commit\((data)?type=0x[0-9a-f]+\)   preloaded\+0x[0-9a-f]+$' err && return
    cat err
    return 1
}

# unchanged RANKS: exit status and standard output are the program's
unchanged() {
    [ "$(cat status)" = 3 ] && [ "$(sort out)" = "$(seq -f 'rank %.0f ends' 0 $(($1 - 1)))" ] && return
    cat status out err
    return 1
}

# place: what addr2line says of the address in the report, as docs/batch.md has it
place() {
    local address
    address=$(sed -nE 's/^  call      MPI_Type_commit\(.*preloaded\+(0x[0-9a-f]+)$/\1/p' err | head -n 1)
    addr2line -e preloaded "$(printf '0x%x' $((address - 1)))" | grep -q ":$(grep -n 'wrong: commit' "$top/tests/cmd/preloaded.c" | cut -d: -f1)\$"
}

# open_files PID...: what these ranks have open or mapped outside of the system's folders, without numbers
open_files() {
    local pid
    for pid; do
        readlink "/proc/$pid"/fd/* 2>/dev/null
        awk '$6 ~ /^\// { print $6 }' "/proc/$pid/maps"
    done | grep -E '^/(dev/shm|tmp|var|run)|^/memfd' | grep -vF "$BUILD" | sed -E "s/_tmp[A-Za-z0-9]*/_tmpN/; s/[0-9a-f]*[0-9][0-9a-f]*/N/g" | LC_ALL=C sort -u
}

# waiting LIBRARY: starts a job that waits, and waits until MPI has started in its two ranks. MPICH's launcher ends by itself at
# times (says.sh): then again.
waiting() {
    for _ in 1 2 3; do
        rm -f wait.out # what an earlier job wrote would be read until this one's shell has emptied it
        env ${1:+"LD_PRELOAD=$1"} "${marked[@]}" "${launcher[@]}" -n 2 ./preloaded wait >wait.out 2>&1 </dev/null &
        launched=$!
        while kill -0 "$launched" 2>/dev/null; do
            [ "$(grep -cs ' has started$' wait.out)" != 2 ] || return
            sleep 0.1
        done
    done
}

# in_receive: 'mpipp ranks' shows the call that rank 0 is in
in_receive() {
    local i
    for ((i = 0; i < 60; i++)); do
        "$mpipp" ranks >ranks.out
        grep -qE " 0 .* yes .*MPI_Recv from 1, tag 7, MPI_COMM_WORLD .*$folder/preloaded\$" ranks.out && return
        sleep 0.1
    done
    cat ranks.out wait.out
    return 1
}

# the_same_files: a job with the library has no file open that one without it does not have
the_same_files() {
    local list
    for list in bare.files loaded.files; do
        waiting "$([ $list = bare.files ] || echo "$library")"
        mapfile -t ranks < <(pids preloaded)
        [ "${#ranks[@]}" = 2 ] || { cat wait.out; return 1; }
        open_files "${ranks[@]}" >$list
        kill "$launched"
        wait "$launched"
    done
    [ -z "$(LC_ALL=C comm -13 bare.files loaded.files | tee /dev/stderr)" ]
}

# killed: the ranks and the launcher are killed; nothing of mpipp's is left
killed() {
    waiting "$library"
    # shellcheck disable=SC2046
    kill -KILL $(pids preloaded) "$launched"
    wait "$launched"
    none_left && [ -z "$(find /dev/shm "$TMPDIR" -user "$(id -un)" \( -name '*mpipp*' -o -name '*shadowtype*' \))" ]
}

preloaded() {
    local mpi=$1 library=$BUILD/lib/libshadowtype-$1.so launcher option other=openmpi
    in_folder "$mpi"
    marked+=(OMPI_MCA_mpi_yield_when_idle=1)
    "mpicc.$mpi" -g -o preloaded "$top/tests/cmd/preloaded.c" || return
    if [ "$mpi" = mpich ]; then
        launcher=(mpiexec.mpich) option=(-genv LD_PRELOAD "$library")
    else
        launcher=(mpirun.openmpi --oversubscribe) option=(-x "LD_PRELOAD=$library") other=mpich
    fi

    job "$library" "${launcher[@]}" -n 2 ./preloaded
    ok "$mpi: LD_PRELOAD of the launcher: each rank reports" reported 2
    ok "$mpi: and the job is the same" unchanged 2
    ok "$mpi: the line of the report" place
    job '' sh -c 'export LD_PRELOAD="$0"; ls -l | sort >listed; "$@"; exit $?' "$library" "${launcher[@]}" -n 2 ./preloaded
    ok "$mpi: export in a script" reported 2
    ok "$mpi: export in a script: the job is the same" unchanged 2
    job '' "${launcher[@]}" "${option[@]}" -n 3 ./preloaded
    ok "$mpi: ${option[0]}" reported 3
    ok "$mpi: ${option[0]}: the job is the same" unchanged 3
    job "$BUILD/lib/libshadowtype-$other.so" "${launcher[@]}" -n 2 ./preloaded
    ok "$mpi: the library of the other MPI does nothing" unchanged 2
    ok "$mpi: and says nothing" [ "$(grep -c mpipp err)" = 0 ]
    job "$library:$BUILD/lib/libshadowtype-$other.so" "${launcher[@]}" -n 2 ./preloaded
    ok "$mpi: both libraries: that of the program's MPI reports" reported 2
    ok "$mpi: both libraries: the job is the same" unchanged 2

    # The ranks do not find each other: the message and the collective call with errors are not compared.
    for check in collective p2p rma,race; do
        job "$library" env MPIPP_CHECK=$check "${launcher[@]}" -n 2 ./preloaded
        ok "$mpi: MPIPP_CHECK=$check: what is not compared is said, once" [ "$(grep '^mpipp: ' err | grep -v datatype-recommitted)" = \
            "mpipp: the ranks share no memory, as they do under 'mpipp run': what they do together is not compared" ]
        ok "$mpi: MPIPP_CHECK=$check: the job is the same" unchanged 2
    done
    job "$library" env MPIPP_CHECK=none "${launcher[@]}" -n 2 ./preloaded
    ok "$mpi: MPIPP_CHECK=none" [ "$(grep -c mpipp err)" = 0 ]
    "$mpipp" run --launcher="${launcher[*]} -n 2" --check=collective,p2p ./preloaded >out 2>err </dev/null
    echo $? >status
    ok "$mpi: under 'mpipp run' they are compared" [ "$(grep -cE '^mpipp: (error|warning) (match-type|collective-op|datatype-recommitted): ' err)" = 3 ]

    waiting "$library"
    ok "$mpi: 'mpipp ranks'" in_receive
    kill "$launched"
    wait "$launched"
    ok "$mpi: no file of its own" the_same_files
    ok "$mpi: killed" killed
}

in_both preloaded
finish
