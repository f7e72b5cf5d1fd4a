! A call before MPI_Init or after MPI_Finalize. A line with a finding says so. Before a call with a handle Open MPI's
! bindings convert the handle, and end the process there.
!
! Runs as one rank: outside [before | after].
program outside
    use mpi
    implicit none
    integer :: ierror, rank, dims(1)
    logical :: flag
    character(len=8) :: name
    call get_command_argument(1, name)
    call MPI_Initialized(flag, ierror)
    if (name == "before") call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)                  ! init-missing (before)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Finalize(ierror)
    call MPI_Finalized(flag, ierror)
    if (name == "after") call MPI_Barrier(MPI_COMM_WORLD, ierror)                           ! init-missing (after)
    dims = 0
    call MPI_Dims_create(4, 1, dims, ierror)                                                ! init-missing
end program
