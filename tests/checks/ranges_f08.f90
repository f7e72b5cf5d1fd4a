! Arguments out of their range by the module mpi_f08, and what looks like them and is right. One rank.
program ranges_f08
  use mpi_f08
  implicit none
  type(MPI_Comm) :: comm, line
  type(MPI_Group) :: world, part
  type(MPI_Win) :: win
  type(MPI_Info) :: info
  integer :: flag, number, ierr
  integer :: dims(2), three(3, 1), ints(8) = 0, zero(1) = 0, one(1) = 1, minus(1) = -1
  integer(kind=MPI_ADDRESS_KIND) :: bytes = 8
  logical :: no(2) = .false., yes(2) = .true.

  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
  dims = 0
  call MPI_Dims_create(1, 2, dims, ierr)
  call MPI_Cart_create(MPI_COMM_SELF, 2, dims, yes, .false., comm, ierr)
  call MPI_Cart_rank(comm, (/ -3, 9 /), number, ierr)
  call MPI_Cart_shift(comm, 1, -2, number, flag, ierr)
  call MPI_Comm_free(comm, ierr)
  call MPI_Dist_graph_create(MPI_COMM_SELF, 1, zero, one, zero, MPI_UNWEIGHTED, MPI_INFO_NULL, .false., comm, ierr)
  call MPI_Comm_free(comm, ierr)
  call MPI_Comm_split(MPI_COMM_SELF, MPI_UNDEFINED, 0, comm, ierr)
  call MPI_Comm_group(MPI_COMM_WORLD, world, ierr)
  three(:, 1) = (/ 0, 0, 3 /)
  call MPI_Group_range_incl(world, 1, three, part, ierr)
  call MPI_Group_free(part, ierr)

  dims = (/ 1, 0 /)
  call MPI_Cart_create(MPI_COMM_SELF, 2, dims, no, .false., comm, ierr) ! argument-topology
  dims = (/ 1, 2 /)
  call MPI_Cart_create(MPI_COMM_SELF, 2, dims, no, .false., comm, ierr) ! argument-topology
  dims = (/ 5, 0 /)
  call MPI_Dims_create(12, 2, dims, ierr) ! argument-topology
  call MPI_Cart_create(MPI_COMM_SELF, 1, one, no, .false., line, ierr)
  call MPI_Comm_set_errhandler(line, MPI_ERRORS_RETURN, ierr)
  call MPI_Cart_shift(line, 1, 1, number, flag, ierr) ! argument-topology
  call MPI_Comm_free(line, ierr)
  comm = MPI_COMM_NULL
  call MPI_Comm_split(MPI_COMM_SELF, -7, 0, comm, ierr) ! argument-color
  if (comm /= MPI_COMM_NULL) call MPI_Comm_free(comm, ierr)
  three(:, 1) = (/ 0, 0, 0 /)
  call MPI_Group_range_incl(world, 1, three, part, ierr) ! argument-rank
  three(:, 1) = (/ 0, 5, 1 /)
  call MPI_Group_range_incl(world, 1, three, part, ierr) ! argument-rank
  call MPI_Group_free(world, ierr)
  call MPI_Win_create(ints, bytes, 0, MPI_INFO_NULL, MPI_COMM_SELF, win, ierr) ! argument-count
  call MPI_Info_create(info, ierr)
  call MPI_Info_set(info, 'key', 'value', ierr)
  call MPI_Info_free(info, ierr)
  call MPI_Finalize(ierr)
end program ranges_f08
