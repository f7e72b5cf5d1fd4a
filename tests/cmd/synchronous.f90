! Relies on MPI's buffers, from Fortran (synchronous.sh).
program synchronous
    use mpi
    implicit none
    integer :: rank, number, error
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Barrier(MPI_COMM_WORLD, error)
    call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 7, MPI_COMM_WORLD, error) ! hang: fortran
    call MPI_Recv(number, 1, MPI_INTEGER, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call MPI_Finalize(error)
end program
