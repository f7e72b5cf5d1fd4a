! Messages that do not fit their receives, and ones that do; a wildcard that the communicator's info excludes.
program sent
    use mpi
    implicit none
    integer :: rank, ierror, values(4), pair, info, comm, length, status(MPI_STATUS_SIZE)
    logical :: there
    real :: numbers(4)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    values = rank
    numbers = 1.0
    if (rank == 0) then
        call MPI_Send(values, 4, MPI_INTEGER, 1, 6, MPI_COMM_WORLD, ierror)
        call MPI_Send(numbers, 4, MPI_REAL, 1, 7, MPI_COMM_WORLD, ierror) ! sent: send
    else if (rank == 1) then
        call MPI_Recv(values, 4, MPI_INTEGER, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
        call MPI_Recv(values, 4, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror) ! sent: receive
    end if
    call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierror)
    call MPI_Type_commit(pair, ierror)
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, 'mpi_assert_no_any_tag', 'true', ierror)
    call MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, comm, ierror)
    if (rank == 0) then
        call MPI_Send(values, 3, MPI_INTEGER, 1, 8, MPI_COMM_WORLD, ierror)
        call MPI_Send(values, 3, MPI_INTEGER, 1, 9, MPI_COMM_WORLD, ierror) ! partial: send
    else if (rank == 1) then
        call MPI_Recv(values, 2, pair, 0, 8, MPI_COMM_WORLD, status, ierror)
        call MPI_Get_elements(status, pair, length, ierror)
        call MPI_Recv(values, 2, pair, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror) ! partial: receive
        call MPI_Iprobe(MPI_ANY_SOURCE, 1, comm, there, status, ierror)
        call MPI_Iprobe(0, MPI_ANY_TAG, comm, there, status, ierror)
    end if
    call MPI_Comm_free(comm, ierror)
    call MPI_Info_free(info, ierror)
    call MPI_Type_free(pair, ierror)
    call MPI_Finalize(ierror)
end program sent
