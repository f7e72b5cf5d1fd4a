! One-sided calls of two ranks that nothing orders, in Fortran; the comment after the lower rank's call names what is to be found.
program races
    use mpi
    implicit none
    integer :: rank, window, error, values(4)
    integer :: memory(8)
    integer(kind=mpi_address_kind) :: at
    values = 1
    call mpi_init(error)
    call mpi_comm_rank(mpi_comm_world, rank, error)
    at = 8 * 4
    call mpi_win_create(memory, at, 4, mpi_info_null, mpi_comm_world, window, error)
    call mpi_win_fence(0, window, error)
    if (rank == 0) then
        at = 0
        call mpi_put(values, 4, mpi_integer, 1, at, 4, mpi_integer, window, error) ! rma-conflict
    else
        at = 3
        call mpi_put(values, 1, mpi_integer, 1, at, 1, mpi_integer, window, error)
    end if
    call mpi_win_fence(0, window, error)
    at = 4
    if (rank == 0) call mpi_put(values, 1, mpi_integer, 1, at, 1, mpi_integer, window, error)
    call mpi_win_fence(0, window, error)
    if (rank == 1) call mpi_put(values, 1, mpi_integer, 1, at, 1, mpi_integer, window, error)
    call mpi_win_fence(0, window, error)
    call mpi_win_free(window, error)
    call mpi_finalize(error)
end program
