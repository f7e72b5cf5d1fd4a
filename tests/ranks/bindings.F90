! Messages of two ranks by each binding of Fortran: bindings HOW. It is compiled for one of them: -DOLD (mpif.h), -DMODULE
! (mpi) or -DF08 (mpi_f08).
!
!     right    all fit their receives: nothing may be reported
!     type     another basic type
!     long     a message that is too long
!     lost     a message that is never received
#ifdef F08
#define DATATYPE type(MPI_Datatype)
#define REQUEST type(MPI_Request)
#define STATUS_OF_CALL type(MPI_Status) :: status
#define SOURCE_OF(status) status%MPI_SOURCE
#else
#define DATATYPE integer
#define REQUEST integer
#define STATUS_OF_CALL integer :: status(MPI_STATUS_SIZE)
#define SOURCE_OF(status) status(MPI_SOURCE)
#endif
program bindings
#if defined(F08)
   use mpi_f08
#elif defined(MODULE)
   use mpi
#endif
   implicit none
#if defined(OLD)
   include 'mpif.h'
#endif
   character(8) :: how
   integer :: rank, other, ierror, values(8), pairs(8), length
   real :: numbers(8)
   character(8) :: text
   logical :: there, flags(2)
   DATATYPE :: pair, both
   REQUEST :: requests(2)
   STATUS_OF_CALL
   integer(MPI_ADDRESS_KIND) :: places(2)
   call get_command_argument(1, how)
   call MPI_Init(ierror)
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
   select case (trim(how) // merge('0', '1', rank == 0))
   case ('type0')
      call MPI_Send(values, 6, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierror) ! Fortran type: send
   case ('type1')
      call MPI_Recv(numbers, 6, MPI_REAL, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror) ! Fortran type: receive
   case ('long0')
      call MPI_Send(values, 3, pair, 1, 7, MPI_COMM_WORLD, ierror) ! Fortran long: send
   case ('long1')
      call MPI_Recv(pairs, 5, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror) ! Fortran long: receive
   case ('lost0')
      call MPI_Send(values, 1, MPI_INTEGER, 1, 8, MPI_COMM_WORLD, ierror)
      call MPI_Send(values, 2, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierror) ! Fortran lost: send
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
      call MPI_Recv(text, length, MPI_CHARACTER, SOURCE_OF(status), 3, MPI_COMM_WORLD, status, ierror)
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
   call MPI_Finalize(ierror)
end program bindings
