! Fortran: what modified.c has in C. A line with a finding says so. Runs as one rank. With
! mpif.h, as wrong.f90.
program modified
  implicit none
  include 'mpif.h'
  integer :: request, ierr, comb, status(MPI_STATUS_SIZE)
  real(8), asynchronous :: field(4, 4)
  real(8) :: halo(4)

  call MPI_Init(ierr)
  field = 1
  call MPI_Isend(field, 4, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_SELF, request, ierr)
  field(3, 1) = 2
  call MPI_Recv(halo, 4, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_SELF, status, ierr)
  call MPI_Wait(request, status, ierr)                                 ! buffer-modified ! at {2}+16

  call MPI_Type_vector(4, 1, 4, MPI_DOUBLE_PRECISION, comb, ierr)
  call MPI_Type_commit(comb, ierr)
  call MPI_Isend(field, 1, comb, 0, 1, MPI_COMM_SELF, request, ierr)
  field(2, 1) = 3 ! another row
  call MPI_Recv(halo, 4, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_SELF, status, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Isend(field, 1, comb, 0, 1, MPI_COMM_SELF, request, ierr)
  field(1, 3) = 3
  call MPI_Recv(halo, 4, MPI_DOUBLE_PRECISION, 0, 1, MPI_COMM_SELF, status, ierr)
  call MPI_Wait(request, status, ierr)                                 ! buffer-modified ! at (VECTOR)[2][0](MPI_DOUBLE_PRECISION)+64
  call MPI_Type_free(comb, ierr)
  call MPI_Finalize(ierr)
end program modified
