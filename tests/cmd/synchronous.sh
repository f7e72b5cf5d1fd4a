#!/bin/bash
# 'mpipp run --synchronous': programs that rely on MPI's buffers hang, which is reported; others end as usual. Under both MPIs.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
. tests/cmd/hanging.sh
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS MPIPP_SYNCHRONOUS DEBUGINFOD_URLS

sources=("$top"/tests/cmd/synchronous.{c,f90}) options=(--synchronous) program=(./synchronous)
unsafe=(head_to_head ring started later_wait persistent inter)

# relies MODE: it ends where messages are buffered, and is reported where they are not
relies() {
    found "$1" "warning deadlock-potential: .* if no message is buffered, for [0-9]+ s$" "synchronous.c:$(line "$1") in " \
        '^  advice    let one rank receive first, ' &&
        silent "$1_buffered"
}

synchronous() {
    local mpi=$1 mode
    in_folder "$mpi"
    ranks_rest
    "mpicc.$mpi" -std=gnu11 -g -Wno-stringop-overflow -o synchronous "$top/tests/cmd/synchronous.c" || return
    side_by_side "2 head_to_head" "3 ring" "2 started" "2 later_wait" "2 persistent" "1 itself" "2 inter" "2 collective" "2 receives"
    side_by_side "3 safe" "2 safe_inter"
    options=()
    side_by_side "2 head_to_head_buffered" "3 ring_buffered" "2 started_buffered" "2 later_wait_buffered" \
        "2 persistent_buffered" "2 inter_buffered" "2 collective_buffered"
    for mode in "${unsafe[@]}"; do
        ok "$mpi: only buffers let it pass: $mode" relies "$mode"
    done
    ok "$mpi: only buffers let it pass: to itself" found itself 'warning deadlock-potential: rank 0 waits for itself if no '
    ok "$mpi: a collective call in the circle" found collective 'error deadlock: ranks 0 and 1 wait for each other, for ' \
        "MPI_Bcast\(.*synchronous.c:$(line collective) in "
    ok "$mpi: which may end without" silent collective_buffered
    ok "$mpi: receives alone are no matter of buffers" found receives 'error deadlock: ranks 0 and 1 wait for each other, for '
    ok "$mpi: silent: all that is safe" silent safe
    ok "$mpi: silent: the same across an intercommunicator" silent safe_inter
    if ! mpifort.$mpi -g -o fortran "$top/tests/cmd/synchronous.f90"; then
        ok "$mpi: Fortran" false
    else
        local program=(./fortran)
        options=(--synchronous)
        job 2 fortran --fail-on=error
        ok "$mpi: Fortran" found fortran 'warning deadlock-potential: ranks 0 and 1 wait for each other' \
            "MPI_Send\(dest=1, tag=7, MPI_COMM_WORLD\)   synchronous.f90:$(line fortran)"
    fi
    ok "$mpi: nothing is left" none_left
}

in_both synchronous
in_folder options
ranks_rest
ok "--synchronous takes no value" says 2 "'--synchronous=1': it takes no value" "$mpipp" run -n 1 --synchronous=1 ./synchronous
finish
