#!/bin/bash
# The workflows of docs/ci.md and the Containerfile, without a container engine or a CI server: their steps are run in a minimal
# Debian 12 that debootstrap makes, each in an overlay that is thrown away. No part of 'make check': it needs root, debootstrap, a
# mirror of Debian and python3-yaml, and takes some minutes.
#
#   containers.sh [--base=FOLDER] [github|gitlab|container]...     FOLDER: the minimal system, kept (build/systems/minimal)
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh

top=$PWD base=${BUILD:-build}/systems/minimal kinds=()
for argument; do
    case $argument in
        --base=?*) base=${argument#*=} ;;
        github | gitlab | container) kinds+=("$argument") ;;
        *) echo "containers.sh: no '$argument': github, gitlab or container" >&2; exit 2 ;;
    esac
done
[ "${#kinds[@]}" != 0 ] || kinds=(github gitlab container)
[ "$(id -u)" = 0 ] || { echo "containers.sh: it needs root" >&2; exit 2; }
folder=$(realpath "$(mktemp -d)")
trap 'rm -rf --one-file-system "$folder"' EXIT

if [ ! -e "$base" ]; then
    # shellcheck disable=SC2016 # apt's own variables
    mirror=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' | awk '$1 == "Debian" { print $2; exit }')
    mkdir -p "$(dirname "$base")" && debootstrap --variant=minbase bookworm "$base.part" "$mirror" >"$base.log" 2>&1 &&
        mv "$base.part" "$base" || { tail -n 5 "$base.log" >&2; exit 2; }
fi
base=$(realpath "$base")

# The program whose CI it is: one wrong call.
mkdir -p "$folder/project/tests"
cp examples/errors/datatype-uncommitted.c "$folder/project/tests/exchange.c"
printf 'tests/exchange: tests/exchange.c\n\tmpicc.mpich -g -o $@ $<\n' >"$folder/project/Makefile"
git clone -q --bare "$top" "$folder/mpipp.git" || exit 2

# contained KIND: runs the steps; the overlay is in $folder/KIND
contained() {
    local place=$folder/$1
    mkdir -p "$place/upper/src" "$place/upper/project" "$place/work" "$place/root"
    case $1 in
        container)
            git clone -q "$top" "$place/upper/src"
            tests/systems/steps.py container tests/systems/Containerfile ;;
        *)
            cp -r "$folder/project/." "$place/upper/project"
            cp -r "$folder/mpipp.git" "$place/upper/mpipp.git"
            tests/systems/steps.py "$1" docs/ci.md ;;
    esac >"$place/upper/steps" || return
    cp /etc/resolv.conf "$place/upper/src/../resolv.conf"
    mkdir -p "$place/upper/etc/apt/apt.conf.d" && mv "$place/upper/resolv.conf" "$place/upper/etc/resolv.conf"
    apt-config dump | grep -E '^Acquire::(Check-|https?::Proxy|Retries)' >"$place/upper/etc/apt/apt.conf.d/10machine"
    # shellcheck disable=SC2016 # for the inner shell
    unshare --mount --pid --ipc --uts --fork --kill-child bash -c '
        mount --make-rprivate / && mount -t overlay overlay -o "lowerdir=$0,upperdir=$1/upper,workdir=$1/work" "$1/root" &&
            mount -t proc proc "$1/root/proc" && mount -t tmpfs tmpfs "$1/root/dev/shm" && mount -t tmpfs tmpfs "$1/root/tmp" || exit 2
        exec chroot "$1/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive \
            MPIPP_REPOSITORY=/mpipp.git sh -c "cd /project && git config --global --add safe.directory \"*\" 2>/dev/null; sh /steps"' \
        "$base" "$place" >"$place/log" 2>&1 </dev/null
}

for kind in "${kinds[@]}"; do
    contained "$kind"
    status=$?
    case $kind in
        github) wanted=86 file=project/mpi.sarif ;;
        gitlab) wanted=86 file=project/mpi.xml ;;
        *) wanted=0 file=home/tester/mpipp/build/bin/mpipp ;;
    esac
    ok "$kind: exit status $wanted" sh -c '[ "$1" = "$2" ] || { tail -n 12 "$0" | cut -c1-300; echo "status $1"; exit 1; }' "$folder/$kind/log" $status $wanted
    ok "$kind: $file is there" [ -s "$folder/$kind/upper/$file" ]
    [ $wanted = 0 ] || ok "$kind: it has the error" grep -q datatype-uncommitted "$folder/$kind/upper/$file"
done
finish
