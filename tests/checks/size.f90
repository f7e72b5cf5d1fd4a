! Arrays that calls reach out of, with --check=size: allocatable, of a module, in a common block, saved; as in
! wrong.f90. One rank.
module fields
  implicit none
  double precision :: plane(10, 8)
end module fields

program size_f
  use fields
  implicit none
  include 'mpif.h'
  integer :: ierr, position = 0, column, first(10), second(10)
  integer, save :: kept(12)
  double precision, allocatable :: grown(:)
  common /both/ first, second

  call MPI_Init(ierr)
  allocate (grown(20))
  grown = 0
  plane = 0
  first = 1
  second = 2
  kept = 3
  call MPI_Bcast(grown, 20, MPI_DOUBLE_PRECISION, 0, MPI_COMM_SELF, ierr)
  call MPI_Bcast(grown(2), 19, MPI_DOUBLE_PRECISION, 0, MPI_COMM_SELF, ierr)
  call MPI_Bcast(grown, 21, MPI_DOUBLE_PRECISION, 0, MPI_COMM_SELF, ierr)   ! buffer-size ! at {20}+160
  call MPI_Bcast(plane, 80, MPI_DOUBLE_PRECISION, 0, MPI_COMM_SELF, ierr)
  call MPI_Bcast(plane(1, 8), 11, MPI_DOUBLE_PRECISION, 0, MPI_COMM_SELF, ierr) ! buffer-size ! at {10}+80
  call MPI_Bcast(first, 20, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)
  call MPI_Bcast(first, 21, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)            ! buffer-size ! at {20}+80
  call MPI_Bcast(kept, 12, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)
  call MPI_Bcast(kept, 13, MPI_INTEGER, 0, MPI_COMM_SELF, ierr)             ! buffer-size ! at {12}+48
  call MPI_Type_vector(8, 1, 10, MPI_DOUBLE_PRECISION, column, ierr)
  call MPI_Type_commit(column, ierr)
  call MPI_Bcast(plane(10, 1), 1, column, 0, MPI_COMM_SELF, ierr)
  call MPI_Bcast(plane(1, 2), 1, column, 0, MPI_COMM_SELF, ierr)            ! buffer-size ! at (VECTOR)[7][0](MPI_DOUBLE_PRECISION)+560
  call MPI_Type_free(column, ierr)
  call MPI_Pack(first, 2, MPI_INTEGER, grown, 160, position, MPI_COMM_SELF, ierr)
  call MPI_Pack(first, 2, MPI_INTEGER, grown, 168, position, MPI_COMM_SELF, ierr) ! buffer-size
  call MPI_Buffer_attach(plane, 648, ierr)                                  ! buffer-size
  deallocate (grown)
  call MPI_Finalize(ierr)
end program size_f
