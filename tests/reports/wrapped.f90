! A module's wrapper of MPI_Bcast, and two that call it wrongly.
module wrappers
  use mpi
  implicit none
contains
  subroutine wrap_bcast(length)
    integer, intent(in) :: length
    integer :: buffer(1), error
    call MPI_Bcast(buffer, length, MPI_INTEGER, 0, MPI_COMM_SELF, error) ! marker: bcast
    if (error == -1) stop 1
  end subroutine
end module

program wrapped
  use wrappers
  implicit none
  integer :: error
  call MPI_Init(error)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, error)
  call wrap_bcast(-1) ! marker: first
  call wrap_bcast(-1) ! marker: second
  call MPI_Finalize(error)
end program
