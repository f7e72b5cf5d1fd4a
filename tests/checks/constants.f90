! The same of Fortran, whose bindings hand MPI's constants on as those of C. (Not all: to MPI_Wait
! Open MPI hands a status of its own.) One rank.
program constants
  implicit none
  include 'mpif.h'
  integer :: ints(8) = 0, more(8), there, made, request, ierr
  integer(kind=MPI_ADDRESS_KIND) :: places(1)

  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  call MPI_Recv(ints, -1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr) ! argument-count ! with source=MPI_ANY_SOURCE tag=MPI_ANY_TAG status=MPI_STATUS_IGNORE
  call MPI_Recv(ints, 1, MPI_INTEGER, MPI_PROC_NULL, -7, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr) ! argument-tag ! with source=MPI_PROC_NULL
  call MPI_Recv_init(ints, 8, MPI_INTEGER, 0, 1, MPI_COMM_SELF, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr) ! request-inactive
  call MPI_Request_free(request, ierr)
  call MPI_Gather(MPI_IN_PLACE, 1, MPI_INTEGER, ints, -1, MPI_INTEGER, 0, MPI_COMM_SELF, ierr) ! argument-count ! with sendbuf=MPI_IN_PLACE
  call MPI_Get_address(more, places(1), ierr)
  call MPI_Type_create_hindexed(1, (/ 2 /), places, MPI_INTEGER, there, ierr)
  call MPI_Type_commit(there, ierr)
  call MPI_Send(MPI_BOTTOM, 1, there, 0, -4, MPI_COMM_SELF, ierr) ! argument-tag ! with buf=MPI_BOTTOM
  call MPI_Type_free(there, ierr)
  call MPI_Comm_split(MPI_COMM_NULL, MPI_UNDEFINED, 0, made, ierr) ! argument-comm ! with color=MPI_UNDEFINED
  call MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, -1, ints, MPI_UNWEIGHTED, 0, ints, &
    MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., made, ierr) ! argument-count ! with sourceweights=MPI_UNWEIGHTED destweights=MPI_WEIGHTS_EMPTY
  call MPI_Finalize(ierr)
end program constants
