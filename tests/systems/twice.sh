#!/bin/bash
# Builds what is committed twice, in two folders, and compares what would be installed: each byte is equal, and no path of
# the build is in it. No part of 'make check': it takes two whole builds, three minutes on two processors.
#
#   twice.sh [NAME=VALUE...]     variables for make
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh

top=$PWD
folder=$(realpath "$(mktemp -d)")
trap 'rm -rf "$folder"' EXIT

# built PLACE VARIABLE...: without the tests' own folder in PATH, and without ccache, which might give both the same object
built() {
    local place=$folder/$1
    shift
    git clone -q "$top" "$place" &&
        PATH=${PATH#*:} CCACHE_DISABLE=1 make -s -j"$(nproc)" -C "$place" SETUP=no "$@" all &&
        make -s -C "$place" SETUP=no "$@" PREFIX=/usr DESTDIR="$place-installed" install
}

# listed PLACE: the files with their checksums, and the symbolic links
listed() {
    (cd "$folder/$1-installed" && find . -type f -exec sha256sum {} + -o -type l -printf 'link to %l  %p\n' | sort -k 2)
}

equal() {
    listed one >"$folder/one.list" && [ -s "$folder/one.list" ] && listed a/longer/place >"$folder/other.list" &&
        diff "$folder/one.list" "$folder/other.list"
}

nowhere() {
    ! grep -rlF "$folder" "$folder/one-installed" "$folder/a/longer/place-installed"
}

ok "the first build" built one "$@"
ok "the second build, elsewhere" built a/longer/place "$@" BUILD=out
ok "both are equal" equal
ok "no path of the build is in them" nowhere
finish
