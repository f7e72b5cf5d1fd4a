! A message and a collective call in different orders in two ranks, as call_first of beyond.c.
program beyond
    use mpi
    implicit none
    integer :: rank, ierror, number, other, status(MPI_STATUS_SIZE)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    number = 1
    if (rank == 1) call MPI_Recv(number, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, status, ierror)
    call MPI_Bcast(other, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    if (rank == 0) call MPI_Send(number, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
