! Ranks that receive from each other, from a module's subroutine.
module halo
    use mpi
contains
    subroutine exchange(rank)
        integer, intent(in) :: rank
        integer :: number, error
        call MPI_Recv(number, 1, MPI_INTEGER, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    end subroutine
end module

program waits
    use halo
    integer :: rank, error
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    print *, 'asleep'
    flush (6)
    call exchange(rank)
    call MPI_Finalize(error)
end program
