! A message of other basic types than its receive, and one that fits.
program sent
    use mpi
    implicit none
    integer :: rank, ierror, values(4)
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
    call MPI_Finalize(ierror)
end program sent
