# shellcheck shell=bash
# Sourced by tests of HOST:PID: an sshd of the test's own on a port of the loopback interface, with
# keys and configuration in the test's folder. It lets in who runs the test, and nobody else.

# sshd_here: whether it can be started
sshd_here() {
    sshd_program=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd) && command -v ssh >/dev/null
}

# sshd_start NAME: starts it in this folder; `ssh -F ssh_config NAME` reaches it. It ends with the test.
sshd_start() {
    local try
    ssh-keygen -q -t ed25519 -N '' -f host_key && ssh-keygen -q -t ed25519 -N '' -f user_key || return
    # As root it wants the folder that its service would have made.
    [ "$(id -u)" != 0 ] || mkdir -p /run/sshd || return
    cat >sshd_config <<END_CONFIG
ListenAddress 127.0.0.1
HostKey $PWD/host_key
AuthorizedKeysFile $PWD/user_key.pub
AllowUsers $(id -un)
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
StrictModes no
UsePAM no
PidFile none
END_CONFIG
    for ((try = 0; try < 20; try++)); do # a port may be taken
        sshd_port=$((20000 + RANDOM % 10000))
        setpriv --pdeathsig TERM "$sshd_program" -D -e -f "$PWD/sshd_config" -p $sshd_port >sshd.log 2>&1 </dev/null &
        sshd_pid=$!
        while kill -0 $sshd_pid 2>/dev/null && ! grep -q '^Server listening' sshd.log; do sleep 0.1; done
        kill -0 $sshd_pid 2>/dev/null && break
    done
    cat >ssh_config <<END_CONFIG
Host $1
HostName 127.0.0.1
Port $sshd_port
User $(id -un)
IdentityFile $PWD/user_key
IdentitiesOnly yes
UserKnownHostsFile $PWD/known_hosts
BatchMode yes
END_CONFIG
    echo "[127.0.0.1]:$sshd_port $(cat host_key.pub)" >known_hosts
}

# sshd_idle: nobody is logged in any more, within a few seconds
sshd_idle() {
    local i
    for ((i = 0; i < 600; i++)); do
        pgrep -P "$sshd_pid" >/dev/null || return 0
        sleep 0.1
    done
    ps -o pid,ppid,args --ppid "$sshd_pid"
    return 1
}

sshd_stop() {
    kill "$sshd_pid"
    wait "$sshd_pid" 2>/dev/null
}
