! Rank 0 waits for a collective call of rank 1, which receives from it.
program hangs
    use mpi
    implicit none
    integer :: rank, copy, request, number, ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierror)
    if (rank == 0) then
        call MPI_Ibarrier(copy, request, ierror)
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    else
        call MPI_Recv(number, 1, MPI_INTEGER, 0, 7, copy, MPI_STATUS_IGNORE, ierror)
    end if
    call MPI_Finalize(ierror)
end program
