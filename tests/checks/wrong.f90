! Wrong calls from Fortran, each with what is found at the end of its line. One rank. With mpif.h: for
! calls of a module's interfaces gfortran writes down another line.
program wrong
  implicit none
  include 'mpif.h'
  integer :: vector, folded, made, stale, request, lost, comm, group, ierr
  integer :: ints(64), more(64), sent(2) = 1, status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2), requests(2)
  integer :: lengths(2) = (/ 1, -1 /), places(2) = (/ 0, 4 /)
  character :: letters(8), others(8)
  integer(kind=MPI_ADDRESS_KIND) :: lb, extent

  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  ints = 0
  letters = 'a'

  call MPI_Send(ints, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_SELF, ierr) ! datatype-null
  call MPI_Type_get_extent(MPI_DATATYPE_NULL, lb, extent, ierr)        ! datatype-null
  call MPI_Type_vector(2, 1, 4, MPI_INTEGER, vector, ierr)
  call MPI_Bcast(ints, 1, vector, 0, MPI_COMM_SELF, ierr)              ! datatype-uncommitted
  call MPI_Type_commit(vector, ierr)
  call MPI_Bcast(ints, 1, vector, 0, MPI_COMM_SELF, ierr)
  call MPI_Type_commit(vector, ierr)                                   ! datatype-recommitted
  call MPI_Type_free(vector, ierr)
  made = MPI_REAL
  call MPI_Type_free(made, ierr)                                       ! datatype-predefined-freed
  call MPI_Type_indexed(2, lengths, places, MPI_REAL, made, ierr)      ! datatype-argument ! at (INDEXED)[1]
  call MPI_Type_vector(2, 2, 1, MPI_INTEGER, folded, ierr)
  call MPI_Type_commit(folded, ierr)
  call MPI_Sendrecv(ints, 4, MPI_INTEGER, 0, 0, more, 1, folded, 0, 0, MPI_COMM_SELF, status, ierr) ! datatype-self-overlap ! at {0}(VECTOR)[0][1](MPI_INTEGER)+4 {0}(VECTOR)[1][0](MPI_INTEGER)+4
  call MPI_Type_free(folded, ierr)
  call MPI_Type_contiguous(3, MPI_COMPLEX, made, ierr)                 ! datatype-leak

  call MPI_Send(ints, -1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, ierr)      ! argument-count
  call MPI_Send(ints, 1, MPI_INTEGER, 1, 0, MPI_COMM_SELF, ierr)       ! argument-rank
  call MPI_Send(ints, 1, MPI_INTEGER, 0, -5, MPI_COMM_SELF, ierr)      ! argument-tag
  call MPI_Bcast(ints, 1, MPI_INTEGER, 3, MPI_COMM_SELF, ierr)         ! argument-root
  call MPI_Barrier(MPI_COMM_NULL, ierr)                                ! argument-comm
  call MPI_Bcast(MPI_IN_PLACE, 0, MPI_INTEGER, 0, MPI_COMM_SELF, ierr) ! argument-in-place
  call MPI_Allreduce(MPI_IN_PLACE, ints, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)
  call MPI_Allreduce(ints, MPI_IN_PLACE, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr) ! argument-in-place
  call MPI_Allreduce(letters, others, 1, MPI_CHARACTER, MPI_SUM, MPI_COMM_SELF, ierr) ! op-datatype
  call MPI_Allreduce(ints, more, 1, MPI_LOGICAL, MPI_SUM, MPI_COMM_SELF, ierr) ! op-datatype
  call MPI_Allreduce(ints, more, 1, MPI_INTEGER, MPI_LAND, MPI_COMM_SELF, ierr) ! op-datatype
  call MPI_Allreduce(ints, more, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_SELF, ierr)

  request = MPI_REQUEST_NULL
  call MPI_Start(request, ierr)                                        ! request-null
  call MPI_Recv_init(ints, 1, MPI_INTEGER, 0, 9, MPI_COMM_SELF, request, ierr)
  call MPI_Wait(request, status, ierr)                                 ! request-inactive
  call MPI_Request_free(request, ierr)
  call MPI_Irecv(ints, 1, MPI_INTEGER, 0, 8, MPI_COMM_SELF, request, ierr)
  call MPI_Request_free(request, ierr)                                 ! request-active-free
  call MPI_Send(more, 1, MPI_INTEGER, 0, 8, MPI_COMM_SELF, ierr)
  call MPI_Irecv(ints, 1, MPI_INTEGER, 0, 7, MPI_COMM_SELF, lost, ierr) ! request-leak
  call MPI_Irecv(more, 1, MPI_INTEGER, 0, 7, MPI_COMM_SELF, lost, ierr)
  call MPI_Send(sent, 1, MPI_INTEGER, 0, 7, MPI_COMM_SELF, ierr)
  call MPI_Send(sent, 1, MPI_INTEGER, 0, 7, MPI_COMM_SELF, ierr)
  call MPI_Wait(lost, status, ierr)
  call MPI_Irecv(sent, 1, MPI_INTEGER, 0, 6, MPI_COMM_SELF, requests(1), ierr)
  call MPI_Isend(more, 1, MPI_INTEGER, 0, 6, MPI_COMM_SELF, requests(2), ierr)
  call MPI_Waitall(2, requests, statuses, ierr)
  call MPI_Recv_init(more, 1, MPI_INTEGER, 0, 5, MPI_COMM_SELF, request, ierr) ! request-leak
  call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr)                         ! handle-leak
  call MPI_Comm_group(MPI_COMM_SELF, group, ierr)                      ! handle-leak
  call MPI_Finalize(ierr)
end program wrong
