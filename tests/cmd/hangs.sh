#!/bin/bash
# Jobs that hang are reported with the reason, and slow ones are not: 'mpipp run --timeout', under both MPIs.
cd "$(dirname "$0")/../.." || exit 2
. tests/count.sh
. tests/cmd/says.sh
. tests/cmd/jobs.sh
. tests/cmd/hanging.sh
unset MPIPP_CHECK MPIPP_REPORTS MPIPP_MAX_REPORTS DEBUGINFOD_URLS

sources=("$top"/tests/cmd/hangs*.{c,f90,py}) options=() program=(./hangs)

# ended_early MODE: the launcher has ended the job, which is no success, and nobody was found to wait for ranks that are there
ended_early() {
    [ "$(cat "$1.status")" != 0 ] && grep -q ' did not come to their end: ' "$1.err" && ! grep -q 'wait for each other' "$1.err" && return
    echo "status $(cat "$1.status")"
    cat "$1.err"
    return 1
}

# A deadlock between parents and children, whose ranks have the same numbers; collective calls of both.
spawned_worlds() {
    local mode
    for mode in receive merge bcast late; do # one at a time: there are twice as many processes
        job 2 spawned_$mode --fail-on=error
    done
    ok "$mpi: parent and child wait for each other" found spawned_receive \
        'deadlock: rank 0 and rank 0 of world 2 wait for each other' "hangs_spawned.c:$(line spawned_receive)" \
        'waits for a message from rank 0 of world 2 with tag 8 ' 'waits for a message from rank 0 with tag 7 ' \
        '^  behind    rank 1 and rank 1 of world 2 wait for them in MPI_Barrier' '^  look      mpipp attach --job '
    ok "$mpi: the same in a communicator of both worlds" found spawned_merge \
        'deadlock: rank 1 and rank 0 of world 2 wait for each other' "hangs_spawned.c:$(line spawned_merge)"
    ok "$mpi: a collective call of both worlds in which a child differs" found spawned_bcast \
        'collective-type: .*rank 1 of world 2 ' '^  rank 1 of world 2 MPI_Bcast' '^  order     (both|all) are collective call 1 of '
    job 1 spawned_ended --fail-on=error
    ok "$mpi: a child that has ended" found spawned_ended 'deadlock: rank 0 waits for rank 0 of world 2, which ' \
        "hangs_spawned.c:$(line spawned_ended)"
    ok "$mpi: silent: spawned_late" silent spawned_late
    job 2 met_spawned --fail-on=error
    ok "$mpi: parents and children that have met at a port" found met_spawned \
        'deadlock: rank 0 and rank 0 of world 2 wait for each other' "hangs_spawned.c:$(line met_spawned)"
    job 4 met_halves --fail-on=error
    ok "$mpi: two halves of a world that have met at a port" found met_halves 'collective-type: rank.* 3 .*MPI_Bcast'
    ok "$mpi: silent: all of spawned_late was compared" eval '! grep "could not be compared" spawned_late.err'
}

# is_mpi_4 MPI: as in hangs_groups.c. Open MPI 5.0 has MPI_Comm_create_from_group, and says that it is MPI 3.1.
is_mpi_4() {
    printf '#include <mpi.h>\n#if MPI_VERSION < 4\n#error\n#endif\n' >mpi.c
    "mpicc.$1" -E mpi.c >/dev/null 2>&1
}

# Partitioned sends and receives, which match only each other.
partitioned() {
    if ! is_mpi_4 "$mpi"; then
        skip "$mpi: partitioned communication" "this MPI is older than MPI 4"
        return
    fi
    side_by_side "2 partitioned" "2 partitioned_late"
    job 2 partitioned_sent --fail-on=error --severity=error --check=p2p
    job 2 partitioned_unready --fail-on=error
    ok "$mpi: partitions that are never ready" found partitioned_unready 'deadlock: ranks 0 and 1 wait for each other' \
        "MPI_Wait: MPI_Psend_init\(dest=1, tag=7, MPI_COMM_WORLD\)   hangs_started.c:$(line partitioned_unready) " \
        "waits for MPI_Pready for partitions 0-1,3 of 4 \(MPI_Psend_init of hangs_started.c:" \
        "waits for a message from rank 0 with tag 7 \(MPI_Precv_init of hangs_started.c:$(line precv)\); rank 0 has not called MPI_Pready for partitions 0-1,3 of 4"
    ok "$mpi: partitioned receives on both sides" found partitioned 'deadlock: ranks 0 and 1 wait for each other' \
        "MPI_Wait: MPI_Precv_init\(source=1, tag=7, MPI_COMM_WORLD\)   hangs_started.c:$(line partitioned) " \
        "waits for a message from rank 1 with tag 7 \(MPI_Precv_init of hangs_started.c:$(line precv)\)"
    ok "$mpi: a partitioned receive and MPI_Send" found partitioned_sent 'deadlock: rank 0 waits for rank 1, which is in MPI_Finalize' \
        "MPI_Wait: MPI_Precv_init\(source=1, tag=7, MPI_COMM_WORLD\)   hangs_started.c:$(line partitioned_sent)"
    ok "$mpi: silent: partitioned_late" silent partitioned_late
}

# Communicators that only the members of a group make: the report names those who are missing.
groups() {
    side_by_side "4 group_receives" "4 group_finalized" "3 group_twice" "4 group_late"
    ok "$mpi: MPI_Comm_create_group without one that receives" found group_receives 'deadlock: ranks 0 and 2 wait for each other' \
        "^  rank 0    MPI_Comm_create_group\(MPI_COMM_WORLD\)   hangs_groups.c:$(line group)" '^            waits for rank 2 to come to it' \
        '^  behind    rank 3 waits for them in MPI_Comm_create_group'
    ok "$mpi: MPI_Comm_create_group without one that is in MPI_Finalize" found group_finalized \
        'collective-missing: ranks 0 and 3 wait in MPI_Comm_create_group for rank 2, which is in MPI_Finalize'
    ok "$mpi: MPI_Comm_create_group once too few" found group_twice \
        'collective-missing: ranks 0 and 1 wait in MPI_Comm_create_group for rank 2, which is in MPI_Finalize'
    job 2 group_tags --fail-on=error --check=local
    ok "$mpi: MPI_Comm_create_group with two tags" found group_tags 'deadlock: ranks 0 and 1 wait for each other' \
        '^            waits for rank 1 to come to it' '^            waits for rank 0 to come to it'
    ok "$mpi: silent: group_late" silent group_late
    if ! is_mpi_4 "$mpi"; then
        skip "$mpi: communicators made of groups" "this MPI is older than MPI 4"
        return
    fi
    side_by_side "4 from_receives" "4 from_ended" "4 join_member" "4 join_leader" "4 join_late"
    ok "$mpi: MPI_Comm_create_from_group without one that receives" found from_receives 'deadlock: ranks 0 and 2 wait for each other' \
        "^  rank 0    MPI_Comm_create_from_group\(a group of 3 ranks\)   hangs_groups.c:$(line from)" 'waits for rank 2 to come to it'
    ok "$mpi: MPI_Comm_create_from_group without one that is in MPI_Finalize" found from_ended \
        'collective-missing: ranks 0 and 3 wait in MPI_Comm_create_from_group for rank 2, which is in MPI_Finalize'
    ok "$mpi: MPI_Intercomm_create_from_groups without a member" found join_member \
        "^  rank 0    MPI_Intercomm_create_from_groups\(.*hangs_groups.c:$(line join)" 'deadlock: rank 0 waits for rank 1, which is in MPI_Finalize' \
        'waits for rank 1 to come to it'
    ok "$mpi: MPI_Intercomm_create_from_groups without the other leader" found join_leader 'deadlock: ranks 0 and 2 wait for each other' \
        'or rank 2 to join the groups' 'behind    rank 1 waits for them in MPI_Intercomm_create_from_groups'
    ok "$mpi: silent: join_late" silent join_late
}

hangs() {
    local mpi=$1
    in_folder "$mpi"
    ranks_rest
    "mpicc.$mpi" -std=gnu11 -g -Wno-stringop-overflow -o hangs "$top"/tests/cmd/hangs*.c || return
    side_by_side "2 recv_recv" "2 wrong_tag" "2 from_finalized" "2 send_send" "3 ssend_ring" "2 probe" "2 mprobe" "2 waitall" \
        "2 wait_one" "2 waitany" "2 sendrecv" "3 wildcards" "2 barrier_receive" "3 barrier_finalized" \
        "2 bcast_finalized" "4 behind" "4 half" "1 itself" "2 other_comm" "2 crosswise" "4 rows" "2 one_more" "2 create_group"
    local recv
    recv="MPI_Recv\(source=%d, tag=%d, MPI_COMM_WORLD\)   hangs.c:$(line receive) in receive\(\)"
    ok "$mpi: two that receive from each other" found recv_recv \
        'mpipp: error deadlock: ranks 0 and 1 wait for each other, for [0-9]+ s' \
        "^  rank 0    ${recv/source=%d, tag=%d/source=1, tag=7}" '^            waits for a message from rank 1 with tag 7' \
        "^  rank 1    ${recv/source=%d, tag=%d/source=0, tag=7}" '^            waits for a message from rank 0 with tag 7' \
        '^  look      mpipp attach --ranks=0,1 [0-9]+$' \
        '^mpipp: 1 error; '
    ok "$mpi: a wrong tag" found wrong_tag 'deadlock: ranks 0 and 1 wait for each other' 'from rank 0 with tag 8'
    ok "$mpi: a message from a rank in MPI_Finalize" found from_finalized \
        'deadlock: rank 0 waits for rank 1, which is in MPI_Finalize, for ' "hangs.c:$(line receive)"
    ok "$mpi: two long sends" found send_send 'deadlock: ranks 0 and 1 wait for each other' \
        "MPI_Send\(dest=1, tag=7, MPI_COMM_WORLD\)   hangs.c:$(line send_send)" 'waits for rank 1 to receive a message with tag 7'
    ok "$mpi: a ring of synchronous sends" found ssend_ring 'deadlock: ranks 0-2 wait for each other' "hangs.c:$(line ssend_ring)"
    ok "$mpi: two probes" found probe 'deadlock: ranks 0 and 1' "MPI_Probe\(source=1, tag=MPI_ANY_TAG" "hangs.c:$(line probe)" \
        'a message from rank 1 with any tag'
    ok "$mpi: MPI_Mprobe on a copy of MPI_COMM_WORLD" found mprobe 'deadlock: ranks 0 and 1' \
        "MPI_Mprobe\(source=1, tag=7, .*\)   hangs.c:$(line mprobe)" 'a message from rank 0 with tag 7 on '
    ok "$mpi: MPI_Waitall" found waitall 'deadlock: ranks 0 and 1' "MPI_Waitall of 2 requests   hangs.c:$(line waitall)" \
        "a message from rank 1 with tag 7 \(MPI_Irecv of hangs.c:$(grep -n 'posted: waitall' "$top/tests/cmd/hangs.c" | cut -d: -f1)\)"
    ok "$mpi: MPI_Wait" found wait_one 'deadlock: ranks 0 and 1' "MPI_Wait: MPI_Irecv\(source=1, tag=7, MPI_COMM_WORLD\)   hangs.c:$(line wait_one)"
    ok "$mpi: MPI_Waitany" found waitany 'deadlock: ranks 0 and 1' "hangs.c:$(line waitany)"
    ok "$mpi: MPI_Sendrecv" found sendrecv 'deadlock: ranks 0 and 1' "hangs.c:$(line sendrecv)"
    ok "$mpi: a knot of wildcards" found wildcards 'deadlock: ranks 0-2 wait for each other' 'a message from any rank with any tag'
    ok "$mpi: MPI_Barrier and MPI_Recv crosswise" found barrier_receive 'deadlock: ranks 0 and 1 wait for each other' \
        "MPI_Barrier\(MPI_COMM_WORLD\)   hangs.c:$(line barrier_receive)" 'waits for rank 0 to come to it'
    ok "$mpi: MPI_Barrier without one that is in MPI_Finalize" found barrier_finalized \
        'collective-missing: ranks? [02].* waits? in MPI_Barrier for rank 1, which is in MPI_Finalize' "hangs.c:$(line barrier_finalized)"
    ok "$mpi: MPI_Bcast without its root" found bcast_finalized \
        'collective-missing: rank 1 waits in MPI_Bcast for rank 0, which is in MPI_Finalize' "hangs.c:$(line bcast_finalized)"
    ok "$mpi: MPI_Comm_create_group without one of the group" found create_group 'deadlock: ranks 0 and 1 wait for each other' \
        "MPI_Comm_create_group\(MPI_COMM_WORLD\)   hangs.c:$(line create_group)" 'waits for rank 1 to come to it'
    job 3 other_call --fail-on=error --check=local
    ok "$mpi: another collective call than the others'" found other_call 'deadlock: ranks 0-2 wait for each other' \
        "MPI_Barrier\(MPI_COMM_WORLD\)   hangs.c:$(line other_call)" 'waits for rank 1 to come to it' \
        'waits for ranks 0 and 2 to come to it'
    ok "$mpi: others behind" found behind 'deadlock: ranks 0 and 1 wait for each other' \
        "^  behind    ranks 2 and 3 wait for them in MPI_Barrier\(MPI_COMM_WORLD\) \(hangs.c:$(line behind)\)"
    ok "$mpi: two of four" found half 'deadlock: ranks 0 and 1 wait for each other'
    ok "$mpi: one that waits for itself" found itself 'deadlock: rank 0 waits for itself'

    ok "$mpi: a wrong communicator" found other_comm 'deadlock: ranks 0 and 1 wait for each other' "hangs.c:$(line receive)" \
        'waits for a message from rank 1 with tag 7 on '
    ok "$mpi: MPI_Barrier on two communicators crosswise" found crosswise 'collective-order: ranks 0 and 1 wait for each other' \
        "MPI_Barrier\(.*\)   hangs.c:$(line crosswise)" 'waits for rank 1 to come to it'
    ok "$mpi: a communicator with other ranks" found rows 'deadlock: ranks 1 and 3 wait for each other' \
        'waits for a message from rank 1 with tag 7' "MPI_Bcast\(.*\)   hangs.c:$(line rows)"
    ok "$mpi: one collective call too many" found one_more 'deadlock: ranks 0 and 1 wait for each other' "hangs.c:$(line one_more)" \
        'waits for rank 1 to come to it'

    side_by_side "3 ibarrier_finalized" "2 ibcast_twice" "2 iallreduce_all" "3 persistent" "3 persistent_freed"
    ok "$mpi: MPI_Wait of MPI_Ibarrier without one that is in MPI_Finalize" found ibarrier_finalized \
        'collective-missing: ranks? [02].* waits? .* rank 1, which is in MPI_Finalize' \
        "MPI_Wait: MPI_Ibarrier\(MPI_COMM_WORLD\)   hangs_started.c:$(line ibarrier_finalized)" 'waits for rank 1 to come to it'
    ok "$mpi: one MPI_Ibcast too many" found ibcast_twice 'deadlock: ranks 0 and 1 wait for each other' \
        "MPI_Wait: MPI_Ibcast\(.*\)   hangs_started.c:$(line ibcast_twice)" 'waits for rank 1 to come to it'
    ok "$mpi: MPI_Waitall of collective calls" found iallreduce_all 'deadlock: ranks 0 and 1 wait for each other' \
        "MPI_Waitall of 2 requests   hangs_started.c:$(line iallreduce_all)"
    ok "$mpi: one start of a persistent collective call too few" found persistent \
        'deadlock: ranks ([0-9]) and ([0-9]) wait for each other' "hangs_started.c:$(line persistent)" 'waits for rank 1 to come to it'
    ok "$mpi: the same, where the request was freed" found persistent_freed \
        'collective-missing: ranks? [02].* waits? .* rank 1, which is in MPI_Finalize' \
        "MPI_Wait: MPIX?_Barrier_init\(MPI_COMM_WORLD\)   hangs_started.c:$(line persistent_freed)" 'waits for rank 1 to come to it'

    side_by_side "4 inter_receive" "2 inter_any" "4 inter_barrier" "4 inter_create" "4 inter_member" "2 inter_merge"
    ok "$mpi: receives across an intercommunicator" found inter_receive 'deadlock: ranks 0 and 2 wait for each other' \
        "MPI_Recv\(source=0, tag=7, .*\)   hangs_inter.c:$(line inter_receive)" 'a message from rank 2 with tag 7'
    ok "$mpi: receives from any rank of the other group" found inter_any 'deadlock: ranks 0 and 1 wait for each other'
    ok "$mpi: MPI_Barrier of two groups" found inter_barrier 'deadlock: ranks 0 and 3 wait for each other' \
        'waits for rank 3 to come to it' "MPI_Barrier\(.*hangs_inter.c:$(line inter_barrier)"
    ok "$mpi: MPI_Intercomm_create without the other leader" found inter_create 'deadlock: ranks 0 and 2 wait for each other' \
        "MPI_Intercomm_create\(.*hangs_inter.c:$(line inter_create)" 'or rank 2 to join the groups' \
        'behind    rank 1 waits for them in MPI_Intercomm_create'
    ok "$mpi: MPI_Intercomm_create without one of the own group" found inter_member 'deadlock: ranks 0 and 1 wait for each other' \
        "MPI_Intercomm_create\(.*hangs_inter.c:$(line inter_member)"
    ok "$mpi: MPI_Intercomm_merge" found inter_merge 'deadlock: ranks 0 and 1 wait for each other' "hangs_inter.c:$(line inter_merge)"

    groups
    partitioned

    side_by_side "2 fence" "2 win_free" "2 file_close" "2 file_size"
    local one
    for one in fence:MPI_Win_fence win_free:MPI_Win_free file_close:MPI_File_close file_size:MPI_File_set_size; do
        ok "$mpi: ${one#*:} that waits for one that receives" found "${one%:*}" 'deadlock: ranks 0 and 1 wait for each other' \
            "${one#*:}\(a (window|file)\)   hangs_places.c:$(line "${one%:*}")" 'waits for rank 1 to come to it' \
            "hangs_places.c:$(line instead)"
    done

    side_by_side "2 post_missing" "2 complete_missing" "2 lock_held" "2 lock_all_held"
    ok "$mpi: an epoch that its target does not post" found post_missing 'deadlock: ranks 0 and 1 wait for each other' \
        "MPI_Win_(start|complete)\(a window\)   hangs_places.c:($(line start)|$(line complete)) " 'waits for rank 1 to call MPI_Win_post'
    ok "$mpi: MPI_Win_wait without MPI_Win_complete" found complete_missing 'deadlock: ranks 0 and 1 wait for each other' \
        "MPI_Win_wait\(a window\)   hangs_places.c:$(line complete_missing) " 'waits for rank 1 to call MPI_Win_complete'
    for one in lock_held lock_all_held; do
        ok "$mpi: a lock that another rank has: $one" found $one 'deadlock: ranks 0 and 1 wait for each other' \
            "MPI_Win_(lock|unlock)\(a window\)   hangs_places.c:($(line lock)|$(line unlock)) " \
            'waits for the lock of rank 1, which rank 1 has'
    done

    side_by_side "3 ibarrier_late" "2 waitall_late" "2 persistent_late" "2 own_operation" "2 copies" "4 inter_late" "2 places_late" "2 post_late" "2 lock_late"
    for mode in ibarrier_late waitall_late persistent_late own_operation copies inter_late places_late post_late lock_late; do
        ok "$mpi: silent: $mode" silent $mode
    done
    side_by_side "2 computes" "2 sleeps" "2 slow_exchange" "2 polls" "2 ping_pong" "2 stopped" "3 halo" "2 in_finalize" "2 starved"
    for mode in computes sleeps slow_exchange polls ping_pong stopped halo in_finalize starved; do
        ok "$mpi: silent: $mode" silent $mode
    done

    job 2 polls_at_end --fail-on=error &
    job 2 computes_at_end --fail-on=error &
    until_there no-progress polls_at_end.err >/dev/null
    touch polls_at_end.told
    wait
    ok "$mpi: a rank that polls for ever while the other is in MPI_Finalize" eval 'silent polls_at_end && grep -qE \
        "^mpipp: note no-progress: rank 1 waits in MPI_Finalize \(hangs.c:[0-9]+\) for rank 0, which polls MPI_Test \(hangs.c:$(line polls_at_end)\), pending: MPI_Irecv\(source=1, tag=7, MPI_COMM_WORLD\), for [0-9]+ s" polls_at_end.err'
    ok "$mpi: silent: computes_at_end" eval 'silent computes_at_end && ! grep no-progress computes_at_end.err'

    job 3 killed --fail-on=error
    ok "$mpi: a killed rank, and its launcher ends the job" ended_early killed
    if [ "$mpi" = openmpi ]; then # MPICH's launcher never lets the others wait
        job 3 killed --fail-on=error --enable-recovery
        ok "$mpi: a killed rank that others wait for" found killed \
            'deadlock: ranks 0 and 2 wait for rank 1, which has ended, for ' "hangs.c:$(line receive)"
    else # Open MPI's launcher never lets a rank wait that long
        job 2 recv_unseen --fail-on=error --severity=note --launcher="$top/tests/cmd/slow_end.sh mpiexec.mpich"
        ok "$mpi: a job that is ended slowly gets no second report" found recv_unseen \
            'mpipp: error deadlock: ranks 0 and 1 wait for each other' '^mpipp: the job is ended' '^mpipp: 1 error; '
    fi

    if [ "$mpi" = mpich ]; then
        skip "$mpi: spawned worlds" "this MPI cannot spawn here"
    elif ! can_spawn "$mpi"; then
        skip "$mpi: spawned worlds" "a parent and its child do not reach each other here"
    else
        spawned_worlds
    fi

    if ! mpifort.$mpi -g -o fortran "$top/tests/cmd/hangs.f90"; then
        ok "$mpi: Fortran" false
    else
        local program=(./fortran)
        job 2 fortran --fail-on=error
        ok "$mpi: Fortran" found fortran 'deadlock: ranks 0 and 1 wait for each other' \
            'MPI_Wait: MPI_Ibarrier\(.*\)   hangs.f90:[0-9]+ in hangs\(\)$' 'waits for rank 1 to come to it' \
            'MPI_Recv\(source=0, tag=7, .*\)   hangs.f90:[0-9]+ in hangs\(\)$' # gfortran may give the line of the 'if'
    fi
    if [ "$python_mpi" = "$mpi" ]; then
        local program=("$python" "$top/tests/cmd/hangs.py")
        job 2 python --fail-on=error
        ok "$mpi: mpi4py" found python 'deadlock: ranks 0 and 1 wait for each other' \
            "MPI_Wait: MPI_Ibarrier\(.*\)   hangs.py:$(line python) " 'waits for rank 1 to come to it'
    fi
    ok "$mpi: nothing is left" none_left
}

read -r python python_mpi < <(tests/python.sh)
[ -n "$python" ] || skip "mpi4py" "no Python with mpi4py"
in_both hangs
in_folder options
ranks_rest
cp "$all/mpich/hangs" .
ok "a timeout that is none" says 2 "'--timeout=abc': it is a number of seconds, 0 (never) to 1000000" "$mpipp" run -n 1 --timeout=abc ./hangs
ok "a timeout below 0" says 2 "'--timeout=-1': it is a number of seconds, 0 (never) to 1000000" "$mpipp" run -n 1 --timeout=-1 ./hangs
ok "--on-hang of no known word" says 2 "'--on-hang=later': it is report, end, gdb or wait" "$mpipp" run -n 1 --on-hang=later ./hangs
finish
