#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Finds the MPI libraries that mpipp is built for.
#
#   mpis.sh [COMPILER...]   COMPILER: the compiler wrapper of an MPI, such as /opt/mpi/bin/mpicc
#
# Without an argument it takes Debian's wrappers, mpicc.mpich and mpicc.openmpi; if there is neither, the
# mpicc in PATH. It prints one word for each MPI, KIND=COMPILER, where KIND is mpich or openmpi. MPICH
# stands for all libraries that have its binary interface (MPICH ABI initiative): Intel MPI, MVAPICH, Cray.
#
# Exit status 1, with a sentence: a named wrapper is no MPI that is known, or two are of one kind.
set -eu

# kind_of COMPILER: which MPI its mpi.h belongs to; nothing if it has none
kind_of() {
    macros=$(echo '#include <mpi.h>' | "$1" -E -dM -x c - 2>/dev/null) || return 0
    case $macros in
    *'#define OMPI_MAJOR_VERSION '*) echo openmpi ;;
    *'#define MPICH_VERSION '* | *'#define MPICH_NUMVERSION '* | *'#define I_MPI_VERSION '*) echo mpich ;;
    esac
}

fail() {
    echo "mpipp: $1" >&2
    exit 1
}

found=
# add COMPILER
add() {
    kind=$(kind_of "$1")
    [ -n "$kind" ] || fail "'$1' compiles no program of MPICH or Open MPI"
    case " $found" in *" $kind="*) fail "two libraries of one kind: '$1' is for ${kind}, as another one is" ;; esac
    found="$found$kind=$1 "
}

if [ $# != 0 ]; then
    for compiler in "$@"; do
        add "$compiler"
    done
else
    # Their names say what they are: no need to ask, which takes 0.1 s in each run of make.
    for kind in mpich openmpi; do
        if command -v "mpicc.$kind" >/dev/null; then
            found="${found}$kind=mpicc.$kind "
        fi
    done
    if [ -z "$found" ] && command -v mpicc >/dev/null; then
        add mpicc
    fi
fi
echo "${found% }"
