#!/bin/bash
# The packages of Debian: built of what is committed, looked at by lintian, unpacked into a folder and tried there.
# No part of 'make check': it takes a build more, and needs debhelper, dh-python and lintian.
#
#   run.sh [FOLDER]     FOLDER: where the packages are left; a folder of its own, which is removed, if it is not given
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh

top=$PWD
for tool in dpkg-buildpackage dh dh_python3 lintian; do
    command -v $tool >/dev/null || { echo "$tool is missing: apt-get install debhelper dh-python lintian" >&2; exit 2; }
done
folder=$(realpath "${1:-$(mktemp -d)}")
[ $# != 0 ] || trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder" && cd "$folder" || exit 2

git clone -q "$top" mpipp || exit 2
# Without the tests' own folder in PATH: make takes its folder gdb for a program.
build() {
    (cd mpipp && PATH=${PATH#*:} dpkg-buildpackage -us -uc -b) >build.log 2>&1 || {
        tail -n 40 build.log
        return 1
    }
}
ok "dpkg-buildpackage" build
for package in mpipp libshadowtype-mpich libshadowtype-openmpi mpipp-doc; do
    ok "a package $package" compgen -G "${package}_*.deb"
done
lints() {
    lintian --tag-display-limit 0 --fail-on error ./*.changes >lintian.log 2>&1 || {
        grep '^E:' lintian.log || cat lintian.log
        return 1
    }
}
ok "lintian finds no error" lints

mkdir root
for package in *.deb; do dpkg-deb -x "$package" root || exit 2; done
ok "no path of the build is in what is installed" sh -c '! grep -rqF "$0" root' "$folder"
ok "no copy of the library for its developers" sh -c '[ -z "$(find root -path "*/mpipp/debug/*")" ]'
ok "mpipp --version" sh -c 'root/usr/bin/mpipp --version | grep -q "^mpipp "'
for mpi in mpich openmpi; do
    "mpicc.$mpi" -g -o wrong-$mpi "$top/examples/errors/datatype-uncommitted.c" || exit 2
    ok "$mpi: mpipp run" sh -c 'root/usr/bin/mpipp run -n 2 "./$0" 2>&1 | grep -q "error datatype-uncommitted"' wrong-$mpi
    ok "$mpi: mpipp gdb" sh -c 'root/usr/bin/mpipp gdb -n 1 -nx -batch -ex "break MPI_Bcast" -ex run \
        -ex up -ex "print row" "./$0" 2>&1 | grep -q "kind = "' wrong-$mpi
done
finish
