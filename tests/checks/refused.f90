! Calls that MPI refuses, from Fortran, each the end of the process: a case each.
!
!     refused CASE
!
! Runs as one rank.
subroutine mpif_h()
    implicit none
    include 'mpif.h'
    integer :: ints(8), more(8), request, code
    ints = 0
    call MPI_Isend(ints, 4, MPI_INTEGER, 0, 1, MPI_COMM_SELF, request, code)
    call MPI_Recv(more, 2, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, code)  ! mpi-error (mpif-h)
end subroutine

subroutine use_mpi()
    use mpi
    implicit none
    integer :: ints(8), more(8), request, copy, code
    ints = 0
    call MPI_Comm_dup(MPI_COMM_SELF, copy, code)
    call MPI_Isend(ints, 4, MPI_INTEGER, 0, 1, copy, request, code)
    call MPI_Recv(more, 2, MPI_INTEGER, 0, 1, copy, MPI_STATUS_IGNORE, code)           ! mpi-error (use-mpi)
end subroutine

subroutine use_mpi_f08()
    use mpi_f08
    implicit none
    integer :: ints(8), more(8)
    type(MPI_Request) :: request
    ints = 0
    call MPI_Isend(ints, 4, MPI_INTEGER, 0, 1, MPI_COMM_SELF, request)
    call MPI_Recv(more, 2, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE)        ! mpi-error (use-mpi-f08)
end subroutine

! The program asks for the handler, sets another and sets it again, all by Fortran's handles.
subroutine restored()
    use mpi
    implicit none
    integer :: ints(8), more(8), request, before, code
    ints = 0
    call MPI_Comm_get_errhandler(MPI_COMM_SELF, before, code)
    if (before /= MPI_ERRORS_ARE_FATAL) stop 9
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, code)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, before, code)
    call MPI_Errhandler_free(before, code)
    if (before /= MPI_ERRHANDLER_NULL) stop 9
    call MPI_Isend(ints, 4, MPI_INTEGER, 0, 1, MPI_COMM_SELF, request, code)
    call MPI_Recv(more, 2, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, code)  ! mpi-error (restored)
end subroutine

! The code returns to the program.
subroutine returned()
    use mpi
    implicit none
    integer :: ints(8), more(8), request, code, kind
    ints = 0
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, code)
    call MPI_Isend(ints, 4, MPI_INTEGER, 0, 1, MPI_COMM_SELF, request, code)
    call MPI_Recv(more, 2, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, code)  ! note mpi-error (returned)
    call MPI_Error_class(code, kind, code)
    if (kind /= MPI_ERR_TRUNCATE) stop 9
    call MPI_Wait(request, MPI_STATUS_IGNORE, code)
end subroutine

program refused
    use mpi
    implicit none
    character(len=16) :: name
    integer :: code
    call get_command_argument(1, name)
    call MPI_Init(code)
    select case (name)
    case ("mpif-h")
        call mpif_h()
    case ("use-mpi")
        call use_mpi()
    case ("use-mpi-f08")
        call use_mpi_f08()
    case ("restored")
        call restored()
    case ("returned")
        call returned()
    end select
    call MPI_Finalize(code)
end program
