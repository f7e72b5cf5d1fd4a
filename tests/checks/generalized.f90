! Generalized requests of mpif.h and mpi_f08, which the program itself completes. The last call is wrong,
! and may end the process.
module callbacks
  use mpi_f08, only: MPI_Status, MPI_BYTE, MPI_Status_set_elements, MPI_Status_set_cancelled, &
                     MPI_UNDEFINED, MPI_ADDRESS_KIND
  implicit none
contains
  subroutine query(state, status, ierr)
    integer(kind=MPI_ADDRESS_KIND) :: state
    type(MPI_Status) :: status
    integer :: ierr
    call MPI_Status_set_elements(status, MPI_BYTE, 0, ierr)
    call MPI_Status_set_cancelled(status, .false., ierr)
    status%MPI_SOURCE = MPI_UNDEFINED
    status%MPI_TAG = MPI_UNDEFINED
    ierr = int(state) ! 0
  end subroutine query

  subroutine release(state, ierr)
    integer(kind=MPI_ADDRESS_KIND) :: state
    integer :: ierr
    ierr = int(state) ! 0
  end subroutine release

  subroutine cancel(state, complete, ierr)
    integer(kind=MPI_ADDRESS_KIND) :: state
    logical :: complete
    integer :: ierr
    ierr = int(state) ! 0
    if (complete) ierr = int(state) ! 0
  end subroutine cancel
end module callbacks

! mpif.h
subroutine old
  use callbacks, only: query, release, cancel
  implicit none
  include 'mpif.h'
  integer :: request, copy, ierr, i
  integer(kind=MPI_ADDRESS_KIND) :: zero
  zero = 0
  do i = 1, 20
    call MPI_Grequest_start(query, release, cancel, zero, request, ierr)
    call MPI_Grequest_complete(request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Grequest_start(query, release, cancel, zero, request, ierr)
    copy = request
    call MPI_Request_free(request, ierr)
    call MPI_Grequest_complete(copy, ierr)
  end do
end subroutine old

program generalized
  use mpi_f08
  use callbacks
  implicit none
  type(MPI_Request) :: request, copy
  integer :: i, received(4)
  integer(kind=MPI_ADDRESS_KIND) :: zero
  zero = 0
  call MPI_Init()
  call old
  do i = 1, 20
    call MPI_Grequest_start(query, release, cancel, zero, request)
    copy = request
    call MPI_Grequest_complete(request)
    call MPI_Wait(copy, MPI_STATUS_IGNORE)
    call MPI_Grequest_start(query, release, cancel, zero, request)
    copy = request
    call MPI_Request_free(request)
    call MPI_Grequest_complete(copy)
  end do
  call MPI_Irecv(received, 4, MPI_INTEGER, 0, 0, MPI_COMM_SELF, request)
  call MPI_Grequest_complete(request)                                  ! request-unknown
end program generalized
