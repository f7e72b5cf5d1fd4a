#!/bin/bash
# Batch jobs, under a slurm of the test's own (slurm.sh) with four nodes, where slurm and munge are installed. Both MPIs.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
. tests/cmd/slurm.sh
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_NODE MPIPP_GATHER

lacks=$(slurm_lacks)
if [ -n "$lacks" ]; then
    skip "jobs under slurm" "$lacks here: apt-get install slurm-wlm munge"
    finish
fi

# script COMMAND...: job.sh, a batch script that becomes this command
script() {
    printf '#!/bin/sh\nexec %s\n' "$*" >job.sh
}

# batch STATUS PATTERN [OPTION...]: job.sh as a batch job ends with this status, and a line of its output matches
batch() {
    local status=$1 pattern=$2 got
    shift 2
    rm -f job.out
    patiently -t 120 "${marked[@]}" sbatch -W -Q -o job.out "$@" job.sh >/dev/null 2>sbatch.err </dev/null
    got=$?
    [ "$got" = "$status" ] && grep -qE -e "$pattern" job.out && return
    echo "wanted status $status and '$pattern', got status $got and: $(cat sbatch.err job.out)"
    return 1
}

# signalled: a batch job that waits is sent SIGTERM, as by --signal=B:TERM@60: its output says what the ranks are in
signalled() {
    local job number i
    script "$mpipp run --timeout=0 --launcher='$step -n 4' ./hangs recv_recv"
    rm -f job.out
    "${marked[@]}" sbatch -W -N 2 -n 4 -o job.out job.sh >sbatch.out 2>&1 </dev/null &
    job=$!
    until_there '^Submitted' sbatch.out && number=$(awk '{ print $4 }' sbatch.out) || return
    for ((i = 0; i < 600; i++)); do
        "$mpipp" ranks >ranks.out && grep -qE "MPI_Recv from 0, tag 7, MPI_COMM_WORLD  $folder/hangs\$" ranks.out && break
        sleep 0.1
    done
    scancel --batch --signal=TERM "$number"
    wait "$job"
    grep -qE '^mpipp: what [34] ranks are in now$' job.out &&
        grep -qE '^  rank 1    MPI_Recv\(source=0, tag=7, MPI_COMM_WORLD\)   hangs.c:[0-9]+' job.out && return
    cat ranks.out job.out
    return 1
}

# listed: 'mpipp ranks' lists all ranks of a job on two hosts while it waits, and mpipp reports the hang and ends it
listed() {
    local job i
    "${marked[@]}" "$mpipp" run --timeout=5 --fail-on=error --launcher="$step -N 2 -n 4" ./hangs recv_recv >hang.out 2>&1 </dev/null &
    job=$!
    for ((i = 0; i < 600; i++)); do
        "$mpipp" ranks "$job" >ranks.out 2>&1
        [ "$(grep -cE ' [0-3] +[0-9]+ +[a-z0-9]+ +(yes|-) .*/hangs$' ranks.out)" -ge 3 ] && grep -q 'MPI_Recv from 0, tag 7' ranks.out && break
        sleep 0.1
    done
    [ $i != 600 ] || cat ranks.out
    wait "$job"
    [ $? = 86 ] && [ $i != 600 ] && grep -q '^mpipp: error deadlock: ranks 0 and 1 wait for each other, for ' hang.out && return
    cat hang.out
    return 1
}

under_slurm() {
    local mpi=$1 step
    in_folder "$mpi"
    ranks_yield "$mpi"
    [ "$mpi" = mpich ] && step='srun --mpi=pmi2' || step='srun --mpi=pmix'
    # Open MPI names its shared memory by the host and the rank's number there: where nodes have no host names of their own, two
    # nodes would have the same.
    [ "$slurm_names" != "$(hostname)" ] || marked+=("OMPI_MCA_btl=self,tcp")
    if ! srun --mpi=list 2>&1 | grep -q "${step#*=}"; then
        skip "$mpi: jobs under slurm" "this slurm has no ${step#*=}"
        return
    fi
    "mpicc.$mpi" -std=gnu11 -g -w -o hangs "$top"/tests/cmd/hangs*.c && "mpicc.$mpi" -g -o probe "$top/tests/cmd/probe.c" &&
        "mpicc.$mpi" -std=gnu11 -g -w -o nodes "$top/tests/cmd/nodes.c" && "mpicc.$mpi" -g -o preloaded "$top/tests/cmd/preloaded.c" || return

    ok "$mpi: 64 ranks" times 64 'rank [0-9]+ of 64, loaded' "${marked[@]}" "$mpipp" run --launcher="$step -N 4 -n 64" ./probe
    ok "$mpi: 64 ranks, of which one errs" gives 86 '^mpipp: error collective-op: rank 63 .* MPI_Allreduce where ' \
        "${marked[@]}" "$mpipp" run --fail-on=error --launcher="$step -N 4 -n 64" ./nodes operation
    ok "$mpi: a clean job" gives 0 '^mpipp: no errors; [0-9]+ calls checked on 4 ranks$' \
        "${marked[@]}" "$mpipp" run --launcher="$step -N 2 -n 4" ./probe
    ok "$mpi: the program's exit status" gives 7 '' "${marked[@]}" "$mpipp" run --launcher="$step -n 2" ./probe exit 7
    # shellcheck disable=SC2086 # words of a command
    {
        ok "$mpi: srun mpipp exec" times 4 'rank [0-3] of 4, loaded' "${marked[@]}" $step -N 2 -n 4 "$mpipp" exec ./probe
        ok "$mpi: srun --export" times 2 '^mpipp: warning datatype-recommitted: rank [01] commits a datatype' \
            env -u LD_PRELOAD "${marked[@]/#LD_PRELOAD=*/OTHER=}" $step -n 2 --export="ALL,LD_PRELOAD=$BUILD/lib/libshadowtype-$mpi.so" ./preloaded
        ok "$mpi: srun mpipp run says that it is the wrong way round" times 1 \
            "^mpipp: 'srun' has started 2 of 'mpipp run', and each starts a job: 'mpipp run --launcher=srun' starts one" \
            "${marked[@]}" $step -n 2 "$mpipp" run --launcher=env ./probe
    }
    script "$mpipp run --fail-on=error --launcher='$step -n 4' ./nodes operation"
    ok "$mpi: sbatch, mpipp run --launcher=srun" batch 86 '^mpipp: error collective-op: rank 3 .* MPI_Allreduce where ' -N 2 -n 4
    # Without a name for its address, MPICH's launcher cannot be reached from the nodes.
    script "$mpipp run $([ "$mpi" != mpich ] || echo -localhost 127.0.0.1) -n 4 -- ./probe"
    ok "$mpi: sbatch, mpipp run with the MPI's own launcher" batch 0 '^mpipp: no errors; [0-9]+ calls checked on 4 ranks$' -N 2 -n 4
    ok "$mpi: a job that hangs" listed
    ok "$mpi: sbatch, a signal" signalled
    ok "$mpi: nothing is left" none_left
}

in_folder daemons
if slurm_start 4 >started 2>&1; then
    in_both under_slurm
else
    ok "slurm starts" sh -c 'cat "$0"; exit 1' "$PWD/started"
fi
slurm_stop
cd / && finish
