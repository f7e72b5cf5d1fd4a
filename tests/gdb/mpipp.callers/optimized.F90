! Call sites of Fortran after -O2, by mpi_f08 with -DUSE_F08, else by the module mpi.
#ifdef USE_F08
#define MODULE_OF_MPI mpi_f08
#define HANDLE type(MPI_Datatype)
#define SITES sites_of_f08
#else
#define MODULE_OF_MPI mpi
#define HANDLE integer
#define SITES sites_of_mpi
#endif
module SITES/**/_module
  use MODULE_OF_MPI
  implicit none
  HANDLE :: kept(60)
  integer :: ierr
contains
  subroutine last_call(n)
    integer, intent(in) :: n
    call MPI_Type_contiguous(n, MPI_INTEGER, kept(n), ierr) !/* made: last call */
  end subroutine
  subroutine made(n)
    integer, intent(in) :: n
    call MPI_Type_contiguous(n, MPI_REAL, kept(n), ierr) !/* made: made */
    call MPI_Type_commit(kept(n), ierr) !/* committed: made */
  end subroutine
  subroutine release(n)
    integer, intent(in) :: n
    call MPI_Type_free(kept(n), ierr) !/* freed: release */
  end subroutine
end module

subroutine SITES() bind(c)
  use SITES/**/_module
  integer :: i, from
  from = 30
#ifdef USE_F08
  from = 40
#endif
  call MPI_Type_contiguous(from, MPI_INTEGER, kept(from), ierr) !/* made: here */
  call last_call(from + 1)
  do i = from + 2, from + 4
    call made(i)
  end do
  call release(from)
end subroutine
