#!/bin/sh
# 'make demo' shows the paper's Figure 5 on both ranks, under both MPIs.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
MPIPP=${BUILD:-build}/bin/mpipp
export MPIPP

ok "demo, mpich" examples/demo/demo.sh mpich
ok "demo, openmpi" examples/demo/demo.sh openmpi
finish
