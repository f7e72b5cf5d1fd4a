#!/bin/bash
# 'make check' on another release of Debian, in a folder that debootstrap fills.
#
#   run.sh [OPTION...] SYSTEM [PART...]     SYSTEM: bullseye, bookworm, trixie or sid; PART: a name in tests/parts, all if none
#
#   --root=FOLDER    where the system lies (build/systems/SYSTEM); it is made if it is not there, and kept
#   --mirror=URL     where its packages come from (the first Debian mirror in this machine's apt sources)
#   --keep           do not build again what the last run built
#   --goal=GOAL      run 'make GOAL' instead, such as demo
#   NAME=VALUE       a variable for make
#
# The committed tree (HEAD) is tested, by a user that is not root, without a network. It needs root,
# debootstrap and git. The last line is that of 'make check'. All mounts and processes are in
# namespaces that end with this script.
set -u

usage='usage: run.sh [--root=FOLDER] [--mirror=URL] [--keep] [--goal=GOAL] bullseye|bookworm|trixie|sid [PART...]'

fail() {
    echo "run.sh: $1" >&2
    exit 2
}

# --- in the namespaces: run.sh --inside PHASE ROOT ARGUMENT...

user=tester

mount_in() {
    # Some root is a mount of its own, with its propagation: nothing here may reach the machine.
    mount --make-rprivate / &&
        mount -t proc proc "$root/proc" &&
        mount -t sysfs -o ro sysfs "$root/sys" &&
        mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts" &&
        mount --bind "$root/dev/pts/ptmx" "$root/dev/ptmx" &&
        mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
}

clean_environment=(env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    "TERM=${TERM:-dumb}" LANG=C.UTF-8)
# Open MPI 4.1.0 makes no window through UCX.
[ "${SYSTEM-}" != bullseye ] || clean_environment+=('OMPI_MCA_osc=^ucx')

inside() {
    local phase=$1
    root=$2
    shift 2
    mount_in || exit 2
    case $phase in
        setup)
            chroot "$root" "${clean_environment[@]}" HOME=/root "/home/$user/mpipp/cmd/setup/setup.sh" ;;
        make)
            hostname "$(cat "$root/etc/hostname")" && ip link set lo up || exit 2
            chroot --userspec="$user" "$root" "${clean_environment[@]}" HOME="/home/$user" USER="$user" \
                make --no-print-directory -C "/home/$user/mpipp" "$@" ;;
    esac
}

if [ "${1-}" = --inside ]; then
    shift
    inside "$@"
    exit
fi

# --- on the machine

top=$(cd "$(dirname "$0")/../.." && pwd)
script=$(realpath "$0")
root='' mirror='' keep=no goal='' system='' variables=() parts=()
for argument; do
    case $argument in
        --root=?*) root=${argument#*=} ;;
        --mirror=?*) mirror=${argument#*=} ;;
        --goal=?*) goal=${argument#*=} ;;
        --keep) keep=yes ;;
        --help) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit ;;
        -*) fail "unknown option '$argument'; $usage" ;;
        [A-Za-z_]*=*) variables+=("$argument") ;;
        *) if [ -z "$system" ]; then system=$argument; else parts+=("$argument"); fi ;;
    esac
done
case $system in
    bullseye | bookworm | trixie | sid) ;;
    '') fail "no system is named; $usage" ;;
    *) fail "unknown system '$system': bullseye, bookworm, trixie or sid" ;;
esac
for part in "${parts[@]}"; do
    grep -qE "^$part +[^ ]" "$top/tests/parts" || fail "no part '$part' in tests/parts"
done
[ -z "$goal" ] || [ "${#parts[@]}" = 0 ] || fail "a goal or parts, not both"
[ "$(id -u)" = 0 ] || fail "another system needs root: run it with sudo"
export SYSTEM=$system # for the part in the namespaces
root=$(realpath -m "${root:-${BUILD:-$top/build}/systems/$system}")
[ "$root" != / ] || fail "--root=/ is this system itself"

# in_namespaces OPTION... -- PHASE ARGUMENT...: whatever ends this script, or the shell that it runs in, ends all
in_namespaces() {
    local options=()
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    unshare --mount --pid --ipc --uts --fork --kill-child "${options[@]}" "$script" --inside "$@" </dev/null &
    child=$!
    trap 'kill -KILL "$child" 2>/dev/null; exit 130' INT TERM HUP
    wait "$child"
    local status=$?
    trap - INT TERM HUP
    return "$status"
}

first_mirror() {
    # shellcheck disable=SC2016 # apt's own variables
    apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        awk '$1 == "Debian" { print $2; exit }'
}

make_root() {
    [ -n "$mirror" ] || mirror=$(first_mirror)
    [ -n "$mirror" ] || fail "no mirror of Debian in this machine's apt sources: give one with --mirror=URL"
    mkdir -p "$(dirname "$root")" || exit 2
    rm -rf --one-file-system "$root.part"
    echo "making $system in $root"
    if ! debootstrap --variant=minbase --include=make "$system" "$root.part" "$mirror" >"$root.log" 2>&1; then
        tail -n 5 "$root.log" >&2
        fail "debootstrap could not make $system (see $root.log)"
    fi
    echo "$system" >"$root.part/etc/hostname"
    echo "127.0.0.1 localhost $system" >"$root.part/etc/hosts"
    chroot "$root.part" useradd --create-home --shell /bin/bash "$user" || exit 2
    echo "$system" >"$root.part/etc/mpipp-system"
    mv -T "$root.part" "$root"
}

# The tree as it is committed, without what is built; with --keep, what was built stays.
copy_tree() {
    local tree=$root/home/$user/mpipp
    local git=(git -c safe.directory="$top/.git" -c safe.directory="$top" -c safe.directory="$tree")
    [ "$keep" = yes ] || rm -rf --one-file-system "$tree"
    [ -d "$tree/.git" ] || git init -q "$tree" || exit 2
    # The files have another owner now: git would write all of them again, and make build all of them.
    "${git[@]}" -C "$tree" update-index -q --refresh >/dev/null 2>&1
    if ! { "${git[@]}" -C "$tree" fetch -q --depth=1 "file://$top" HEAD &&
        "${git[@]}" -C "$tree" reset -q --hard FETCH_HEAD && "${git[@]}" -C "$tree" clean -qfd; }; then
        fail "the committed tree cannot be copied"
    fi
    chown -R --reference="$root/home/$user" "$tree"
}

[ ! -e "$root" ] || [ "$(cat "$root/etc/mpipp-system" 2>/dev/null)" = "$system" ] ||
    fail "'$root' is there, and is no $system that this script made"
for tool in debootstrap git unshare ip; do
    command -v "$tool" >/dev/null || fail "'$tool' is not installed"
done
[ -e "$root" ] || make_root
exec 8>"$root/etc/mpipp-lock"
flock -n 8 || fail "another run uses '$root'"
copy_tree
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null
# This machine's proxies, and whether it takes old lists of packages.
apt-config dump 2>/dev/null | grep -E '^Acquire::(Check-|https?::Proxy|Retries)' >"$root/etc/apt/apt.conf.d/10machine"
in_namespaces -- setup "$root" || fail "the packages could not be installed"

goals=("${goal:-check}")
[ "${#parts[@]}" = 0 ] || goals=("${parts[@]/#/check-}")
status=0
for goal in "${goals[@]}"; do
    in_namespaces --net -- make "$root" "${variables[@]}" "$goal" || status=1
done
exit "$status"
