! Partitioned operations from Fortran: correct ones, and those that are wrong, as in partitions.c. One rank.
program partitions
  implicit none
  include 'mpif.h'
  integer(kind=MPI_COUNT_KIND) :: one = 1
  integer :: sent(6) = 1, got(6), numbers(2) = (/ 3, 2 /), requests(2), i, ierr
  logical :: flag

  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Psend_init(sent, 6, one, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, requests(1), ierr)
  call MPI_Precv_init(got, 6, one, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_INFO_NULL, requests(2), ierr)
  do i = 1, 2
    call MPI_Startall(2, requests, ierr)
    call MPI_Pready(5, requests(1), ierr)
    call MPI_Pready_range(0, 1, requests(1), ierr)
    call MPI_Pready_list(2, numbers, requests(1), ierr)
    call MPI_Parrived(requests(2), 5, flag, ierr)
    call MPI_Pready(4, requests(1), ierr)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  end do
  call MPI_Pready(0, requests(1), ierr)                            ! request-inactive
  call MPI_Startall(2, requests, ierr)
  call MPI_Pready(6, requests(1), ierr)                            ! argument-count
  call MPI_Parrived(requests(2), 6, flag, ierr)                    ! argument-count
  call MPI_Pready(1, requests(1), ierr)
  call MPI_Pready_range(0, 1, requests(1), ierr)                   ! request-active-start
  call MPI_Abort(MPI_COMM_SELF, 0, ierr) ! MPI may be in any state
end program partitions
