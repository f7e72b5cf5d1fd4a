#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs the packages in the list beside it that are not there yet.
#
#   setup.sh [KIND]             install what is missing, of KIND "build" or "test" or of both; "checker":
#                               what the build needs, but for the plugin of gdb
#   setup.sh --missing [KIND]   print it
#
# A package of kind "service" is a test's, too, but it would start something on a machine that systemd
# runs: there it is left alone, and the test says that it was not run.
#
# The MPI libraries, kind "mpi", are needed for the build, unless MPICCS names others (mpis.sh).
#
# Where there is no dpkg, nothing is known to be missing.
set -eu

list=$(dirname "$0")/packages
init=${INIT:-$(cat /proc/1/comm)}

# missing [KIND]: the names, on one line
missing() {
    command -v dpkg-query >/dev/null || return 0
    wanted=$(awk -v kind="${1:-}" -v init="$init" -v mpiccs="${MPICCS:-}" '
        $2 == "mpi" { if (mpiccs != "") next; $2 = "build" }
        $2 == "plugin" { if (kind == "checker") next; $2 = "build" }
        $2 == "build" && kind == "checker" { $2 = "checker" }
        $2 == "service" { if (init == "systemd") next; $2 = "test" }
        /^[a-z]/ && (kind == "" || $2 == kind) { print $1 }' "$list")
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

echo "setup: installing $packages"
$sudo apt-get -qq update >"$log" 2>&1 </dev/null || refuse
# shellcheck disable=SC2086 # one word a package
split $packages $lacking
say_lacking
[ -n "$packages" ] || exit 0
# shellcheck disable=SC2086 # $sudo and $packages are lists of words
$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install $packages \
    >"$log" 2>&1 </dev/null || refuse
