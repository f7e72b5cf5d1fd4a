! Calls whose arguments are all variables, in a program with MPI's interfaces: gfortran gives them the line of another
! statement. Reports name those that are marked.
program lines
    use mpi
    implicit none
    integer :: window, type, request, error, none, length
    integer :: data(4)
    integer(kind=MPI_ADDRESS_KIND) :: bytes, memory
    call MPI_Init(error)
    bytes = 16
    length = 4
    call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_SELF, memory, window, error)
    call MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN, error)
    call MPI_Win_complete(window, error) ! named
    none = 1
    call MPI_Win_unlock_all(window, error) ! named
    none = 2
    call MPI_Win_complete(window, error); none = 3 ! named
    call MPI_Win_wait(window, error) ! named
    call MPI_Win_free(window, error)
    call make(type, length)
    call at_end(type)
    call MPI_Finalize(error)

contains

    subroutine make(made, length)
        integer :: made, length, old
        old = MPI_INTEGER
        call MPI_Type_contiguous(length, old, made, error) ! named
        if (length == 5) old = 0 ! MPI_Type_contiguous
        call MPI_Type_commit(made, error) ! named
        if (length == 6) old = 0
        call MPI_Type_commit(made, error) ! named
    end subroutine make

    subroutine at_end(type)
        integer :: type
        call MPI_Type_commit(type, error) ! named
    end subroutine at_end
end program lines
