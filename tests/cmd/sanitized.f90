! What sanitized.c is, in Fortran.
program sanitized
  use mpi
  implicit none
  integer :: ierror, rank, beyond
  integer, allocatable :: values(:)
  character(8) :: what
  call get_command_argument(1, what)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  allocate(values(10))
  values = 1
  call MPI_Allreduce(MPI_IN_PLACE, values, 10, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  if (what == 'count') call MPI_Bcast(values, -1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  if (what == 'memory') then
    beyond = 11 + rank
    beyond = values(beyond)
    print *, beyond
  end if
  print '(a, i0)', 'sum ', values(10)
  deallocate(values)
  call MPI_Finalize(ierror)
end program
