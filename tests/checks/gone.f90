! Buffers and windows of subroutines that have returned, and such that only look so.
module work
  use mpi
  implicit none
  integer :: rank ! it errs where it is 0
  integer, save :: kept(4)
contains
  subroutine post(request)
    integer, intent(out) :: request
    integer :: cells(4), ierr
    cells = 1
    kept = 1
    if (rank == 1) then
      call MPI_Isend(kept, 4, MPI_INTEGER, 0, 1, MPI_COMM_SELF, request, ierr)
      return
    end if
    call MPI_Isend(cells, 4, MPI_INTEGER, 0, 1, MPI_COMM_SELF, request, ierr)
  end subroutine post

  subroutine make_window(win)
    integer, intent(out) :: win
    integer :: cells(4), ierr
    if (rank == 1) then ! Open MPI has no windows of one rank
      call MPI_Win_create(kept, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
      return
    end if
    call MPI_Win_create(cells, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  end subroutine make_window

  ! The caller's memory.
  subroutine post_into(halo, request)
    integer :: halo(*)
    integer, intent(out) :: request
    integer :: ierr
    call MPI_Irecv(halo, 4, MPI_INTEGER, 0, 9, MPI_COMM_SELF, request, ierr)
  end subroutine post_into

  ! Complete before it returns.
  recursive subroutine exchange(depth)
    integer, intent(in) :: depth
    integer :: cells(4), halo(4), request, ierr
    cells = depth
    call MPI_Irecv(halo, 4, MPI_INTEGER, 0, depth, MPI_COMM_SELF, request, ierr)
    if (depth > 0) call exchange(depth - 1)
    call MPI_Send(cells, 4, MPI_INTEGER, 0, depth, MPI_COMM_SELF, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  end subroutine exchange

  subroutine post_saved(request)
    integer, intent(out) :: request
    integer :: ierr
    call MPI_Irecv(kept, 4, MPI_INTEGER, 0, 1, MPI_COMM_SELF, request, ierr)
  end subroutine post_saved

  subroutine window_and_back()
    integer :: cells(4), win, ierr
    call MPI_Win_create(cells, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Win_free(win, ierr)
  end subroutine window_and_back
end module work

program gone
  use work
  implicit none
  integer :: cells(4), halo(4), request, win, ierr

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  cells = 1
  call post(request)
  call MPI_Recv(halo, 4, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr) ! buffer-gone
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call make_window(win)
  call MPI_Win_fence(0, win, ierr)                                    ! buffer-gone
  call MPI_Win_free(win, ierr)

  call post_into(halo, request)
  call exchange(3)
  call MPI_Send(cells, 4, MPI_INTEGER, 0, 9, MPI_COMM_SELF, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call post_saved(request)
  call MPI_Send(cells, 4, MPI_INTEGER, 0, 1, MPI_COMM_SELF, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call window_and_back()
  call MPI_Barrier(MPI_COMM_SELF, ierr)
  call MPI_Finalize(ierr)
end program gone
