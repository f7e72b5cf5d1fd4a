# shellcheck shell=bash
# Sourced by tests of jobs on two hosts. Needs jobs.sh.

# two_hosts MPI: sets "${options[@]}" of 'mpipp run', and what it needs in the environment, so that its launcher starts the ranks
# on far1 and far2: these are names on this machine, with name spaces of their own, in which a script starts the launcher's
# daemons. Returns 1 if no such name space can be made.
two_hosts() {
    local mpi=$1
    unshare -u true 2>/dev/null || return
    cat >remotely <<'SCRIPT'
#!/bin/bash
# remotely [OPTION]... HOST COMMAND...
while [[ $1 == -* ]]; do shift; done
host=$1
shift
exec unshare -u bash -c 'hostname "$1"; shift; exec env -u MPIPP_GATHER -u MPIPP_NODE sh -c "$*"' - "$host" "$@" </dev/null
SCRIPT
    chmod +x remotely
    if [ "$mpi" = mpich ]; then
        options=(-hosts "far1,far2")
        export HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC=$PWD/remotely
    elif mpirun.openmpi --version | grep -q OpenRTE; then
        options=(--mca plm_rsh_agent "$PWD/remotely" -host "far1:2,far2:2")
    else
        options=(--prtemca plm_ssh_agent "$PWD/remotely" -host "far1:2,far2:2")
    fi
}

# one_host: undoes that
one_host() {
    unset HYDRA_LAUNCHER HYDRA_LAUNCHER_EXEC
    # shellcheck disable=SC2034 # for jobs
    options=()
}
