#!/bin/bash
# Frontends on gdb, each started for real, under both MPIs. What is not installed is named.
#
#   run.sh [cdt|...]      all, or those named
cd "$(dirname "$0")" || exit 2
. ../count.sh

here=$PWD
BUILD=$(realpath "${BUILD:-$here/../../build}")
mpipp=$BUILD/bin/mpipp
work=$BUILD/check/frontends
rm -rf "$work"
mkdir -p "$work/home"
export HOME=$work/home
unset MPIPP_MPI MPIPP_GDB LD_PRELOAD DISPLAY XAUTHORITY

# programs: for each MPI there is cells-MPI and, with a Fortran compiler, cells_f08-MPI
programs() {
    for mpi in mpich openmpi; do
        command -v "mpicc.$mpi" >/dev/null || continue
        mpis+=("$mpi")
        "mpicc.$mpi" -g -O0 -o "$work/cells-$mpi" "$here/fixtures/cells.c" || exit 2
        command -v "mpifort.$mpi" >/dev/null || continue
        mkdir -p "$work/$mpi.mod"
        "mpifort.$mpi" -g -O0 -J "$work/$mpi.mod" -o "$work/cells_f08-$mpi" "$here/fixtures/cells.f90" || exit 2
    done
}

# in_folder NAME COMMAND...: the command, in a folder of its own
in_folder() {
    mkdir -p "$work/$1"
    (cd "$work/$1" && shift && "$@")
}

# VS Code and Eclipse CDT.cloud
cdt() {
    local adapter mpi
    if ! command -v node >/dev/null; then
        skip "VS Code and Eclipse" "no node"
        return
    fi
    if ! adapter=$(adapter/install.sh "$BUILD/tests/cdt-gdb-adapter" 2>"$work/adapter.err"); then
        skip "VS Code and Eclipse" "cdt-gdb-adapter: $(tail -n 1 "$work/adapter.err")"
        return
    fi
    for mpi in "${mpis[@]}"; do
        ok "VS Code, $mpi: C" in_folder "cdt-$mpi" "$here/cdt.py" "$adapter" "$mpipp" \
            "$work/cells-$mpi" "$here/fixtures/cells.c" "$here/golden/cdt-c.txt"
        ok "VS Code, $mpi: a rank of a job" in_folder "cdt-attach-$mpi" "$here/cdt.py" "$adapter" "$mpipp" \
            "$work/cells-$mpi" "$here/fixtures/cells.c" --attach
        ok "VS Code, $mpi: closed in the middle" in_folder "cdt-close-$mpi" "$here/cdt.py" "$adapter" "$mpipp" \
            "$work/cells-$mpi" "$here/fixtures/cells.c" --close
        [ -x "$work/cells_f08-$mpi" ] || continue
        ok "VS Code, $mpi: Fortran" in_folder "cdt-f08-$mpi" "$here/cdt.py" "$adapter" "$mpipp" \
            "$work/cells_f08-$mpi" "$here/fixtures/cells.f90" "$here/golden/cdt-f08.txt"
    done
}

mpis=()
programs
for frontend in "${@:-cdt}"; do
    $frontend
done
finish
