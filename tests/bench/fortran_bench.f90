! What create + commit + free of a vector type takes from Fortran: the best round, in ns. run.sh runs
! it with and without the recorder in turns, and compares.
program fortran_bench
  use mpi
  implicit none
  integer, parameter :: rounds = 400, types_per_round = 500
  integer :: ierror, handle, round, i
  integer(8) :: start, finish, rate, best
  call MPI_Init(ierror)
  call system_clock(count_rate=rate)
  best = huge(best)
  do round = 1, rounds
    call system_clock(start)
    do i = 1, types_per_round
      call MPI_Type_vector(3, 1, 8, MPI_DOUBLE_PRECISION, handle, ierror)
      call MPI_Type_commit(handle, ierror)
      call MPI_Type_free(handle, ierror)
    end do
    call system_clock(finish)
    best = min(best, finish - start)
  end do
  print '(f10.1)', real(best, 8) * 1d9 / real(rate, 8) / types_per_round
  call MPI_Finalize(ierror)
end program
