#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Prints the name of the MPI library that the programs of a compiler wrapper load, such as libmpi.so.40.
#
#   soname.sh COMPILER
#
# Prints nothing if the wrapper links no program, or one without a shared library of MPI.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

echo 'int MPI_Finalize(void); int main(void) { return MPI_Finalize(); }' >"$folder/asked.c"
"$1" -o "$folder/asked" "$folder/asked.c" 2>/dev/null || exit 0
LC_ALL=C readelf -d "$folder/asked" | sed -n 's/.*(NEEDED).*\[\(libp\{0,1\}mpi[^]]*\.so\.[^]]*\)\]$/\1/p' | head -n 1
