! Error handlers of mpif.h, mpi and mpi_f08: correct calls, and wrong ones, whose lines say so.
module handlers
  implicit none
  integer :: called = 0
contains
  subroutine of_comm(comm, code)
    use mpi_f08, only: MPI_Comm
    type(MPI_Comm) :: comm
    integer :: code
    called = called + min(1, code + comm%MPI_VAL * 0)
  end subroutine of_comm

  subroutine of_win(win, code)
    use mpi_f08, only: MPI_Win
    type(MPI_Win) :: win
    integer :: code
    called = called + min(1, code + win%MPI_VAL * 0)
  end subroutine of_win

  subroutine of_file(file, code)
    use mpi_f08, only: MPI_File
    type(MPI_File) :: file
    integer :: code
    called = called + min(1, code + file%MPI_VAL * 0)
  end subroutine of_file

  subroutine by_number(handle, code)
    integer :: handle, code
    called = called + min(1, code + handle * 0)
  end subroutine by_number
end module handlers

subroutine old
  use handlers, only: by_number, called
  implicit none
  include 'mpif.h'
  integer :: handler, got, copy, code, ierr, i
  do i = 1, 20
    call MPI_Comm_create_errhandler(by_number, handler, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler, ierr)
    call MPI_Comm_get_errhandler(MPI_COMM_SELF, got, ierr)
    if (got /= handler) print *, 'wrong: another handler'
    call MPI_Errhandler_free(got, ierr)
    call MPI_Errhandler_free(handler, ierr)
    if (handler /= MPI_ERRHANDLER_NULL) print *, 'wrong: the handler is not null'
    code = MPI_ERR_OTHER
    call MPI_Comm_call_errhandler(MPI_COMM_SELF, code, ierr)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  end do
  if (called /= 20) print *, 'wrong: called ', called
  call MPI_Comm_create_errhandler(by_number, handler, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler, ierr)
  copy = handler
  call MPI_Errhandler_free(handler, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, copy, ierr)             ! handle-freed
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler, ierr)          ! handle-null
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Win_create_errhandler(by_number, handler, ierr)             ! handle-leak
end subroutine old

subroutine module_mpi
  use mpi
  use handlers, only: by_number
  implicit none
  integer :: handler, got, copy, ierr
  call MPI_Win_create_errhandler(by_number, handler, ierr)
  call MPI_Errhandler_free(handler, ierr)
  call MPI_File_create_errhandler(by_number, handler, ierr)
  call MPI_File_set_errhandler(MPI_FILE_NULL, handler, ierr)
  call MPI_File_get_errhandler(MPI_FILE_NULL, got, ierr)
  if (got /= handler) print *, 'wrong: another handler'
  call MPI_Errhandler_free(got, ierr)
  copy = handler
  call MPI_Errhandler_free(handler, ierr)
  call MPI_File_set_errhandler(MPI_FILE_NULL, copy, ierr)              ! handle-freed
  call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN, ierr)
end subroutine module_mpi

! On one line, because gfortran 14 gives this call the line where the procedure begins.
subroutine leak; use mpi_f08; use handlers; type(MPI_Errhandler) :: made; call MPI_Comm_create_errhandler(of_comm, made); end ! handle-leak

program errhandlers
  use mpi_f08
  use handlers
  implicit none
  type(MPI_Errhandler) :: handler, copy
  external :: old, module_mpi, leak
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call old
  call module_mpi
  called = 0
  call MPI_File_create_errhandler(of_file, handler)
  call MPI_File_set_errhandler(MPI_FILE_NULL, handler)
  copy = handler
  call MPI_Errhandler_free(handler)
  call MPI_File_set_errhandler(MPI_FILE_NULL, copy)                    ! handle-freed
  call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN)
  call MPI_Win_create_errhandler(of_win, handler)
  call MPI_Errhandler_free(handler)
  call MPI_Comm_create_errhandler(of_comm, handler)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, handler)
  call MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER)
  call MPI_Comm_get_errhandler(MPI_COMM_SELF, copy)
  call MPI_Errhandler_free(copy)
  call MPI_Errhandler_free(handler)
  if (called /= 1) print *, 'wrong: called ', called
  call leak
  call MPI_Finalize()
end program errhandlers
