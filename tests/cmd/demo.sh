#!/bin/sh
# 'make demo' shows the paper's Figure 5 on both ranks, under both MPIs.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
MPIPP=${BUILD:-build}/bin/mpipp
export MPIPP

ok "demo, mpich" examples/demo/demo.sh mpich
ok "demo, openmpi" examples/demo/demo.sh openmpi

# one_library MPI OTHER: in a new tree, 'make demo' makes the library of one MPI
one_library() {
    make --no-print-directory -n SETUP=no BUILD="$folder/new" demo-job MPI="$1" >"$folder/steps" &&
        grep -q "lib/libshadowtype-$1.so" "$folder/steps" && ! grep -q "lib/libshadowtype-$2.so" "$folder/steps"
}
folder=$(mktemp -d)
ok "demo, what it builds for mpich" one_library mpich openmpi
ok "demo, what it builds for openmpi" one_library openmpi mpich
rm -r "$folder"
finish
