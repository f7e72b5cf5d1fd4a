# shellcheck shell=bash
# Sourced by tests of batch jobs: a slurm of the test's own, with its own munge, on a machine where both are installed. It needs no
# service and no root, and ends with the test. Needs jobs.sh.

# slurm_lacks: prints which of its programs are not there; nothing: it can be started
slurm_lacks() {
    local name
    for name in slurmctld slurmd srun munged; do
        PATH=$PATH:/usr/sbin:/sbin command -v $name >/dev/null || { echo "no $name"; return; }
    done
}

# slurm_daemon COMMAND...: runs it until the test ends
slurm_daemon() {
    setpriv --pdeathsig TERM "$@" >>daemons.log 2>&1 </dev/null &
    slurm_daemons+=($!)
}

# slurm_settings NODES PORT: its files, in this folder
slurm_settings() {
    local version plugin=disabled
    version=$(slurmd -V)
    [[ ! $version =~ \ (1|2[0-3])[0-9]*\. ]] || plugin=cgroup/v1
    echo "CgroupPlugin=$plugin" >cgroup.conf
    cat >slurm.conf <<END_CONF
ClusterName=test
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$2
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$PWD/munge.socket
StateSaveLocation=$PWD/state
SlurmdSpoolDir=$PWD/%n
TmpFS=$PWD/%n
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmdPidFile=$PWD/%n.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
KillWait=5
NodeName=node[1-$1] NodeHostname=$slurm_names NodeAddr=127.0.0.1 Port=[$(($2 + 1))-$(($2 + $1))] CPUs=16
PartitionName=all Nodes=ALL Default=YES State=UP
END_CONF
}

# slurm_start NODES: in $folder/slurm; where name spaces of host names can be made, each node is a host, node1 to nodeNODES. After it
# srun and sbatch are for this slurm.
slurm_start() {
    local i before=$PWD
    slurm_daemons=() slurm_names="node[1-$1]"
    PATH=$PATH:/usr/sbin:/sbin
    mkdir -p "$folder/slurm/state" && cd "$folder/slurm" || return
    unshare -u true 2>/dev/null || slurm_names=$(hostname)
    slurm_settings "$1" $((20000 + RANDOM % 10000))
    head -c 128 /dev/urandom >munge.key && chmod 600 munge.key
    # It looks at who may write to the folders of its files, as /tmp is.
    slurm_daemon munged --foreground --force --socket="$PWD/munge.socket" --key-file="$PWD/munge.key" --pid-file="$PWD/munge.pid" \
        --log-file="$PWD/munge.log" --seed-file="$PWD/munge.seed"
    for ((i = 0; i < 300; i++)); do [ -S munge.socket ] && break || sleep 0.1; done
    export SLURM_CONF=$PWD/slurm.conf
    slurm_daemon slurmctld -D -c
    for ((i = 1; i <= $1; i++)); do
        mkdir -p "node$i"
        if [ "$slurm_names" = "$(hostname)" ]; then
            slurm_daemon slurmd -D -N "node$i"
        else
            # shellcheck disable=SC2016 # for the inner shell
            slurm_daemon unshare -u setpriv --pdeathsig TERM sh -c 'hostname "$0" && exec slurmd -D -N "$0"' "node$i"
        fi
    done
    cd "$before" || return
    for ((i = 0; i < 600; i++)); do
        [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = "$1" ] && return
        sleep 0.1
    done
    tail -n 5 "$folder"/slurm/*.log
    sinfo
    return 1
}

slurm_stop() {
    kill "${slurm_daemons[@]}"
    wait "${slurm_daemons[@]}" 2>/dev/null
    unset SLURM_CONF
}
