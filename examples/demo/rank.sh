#!/bin/sh
# One rank of the demo: the program under a gdb of its own, which says what it shows to a file.
#
#   rank.sh FOLDER LINE
#
# The launcher tells a rank its number in the environment. The last 'continue' lets the job end as
# jobs do: a launcher that sees one rank go kills the others, which may still be showing.
folder=$1 line=$2
exec "$MPIPP" gdb -nx -batch -ex "break figure1.c:$line" -ex run \
    -x "$(dirname "$0")/show.gdb" -ex continue \
    "$folder/figure1" >"$folder/rank${PMI_RANK-$OMPI_COMM_WORLD_RANK}" 2>&1 </dev/null
