#!/bin/bash
# Many random programs of one-sided calls, by hand: races.sh MPI FIRST-SEED LAST-SEED [ROUNDS]. Each seed is a job of ROUNDS
# programs (200; more call sites may not fit). Prints a line for each seed, and keeps the folder of one that fails.
cd "$(dirname "$0")/../.." || exit 2
check=rma
. tests/ranks/job.sh
. tests/ranks/drawn.sh
mpi=$1 rounds=${4:-200} wrong=0
in_folder "$mpi"
ranks_yield "$mpi"
for ((seed = $2; seed <= $3; seed++)); do
    if drawn "$seed" "$rounds" >text; then
        echo "$mpi, seed $seed: $(tail -1 text)"
        rm -rf drawn-"$seed"*
    else
        wrong=$((wrong + 1))
        sed "s/^/$mpi, seed $seed: /" text
        trap - EXIT
        echo "$mpi, seed $seed: see $folder/drawn-$seed.c and drawn-$seed/err"
    fi
done
echo "$((($3 - $2 + 1) * rounds)) programs, $wrong seeds wrong"
[ $wrong = 0 ]
