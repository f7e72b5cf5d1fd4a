! Messages of two ranks by each binding of Fortran: bindings BINDING HOW. BINDING is old (mpif.h), module (mpi) or
! f08 (mpi_f08).
!
!     right    all fit their receives: nothing may be reported
!     type     another basic type
!     long     a message that is too long
!     lost     a message that is never received
subroutine by_old(how)
   implicit none
   include 'mpif.h'
   character(*), intent(in) :: how
   integer :: rank, other, ierror, values(8), pairs(8), length
   real :: numbers(8)
   character(8) :: text
   logical :: there, flags(2)
   integer :: pair, both
   integer :: requests(2)
   integer :: status(MPI_STATUS_SIZE)
   integer(MPI_ADDRESS_KIND) :: places(2)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
   other = 1 - rank
   values = rank
   pairs = 0
   numbers = 0
   flags = .true.
   text = 'a'
   call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierror)
   call MPI_Type_commit(pair, ierror)
   places = (/ 0, 4 /)
   call MPI_Type_create_struct(2, (/ 1, 1 /), places, (/ MPI_INTEGER, MPI_REAL /), both, ierror)
   call MPI_Type_commit(both, ierror)
   select case (how // merge('0', '1', rank == 0))
   case ('type0')
      call MPI_Send(values, 6, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierror) ! old type: send
   case ('type1')
      call MPI_Recv(numbers, 6, MPI_REAL, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror) ! old type: receive
   case ('long0')
      call MPI_Send(values, 3, pair, 1, 7, MPI_COMM_WORLD, ierror) ! old long: send
   case ('long1')
      call MPI_Recv(pairs, 5, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror) ! old long: receive
   case ('lost0')
      call MPI_Send(values, 1, MPI_INTEGER, 1, 8, MPI_COMM_WORLD, ierror)
      call MPI_Send(values, 2, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierror) ! old lost: send
   case ('lost1')
      call MPI_Recv(pairs, 5, MPI_INTEGER, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
   case ('right0', 'right1')
      call MPI_Sendrecv(values, 6, MPI_INTEGER, other, 1, pairs, 3, pair, other, 1, MPI_COMM_WORLD, &
                        MPI_STATUS_IGNORE, ierror)
      call MPI_Irecv(pairs, 4, pair, other, 2, MPI_COMM_WORLD, requests(1), ierror)
      call MPI_Isend(values, 3, pair, other, 2, MPI_COMM_WORLD, requests(2), ierror)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      call MPI_Sendrecv(text, 8, MPI_CHARACTER, other, 3, text(1:0), 0, MPI_CHARACTER, MPI_PROC_NULL, 3, &
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
      there = .false.
      do while (.not. there)
         call MPI_Iprobe(other, 3, MPI_COMM_WORLD, there, status, ierror)
      end do
      call MPI_Get_count(status, MPI_CHARACTER, length, ierror)
      call MPI_Recv(text, length, MPI_CHARACTER, status(MPI_SOURCE), 3, MPI_COMM_WORLD, status, ierror)
      call MPI_Sendrecv_replace(flags, 2, MPI_LOGICAL, other, 4, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &
                                status, ierror)
      call MPI_Recv_init(pairs, 8, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(1), ierror)
      call MPI_Send_init(values, 2, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(2), ierror)
      call MPI_Startall(2, requests, ierror)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      call MPI_Startall(2, requests, ierror)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      call MPI_Request_free(requests(1), ierror)
      call MPI_Request_free(requests(2), ierror)
      call MPI_Sendrecv(values, 2, both, other, 6, pairs, 3, both, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, &
                        ierror)
      if (rank == 0) then
         call MPI_Ssend(numbers, 0, MPI_REAL, 1, 9, MPI_COMM_WORLD, ierror)
      else
         call MPI_Recv(values, 8, MPI_INTEGER, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
      end if
   case default
      stop 2
   end select
   call MPI_Type_free(both, ierror)
   call MPI_Type_free(pair, ierror)
end subroutine by_old

subroutine by_module(how)
   use mpi
   implicit none
   character(*), intent(in) :: how
   integer :: rank, other, ierror, values(8), pairs(8), length
   real :: numbers(8)
   character(8) :: text
   logical :: there, flags(2)
   integer :: pair, both
   integer :: requests(2)
   integer :: status(MPI_STATUS_SIZE)
   integer(MPI_ADDRESS_KIND) :: places(2)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
   other = 1 - rank
   values = rank
   pairs = 0
   numbers = 0
   flags = .true.
   text = 'a'
   call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierror)
   call MPI_Type_commit(pair, ierror)
   places = (/ 0, 4 /)
   call MPI_Type_create_struct(2, (/ 1, 1 /), places, (/ MPI_INTEGER, MPI_REAL /), both, ierror)
   call MPI_Type_commit(both, ierror)
   select case (how // merge('0', '1', rank == 0))
   case ('type0')
      call MPI_Send(values, 6, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierror) ! module type: send
   case ('type1')
      call MPI_Recv(numbers, 6, MPI_REAL, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror) ! module type: receive
   case ('long0')
      call MPI_Send(values, 3, pair, 1, 7, MPI_COMM_WORLD, ierror) ! module long: send
   case ('long1')
      call MPI_Recv(pairs, 5, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror) ! module long: receive
   case ('lost0')
      call MPI_Send(values, 1, MPI_INTEGER, 1, 8, MPI_COMM_WORLD, ierror)
      call MPI_Send(values, 2, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierror) ! module lost: send
   case ('lost1')
      call MPI_Recv(pairs, 5, MPI_INTEGER, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
   case ('right0', 'right1')
      call MPI_Sendrecv(values, 6, MPI_INTEGER, other, 1, pairs, 3, pair, other, 1, MPI_COMM_WORLD, &
                        MPI_STATUS_IGNORE, ierror)
      call MPI_Irecv(pairs, 4, pair, other, 2, MPI_COMM_WORLD, requests(1), ierror)
      call MPI_Isend(values, 3, pair, other, 2, MPI_COMM_WORLD, requests(2), ierror)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      call MPI_Sendrecv(text, 8, MPI_CHARACTER, other, 3, text(1:0), 0, MPI_CHARACTER, MPI_PROC_NULL, 3, &
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
      there = .false.
      do while (.not. there)
         call MPI_Iprobe(other, 3, MPI_COMM_WORLD, there, status, ierror)
      end do
      call MPI_Get_count(status, MPI_CHARACTER, length, ierror)
      call MPI_Recv(text, length, MPI_CHARACTER, status(MPI_SOURCE), 3, MPI_COMM_WORLD, status, ierror)
      call MPI_Sendrecv_replace(flags, 2, MPI_LOGICAL, other, 4, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &
                                status, ierror)
      call MPI_Recv_init(pairs, 8, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(1), ierror)
      call MPI_Send_init(values, 2, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(2), ierror)
      call MPI_Startall(2, requests, ierror)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      call MPI_Startall(2, requests, ierror)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      call MPI_Request_free(requests(1), ierror)
      call MPI_Request_free(requests(2), ierror)
      call MPI_Sendrecv(values, 2, both, other, 6, pairs, 3, both, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, &
                        ierror)
      if (rank == 0) then
         call MPI_Ssend(numbers, 0, MPI_REAL, 1, 9, MPI_COMM_WORLD, ierror)
      else
         call MPI_Recv(values, 8, MPI_INTEGER, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
      end if
   case default
      stop 2
   end select
   call MPI_Type_free(both, ierror)
   call MPI_Type_free(pair, ierror)
end subroutine by_module

subroutine by_f08(how)
   use mpi_f08
   implicit none
   character(*), intent(in) :: how
   integer :: rank, other, ierror, values(8), pairs(8), length
   real :: numbers(8)
   character(8) :: text
   logical :: there, flags(2)
   type(MPI_Datatype) :: pair, both
   type(MPI_Request) :: requests(2)
   type(MPI_Status) :: status
   integer(MPI_ADDRESS_KIND) :: places(2)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
   other = 1 - rank
   values = rank
   pairs = 0
   numbers = 0
   flags = .true.
   text = 'a'
   call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierror)
   call MPI_Type_commit(pair, ierror)
   places = (/ 0, 4 /)
   call MPI_Type_create_struct(2, (/ 1, 1 /), places, (/ MPI_INTEGER, MPI_REAL /), both, ierror)
   call MPI_Type_commit(both, ierror)
   select case (how // merge('0', '1', rank == 0))
   case ('type0')
      call MPI_Send(values, 6, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierror) ! f08 type: send
   case ('type1')
      call MPI_Recv(numbers, 6, MPI_REAL, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror) ! f08 type: receive
   case ('long0')
      call MPI_Send(values, 3, pair, 1, 7, MPI_COMM_WORLD, ierror) ! f08 long: send
   case ('long1')
      call MPI_Recv(pairs, 5, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror) ! f08 long: receive
   case ('lost0')
      call MPI_Send(values, 1, MPI_INTEGER, 1, 8, MPI_COMM_WORLD, ierror)
      call MPI_Send(values, 2, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierror) ! f08 lost: send
   case ('lost1')
      call MPI_Recv(pairs, 5, MPI_INTEGER, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
   case ('right0', 'right1')
      call MPI_Sendrecv(values, 6, MPI_INTEGER, other, 1, pairs, 3, pair, other, 1, MPI_COMM_WORLD, &
                        MPI_STATUS_IGNORE, ierror)
      call MPI_Irecv(pairs, 4, pair, other, 2, MPI_COMM_WORLD, requests(1), ierror)
      call MPI_Isend(values, 3, pair, other, 2, MPI_COMM_WORLD, requests(2), ierror)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      call MPI_Sendrecv(text, 8, MPI_CHARACTER, other, 3, text(1:0), 0, MPI_CHARACTER, MPI_PROC_NULL, 3, &
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
      there = .false.
      do while (.not. there)
         call MPI_Iprobe(other, 3, MPI_COMM_WORLD, there, status, ierror)
      end do
      call MPI_Get_count(status, MPI_CHARACTER, length, ierror)
      call MPI_Recv(text, length, MPI_CHARACTER, status%MPI_SOURCE, 3, MPI_COMM_WORLD, status, ierror)
      call MPI_Sendrecv_replace(flags, 2, MPI_LOGICAL, other, 4, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &
                                status, ierror)
      call MPI_Recv_init(pairs, 8, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(1), ierror)
      call MPI_Send_init(values, 2, MPI_INTEGER, other, 5, MPI_COMM_WORLD, requests(2), ierror)
      call MPI_Startall(2, requests, ierror)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      call MPI_Startall(2, requests, ierror)
      call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierror)
      call MPI_Request_free(requests(1), ierror)
      call MPI_Request_free(requests(2), ierror)
      call MPI_Sendrecv(values, 2, both, other, 6, pairs, 3, both, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE, &
                        ierror)
      if (rank == 0) then
         call MPI_Ssend(numbers, 0, MPI_REAL, 1, 9, MPI_COMM_WORLD, ierror)
      else
         call MPI_Recv(values, 8, MPI_INTEGER, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
      end if
   case default
      stop 2
   end select
   call MPI_Type_free(both, ierror)
   call MPI_Type_free(pair, ierror)
end subroutine by_f08

program bindings
   use mpi
   implicit none
   character(8) :: binding, how
   integer :: ierror
   call get_command_argument(1, binding)
   call get_command_argument(2, how)
   call MPI_Init(ierror)
   select case (binding)
   case ('old')
      call by_old(trim(how))
   case ('module')
      call by_module(trim(how))
   case ('f08')
      call by_f08(trim(how))
   case default
      stop 2
   end select
   call MPI_Finalize(ierror)
end program bindings
