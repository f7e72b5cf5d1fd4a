#!/bin/bash
# Each line that a user may type, under each MPI: sessions.md.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
BUILD=$(realpath "${BUILD:-build}")
here=tests/contract
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PATH=$BUILD/bin:$PATH
export MANPATH=$BUILD/share/man
unset DISPLAY
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

sessions=$here/sessions.md
if ! command -v man >/dev/null; then
    skip "the page of the manual" "man is not installed"
    sed '/^\$ man /,+1d' "$sessions" >"$folder/sessions.md"
    sessions=$folder/sessions.md
fi

# types PAGE: its lines come back as they are shown, or in other ways where there is "..."
types() {
    rm -rf "$folder/session" && mkdir "$folder/session" && cp $here/app.c "$folder/session" &&
        tests/patiently tests/book/replay.py "$1" "$folder/session"
}

# notices: a line that shows something else is noticed
notices() {
    sed '/^\$ mpipp run/,/^\$ mpipp explain/{/^\$ mpipp explain/!d}; s/^mpipp gdb \[-n 1\]/& [-n 2]/' "$sessions" >"$folder/wrong.md"
    ! types "$folder/wrong.md" >"$folder/said" && grep -q '^FAIL: mpipp help gdb$' "$folder/said" &&
        grep -q '^[1-9][0-9]* passed, 1 failed$' "$folder/said" && return
    cat "$folder/said"
    return 1
}

for MPI in mpich openmpi; do
    export MPI LAUNCHER
    case $MPI in
    mpich) LAUNCHER=mpiexec.mpich ;;
    openmpi) LAUNCHER="mpirun.openmpi --oversubscribe" ;;
    esac
    if ! command -v mpicc.$MPI >/dev/null; then
        skip "$MPI: the sessions" "not installed"
        continue
    fi
    ok "$MPI: the sessions" types "$sessions"
    [ -n "${noticed-}" ] || ok "$MPI: a line that shows something else" notices
    noticed=yes
done
finish
