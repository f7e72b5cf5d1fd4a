#!/bin/bash
# Frontends on gdb, each really started, under both MPIs. Missing ones are reported as skipped.
#
#   run.sh [cdt] [dap] [ddd] [terminals]     all, or those named
#
# MPIPP_TEST_GDB is another gdb than that of PATH, for 'dap'; mpipp has to be built for its Python (make GDB=...).
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

# programs: for each MPI there are cells-MPI, call-MPI and, with a Fortran compiler, cells_f08-MPI
programs() {
    for mpi in mpich openmpi; do
        command -v "mpicc.$mpi" >/dev/null || continue
        mpis+=("$mpi")
        "mpicc.$mpi" -g -O0 -o "$work/cells-$mpi" "$here/fixtures/cells.c" || exit 2
        "mpicc.$mpi" -g -O0 -o "$work/call-$mpi" "$here/fixtures/call.c" || exit 2
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

# dap_sessions NAME KEY CLIENT ADAPTER: the sessions of a DAP client, compared with golden/KEY-*.txt
dap_sessions() {
    local name=$1 key=$2 client=$here/$3 adapter=$4 mpi
    # one WHAT FOLDER PROGRAM SOURCE OPTION
    one() {
        ok "$name, $mpi: $1" in_folder "$key-$2$mpi" "$client" "$adapter" "$mpipp" "$work/$3-$mpi" "$here/fixtures/$4" "$5"
    }
    for mpi in "${mpis[@]}"; do
        one C "" cells cells.c "$here/golden/$key-c.txt"
        ok "$name, $mpi: the time of an answer" in_folder "$key-times-$mpi" \
            "$here/times.py" "$mpipp" "$work/cells-$mpi" "$here/fixtures/cells.c" "$key" "$adapter"
        [ ! -e "$here/golden/$key-call.txt" ] ||
            one "buffers of a call" call- call call.c "$here/golden/$key-call.txt"
        one "a rank of a job" attach- cells cells.c --attach
        one "closed in the middle" close- cells cells.c --close
        [ ! -x "$work/cells_f08-$mpi" ] || one Fortran f08- cells_f08 cells.f90 "$here/golden/$key-f08.txt"
    done
}

# VS Code and Eclipse CDT.cloud
cdt() {
    local adapter
    if ! command -v node >/dev/null; then
        skip "VS Code and Eclipse" "no node"
        return
    fi
    if ! adapter=$(adapter/install.sh "$BUILD/tests/cdt-gdb-adapter" 2>"$work/adapter.err"); then
        skip "VS Code and Eclipse" "cdt-gdb-adapter: $(tail -n 1 "$work/adapter.err")"
        return
    fi
    dap_sessions "VS Code" cdt cdt.py "$adapter"
}

# gdb's own DAP
dap() {
    local gdb=${MPIPP_TEST_GDB:-gdb} why
    if [ "$("$gdb" -nx -batch -ex 'python print(hasattr(gdb, "ValuePrinter"))' 2>&1)" != True ]; then
        skip "gdb's own DAP" "$("$gdb" --version 2>&1 | head -n 1) has none: gdb 14 or later, or MPIPP_TEST_GDB"
        return
    fi
    why=$("$mpipp" gdb --gdb="$gdb" -nx -batch 2>&1)
    if [ -n "$why" ]; then
        skip "gdb's own DAP" "$why"
        return
    fi
    dap_sessions "gdb's own DAP" dap gdb_dap.py "$gdb"
}

# one_ddd MPI WHAT PROGRAM SOURCE [CORE]
one_ddd() {
    local folder
    folder=$work/ddd-$1-$2-$(basename "$3")
    mkdir -p "$folder"
    ok "DDD, $1: $2 of $(basename "$3")" "$here/ddd.py" "$mpipp" "$folder" "$3" "$here/fixtures/$4" "$2" "${@:5}"
}

ddd() {
    local mpi program
    for program in ddd Xvfb xdotool; do
        command -v $program >/dev/null && continue
        skip DDD "no $program"
        return
    done
    for mpi in "${mpis[@]}"; do
        program=$work/cells-$mpi
        one_ddd "$mpi" fold "$program" cells.c
        one_ddd "$mpi" buffers "$work/call-$mpi" call.c
        one_ddd "$mpi" ranks "$program" cells.c
        one_ddd "$mpi" display "$program" cells.c
        [ ! -x "$work/cells_f08-$mpi" ] || one_ddd "$mpi" fold "$work/cells_f08-$mpi" cells.f90
    done
    "$mpipp" gdb -n 1 -nx -batch -ex 'break exchange' -ex run \
        -ex "generate-core-file $work/core" "$program" >/dev/null 2>&1
    one_ddd "$mpi" core "$program" cells.c "$work/core"
}

# gdb's TUI and cgdb, and the program's end when the terminal is closed
terminals() {
    local mpi frontend program
    if ! command -v tmux >/dev/null; then
        skip "gdb's TUI, cgdb" "no tmux"
        return
    fi
    local -A name_of=([$mpipp]="gdb's TUI" [cgdb]=cgdb)
    for frontend in "$mpipp gdb -tui" "cgdb -d $mpipp-gdb --"; do
        if ! command -v "${frontend%% *}" >/dev/null; then
            skip "${frontend%% *}" "not installed"
            continue
        fi
        for mpi in "${mpis[@]}"; do
            for program in cells cells_f08; do
                [ -x "$work/$program-$mpi" ] || continue
                ok "${name_of[${frontend%% *}]}, $mpi: $program, a terminal that goes away" \
                    in_folder "terminal-$mpi-$program-$(basename "${frontend%% *}")" \
                    "$here/terminal.py" "$work/$program-$mpi" "$here/fixtures/cells.${source_of[$program]}" \
                    "$frontend -nx -q -iex 'set pagination off'"
            done
        done
    done
}

declare -A source_of=([cells]=c [cells_f08]=f90)
mpis=()
programs
[ $# != 0 ] || set -- cdt dap ddd terminals
for frontend in "$@"; do
    $frontend
done
finish
