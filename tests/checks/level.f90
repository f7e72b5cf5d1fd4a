! Threads of OpenMP that call MPI and may not. A line with a finding says so.
!
! Runs as one rank.
program level
    use mpi
    use omp_lib
    implicit none
    integer :: ierror, provided, rank, number
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierror)
    number = 1
    !$omp parallel num_threads(2) private(rank, ierror)
    !$omp master
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    !$omp end master
    if (omp_get_thread_num() == 1) then
        call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)                                        ! thread-level
        call MPI_Send(number, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierror)         ! thread-level
    end if
    !$omp end parallel
    call MPI_Send(number, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
