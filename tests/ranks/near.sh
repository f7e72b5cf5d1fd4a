#!/bin/bash
# Jobs that hang for want of a message, where messages are compared (--check=p2p): the message that was sent instead is
# named, and what is on its way is nobody's fault.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
. tests/cmd/hanging.sh
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS DEBUGINFOD_URLS

options=("--check=local,p2p") program=(./near)

near() {
    local mpi=$1 sent
    in_folder "$mpi"
    ranks_rest
    "mpicc.$mpi" -std=gnu11 -g -Wno-stringop-overflow -o near "$top/tests/ranks/near.c" || return
    sent="near.c:$(grep -n '/\* sent \*/' "$top/tests/ranks/near.c" | cut -d: -f1)"
    posted="near.c:$(grep -n '/\* posted \*/' "$top/tests/ranks/near.c" | cut -d: -f1)"
    side_by_side "3 other_tag" "3 other_comm" "3 other_rank" "3 taken_by_any" "3 one_of_two" "3 slow" "2 flood"
    ok "$mpi: another tag" found other_tag 'deadlock: ranks 0 and 1 wait for each other' \
        "waits for a message from rank 0 with tag 8; rank 0 has sent one with tag 9 \($sent\)\$" \
        'waits for a message from rank 1 with tag 7; rank 1 has sent none$'
    ok "$mpi: another communicator" found other_comm 'deadlock: ranks 0 and 1 wait for each other' \
        "waits for a message from rank 0 with tag 7; rank 0 has sent one on rows \($sent\)\$" \
        "waits for a message from rank 1 with tag 7 on rows; rank 1 has sent one on MPI_COMM_WORLD \($sent\)\$"
    ok "$mpi: another rank" found other_rank 'deadlock: ranks 0 and 1 wait for each other' \
        "waits for a message from rank 0 with tag 7; rank 0 has sent one to rank 2 \($sent\)\$"
    ok "$mpi: a message that a receive from any source has taken" found taken_by_any 'deadlock: ranks 0 and 2 wait for each other' \
        "MPI_Recv\(source=2, tag=7, MPI_COMM_WORLD\)   near.c:$(grep -n '/\* received \*/' "$top/tests/ranks/near.c" | cut -d: -f1) " \
        'waits for a message from rank 2 with tag 7$' 'behind    rank 1 waits for them in MPI_Barrier'
    ok "$mpi: one of two messages has come" found one_of_two 'deadlock: ranks 0 and 2 wait for each other' \
        "^            waits for a message from rank 2 with tag 7 \(MPI_Irecv of $posted\); rank 2 has sent one with tag 8 \($sent\)\$" \
        'behind    rank 1 waits for them in MPI_Recv'
    ok "$mpi: silent: one of two messages comes late" silent slow
    ok "$mpi: more messages than are remembered" found flood 'deadlock: ranks 0 and 1 wait for each other' \
        'waits for a message from rank 0 with tag 6; rank 0 has sent none$' \
        'waits for a message from rank 1 with tag 9; rank 1 has sent none$'
    options=("--check=local,p2p" --match-memory=8M)
    side_by_side "2 buried"
    ok "$mpi: a message from before many others, and more memory" found buried 'deadlock: ranks 0 and 1 wait for each other' \
        "waits for a message from rank 0 with tag 6; rank 0 has sent one with tag 7 \($sent\)\$" \
        'waits for a message from rank 1 with tag 9; rank 1 has sent none$'
    options=("--check=local,p2p")
    ok "$mpi: nothing is left" none_left
}

in_both near
finish
