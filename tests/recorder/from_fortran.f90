! Types made in Fortran, by mpif.h's interface and by mpi_f08: the call site is the Fortran code's.
! The registry is checked by check_from_fortran (check_fortran.c).
subroutine by_integer(handle)
    use mpi
    integer, intent(out) :: handle
    integer :: ierror
    call MPI_Type_vector(3, 1, 8, MPI_DOUBLE_PRECISION, handle, ierror)
    call MPI_Type_commit(handle, ierror)
end subroutine

subroutine by_f08(handle)
    use mpi_f08
    integer, intent(out) :: handle
    type(MPI_Datatype) :: type
    call MPI_Type_contiguous(5, MPI_INTEGER, type)
    call MPI_Type_commit(type)
    handle = type%MPI_VAL
end subroutine

program from_fortran
    use mpi
    implicit none
    integer :: ierror, first, second
    call MPI_Init(ierror)
    call by_integer(first)
    call by_f08(second)
    call check_from_fortran(first, second)
    call MPI_Type_free(first, ierror)
    call MPI_Type_free(second, ierror)
    call MPI_Finalize(ierror)
    call finish_from_fortran()
end program
