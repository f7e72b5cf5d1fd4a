! Correct calls from Fortran, by each of its bindings: mpif.h, the module mpi, the module mpi_f08.
! Nothing may be reported. Runs as two ranks.
subroutine old
   implicit none
   include 'mpif.h'
   integer :: rank, other, ierror, type, request, requests(2), statuses(MPI_STATUS_SIZE, 2), position
   integer :: status(MPI_STATUS_SIZE), lengths(2), types(2), keyval, comm, group, op, newtype
   integer(MPI_ADDRESS_KIND) :: places(2), value
   double precision :: a(10, 10), b(10, 10), x
   integer :: n
   common /shared/ x, n
   logical :: flag
   external :: add
   call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierror)
   other = 1 - rank
   a = rank
   call MPI_TYPE_VECTOR(10, 1, 10, MPI_DOUBLE_PRECISION, type, ierror)
   call MPI_TYPE_COMMIT(type, ierror)
   call MPI_SENDRECV(a(1, 1), 1, type, other, 1, b(2, 1), 1, type, other, 1, MPI_COMM_WORLD, &
                     MPI_STATUS_IGNORE, ierror)
   call MPI_IRECV(b, 10, MPI_DOUBLE_PRECISION, other, 2, MPI_COMM_WORLD, requests(1), ierror)
   call MPI_ISEND(a, 10, MPI_DOUBLE_PRECISION, other, 2, MPI_COMM_WORLD, requests(2), ierror)
   call MPI_WAITALL(2, requests, MPI_STATUSES_IGNORE, ierror)
   call MPI_IRECV(b, 1, type, other, 3, MPI_COMM_WORLD, requests(1), ierror)
   call MPI_TYPE_FREE(type, ierror)
   call MPI_ISEND(a, 10, MPI_DOUBLE_PRECISION, other, 3, MPI_COMM_WORLD, requests(2), ierror)
   call MPI_WAITALL(2, requests, statuses, ierror)
   ! Absolute addresses
   call MPI_GET_ADDRESS(x, places(1), ierror)
   call MPI_GET_ADDRESS(n, places(2), ierror)
   lengths = 1
   types = (/ MPI_DOUBLE_PRECISION, MPI_INTEGER /)
   call MPI_TYPE_CREATE_STRUCT(2, lengths, places, types, type, ierror)
   call MPI_TYPE_COMMIT(type, ierror)
   call MPI_BCAST(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD, ierror)
   if (rank == 0) then
      call MPI_SEND(MPI_BOTTOM, 1, type, 1, 4, MPI_COMM_WORLD, ierror)
   else
      call MPI_RECV(MPI_BOTTOM, 1, type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierror)
   end if
   call MPI_TYPE_FREE(type, ierror)
   call MPI_ALLREDUCE(MPI_IN_PLACE, a, 10, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
   call MPI_ALLREDUCE(a, b, 5, MPI_2DOUBLE_PRECISION, MPI_MAXLOC, MPI_COMM_WORLD, ierror)
   flag = .true.
   call MPI_ALLREDUCE(MPI_IN_PLACE, flag, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierror)
   call MPI_ALLREDUCE(MPI_IN_PLACE, n, 1, MPI_INTEGER, MPI_BOR, MPI_COMM_WORLD, ierror)
   call MPI_OP_CREATE(add, .true., op, ierror)
   call MPI_REDUCE(a, b, 10, MPI_DOUBLE_PRECISION, op, 0, MPI_COMM_WORLD, ierror)
   call MPI_OP_FREE(op, ierror)
   if (rank == 0) then
      call MPI_GATHER(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, 5, MPI_REAL8, 0, MPI_COMM_WORLD, ierror)
   else
      call MPI_GATHER(a, 5, MPI_REAL8, b, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD, ierror)
   end if
   call MPI_SEND_INIT(a, 3, MPI_DOUBLE_PRECISION, other, 5, MPI_COMM_WORLD, requests(1), ierror)
   call MPI_RECV_INIT(b, 3, MPI_DOUBLE_PRECISION, other, 5, MPI_COMM_WORLD, requests(2), ierror)
   do n = 1, 3
      call MPI_STARTALL(2, requests, ierror)
      call MPI_WAITALL(2, requests, MPI_STATUSES_IGNORE, ierror)
   end do
   do n = 1, 2
      call MPI_REQUEST_FREE(requests(n), ierror)
   end do
   request = MPI_REQUEST_NULL
   call MPI_WAIT(request, MPI_STATUS_IGNORE, ierror)
   call MPI_TEST(request, flag, status, ierror)
   position = 0
   call MPI_PACK(a, 3, MPI_DOUBLE_PRECISION, b, 800, position, MPI_COMM_WORLD, ierror)
   call MPI_TYPE_CREATE_F90_REAL(15, 300, newtype, ierror)
   call MPI_BCAST(a, 3, newtype, 0, MPI_COMM_WORLD, ierror)
   call MPI_COMM_SPLIT(MPI_COMM_WORLD, rank, 0, comm, ierror)
   call MPI_COMM_GROUP(comm, group, ierror)
   call MPI_GROUP_FREE(group, ierror)
   call MPI_COMM_CREATE_KEYVAL(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND, ierror)
   value = 3
   call MPI_COMM_SET_ATTR(comm, keyval, value, ierror)
   call MPI_COMM_FREE_KEYVAL(keyval, ierror)
   call MPI_COMM_FREE(comm, ierror)
   call MPI_SEND(a, 3, MPI_CHARACTER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierror)
end subroutine

subroutine add(left, right, length, type)
   implicit none
   integer :: length, type
   double precision :: left(length), right(length)
   right = right + left
end subroutine

subroutine middle
   use mpi
   implicit none
   integer :: rank, other, ierror, type, request, window, status(MPI_STATUS_SIZE), counts(2), places(2)
   integer(MPI_ADDRESS_KIND) :: lb, extent
   real :: a(20), b(20)
   complex :: c(4)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
   other = 1 - rank
   a = 0
   c = 0
   call MPI_Type_create_subarray(2, [5, 4], [2, 2], [1, 1], MPI_ORDER_FORTRAN, MPI_REAL, type, ierror)
   call MPI_Type_commit(type, ierror)
   call MPI_Irecv(b, 1, type, other, 1, MPI_COMM_WORLD, request, ierror)
   call MPI_Send(a, 1, type, other, 1, MPI_COMM_WORLD, ierror)
   call MPI_Wait(request, status, ierror)
   call MPI_Type_get_extent(type, lb, extent, ierror)
   call MPI_Type_free(type, ierror)
   call MPI_Allreduce(MPI_IN_PLACE, c, 4, MPI_COMPLEX, MPI_PROD, MPI_COMM_WORLD, ierror)
   counts = 2
   places = [0, 2]
   call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, counts, places, MPI_REAL, MPI_COMM_WORLD, ierror)
   call MPI_Alltoall(a, 2, MPI_REAL4, b, 2, MPI_REAL4, MPI_COMM_WORLD, ierror)
   call MPI_Win_create(b, 80_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierror)
   call MPI_Win_fence(0, window, ierror)
   call MPI_Put(a, 2, MPI_REAL, other, 0_MPI_ADDRESS_KIND, 2, MPI_REAL, window, ierror)
   call MPI_Win_fence(0, window, ierror)
   call MPI_Win_free(window, ierror)
end subroutine

subroutine new
   use mpi_f08
   implicit none
   integer :: rank, other, i
   integer, asynchronous :: whole(6, 6), part(36)
   type(MPI_Datatype) :: type, copy
   type(MPI_Request) :: requests(2)
   type(MPI_Comm) :: comm
   type(MPI_Status) :: status
   type(MPI_Op) :: op
   integer :: count
   call MPI_Comm_rank(MPI_COMM_WORLD, rank)
   other = 1 - rank
   whole = rank
   call MPI_Type_create_subarray(2, [6, 6], [3, 2], [1, 2], MPI_ORDER_FORTRAN, MPI_INTEGER, type)
   call MPI_Type_commit(type)
   call MPI_Type_dup(type, copy)
   call MPI_Irecv(part, 6, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(1))
   call MPI_Isend(whole, 1, type, other, 1, MPI_COMM_WORLD, requests(2))
   call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
   call MPI_Sendrecv(whole, 1, copy, other, 2, part, 1, copy, other, 2, MPI_COMM_WORLD, status)
   call MPI_Get_count(status, copy, count)
   call MPI_Type_free(type)
   call MPI_Type_free(copy)
   call MPI_Comm_dup(MPI_COMM_WORLD, comm)
   call MPI_Iallreduce(MPI_IN_PLACE, part, 3, MPI_INTEGER, MPI_MAX, comm, requests(1))
   call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
   call MPI_Comm_free(comm)
   do i = 1, 2
      call MPI_Recv_init(part, 6, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, requests(1))
      call MPI_Start(requests(1))
      call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
      call MPI_Request_free(requests(1))
   end do
end subroutine

program silent
   use mpi
   implicit none
   integer :: ierror
   call MPI_Init(ierror)
   call old
   call middle
   call new
   call MPI_Finalize(ierror)
end program
