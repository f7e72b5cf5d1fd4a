! A call after MPI_Finalize. A line with a finding says so.
!
! Runs as one rank.
program outside
    use mpi
    implicit none
    integer :: ierror, rank, dims(1)
    logical :: flag
    call MPI_Initialized(flag, ierror)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Finalize(ierror)
    call MPI_Finalized(flag, ierror)
    dims = 0
    call MPI_Dims_create(4, 1, dims, ierror)                                                ! init-missing
end program
