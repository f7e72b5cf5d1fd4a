#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs the packages in the list beside it that are not there yet.
#
#   setup.sh [KIND]             install what is missing, of KIND "build" or "test" or of both; "checker":
#                               what the build needs, but for the plugin of gdb; "demo": but for the second MPI
#   setup.sh --missing [KIND]   print it
#
# A package of kind "service" is a test's, too, but it would start something on a machine that systemd
# runs: there it is left alone, and the test says that it was not run.
#
# The MPI libraries, kind "mpi", are needed for the build, unless MPICCS names others (mpis.sh).
#
# The demo runs under the MPI that MPI= names, or under one that is there, or under MPICH.
#
# Where there is no dpkg, nothing is known to be missing.
set -eu

list=$(dirname "$0")/packages
init=${INIT:-$(cat /proc/1/comm)}

# demo_mpi: the MPI whose packages the demo needs; "none": it is there, and did not come from packages
demo_mpi() {
    found=$("$(dirname "$0")/mpis.sh")
    named=${MPI:-${found%%=*}}
    if [ "$found" = "$named=mpicc" ]; then
        echo none
    else
        echo "${named:-mpich}"
    fi
}

# missing [KIND]: the names, on one line
missing() {
    command -v dpkg-query >/dev/null || return 0
    only=''
    [ "${1:-}" != demo ] || only=$(demo_mpi)
    wanted=$(awk -v kind="${1:-}" -v init="$init" -v mpiccs="${MPICCS:-}" -v only="$only" '
        BEGIN {
            kinds[""] = "build mpi plugin test service"
            kinds["build"] = kinds["demo"] = "build mpi plugin"
            kinds["checker"] = "build mpi"
            kinds["test"] = "test service"
        }
        !/^[a-z]/ || !index(" " kinds[kind] " ", " " $2 " ") { next }
        $2 == "mpi" && (mpiccs != "" || !index($1, only)) { next }
        $2 == "service" && init == "systemd" { next }
        { print $1 }' "$list")
    # shellcheck disable=SC2086 # one word a package
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
        awk '$1 == "installed" { print $2 }')
    for package in $wanted; do
        echo "$installed" | grep -qxF "$package" || printf '%s ' "$package"
    done
}

if [ "${1:-}" = --missing ]; then
    missing "${2:-}"
    exit 0
fi

# An older Debian may lack a package that only tests need: they say what they skip. Without lists of packages nothing is
# known to be lacking.
is_lacking() {
    ls "${LISTS:-/var/lib/apt/lists}"/*Packages* >/dev/null 2>&1 && grep -qE "^$1 +(test|service) " "$list" &&
        ! LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'
}

# split PACKAGE...: into $packages, which can be installed, and $lacking
split() {
    packages='' lacking=''
    for package; do
        if is_lacking "$package"; then
            lacking="$lacking $package"
        else
            packages="${packages:+$packages }$package"
        fi
    done
}

say_lacking() {
    [ -z "$lacking" ] || echo "setup: this system has no$lacking: some tests are skipped"
}

# shellcheck disable=SC2046 # one word a package
split $(missing "${1:-}")
[ -n "$packages" ] || { say_lacking; exit 0; }

if [ "$(id -u)" = 0 ]; then
    sudo=
elif sudo -n true 2>/dev/null; then
    sudo='sudo -n'
else
    echo "setup: packages are missing, and installing them needs root; run" >&2
    echo "sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends $packages'" >&2
    exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
refuse() {
    cat "$log" >&2
    echo "setup: apt-get could not install them" >&2
    exit 1
}

# In a container, that is, where no init runs, dpkg does not wait for the disk after each package: that is a third of its
# time, and makes a difference only if the machine crashes. The containers that Debian makes are set up so. The demo
# needs no translated descriptions of packages either.
update='' install=''
case $init in
systemd | init | runit | openrc-init | s6-svscan) ;;
*)
    install='-o Dpkg::Options::=--force-unsafe-io '
    [ "${1:-}" != demo ] || update='-o Acquire::Languages=none '
    ;;
esac

echo "setup: installing $packages"
# shellcheck disable=SC2086 # $sudo and the options are lists of words
$sudo apt-get -qq ${update}update >"$log" 2>&1 </dev/null || refuse
# shellcheck disable=SC2086 # one word a package
split $packages $lacking
say_lacking
[ -n "$packages" ] || exit 0
# shellcheck disable=SC2086 # $sudo, the options and $packages are lists of words
$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends ${install}install $packages \
    >"$log" 2>&1 </dev/null || refuse
