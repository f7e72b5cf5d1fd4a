! A call in which the last rank is wrong, and ones that are right in all ranks.
program sample
    use mpi
    implicit none
    integer :: rank, size, ierror, ten, values(10), kind, count
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    values = rank
    call MPI_Type_contiguous(10, MPI_INTEGER, ten, ierror)
    call MPI_Type_commit(ten, ierror)
    kind = MPI_INTEGER
    count = 10
    if (rank == 1) then
        kind = ten
        count = 1
    end if
    call MPI_Bcast(values, count, kind, 0, MPI_COMM_WORLD, ierror)
    call MPI_Type_free(ten, ierror)
    kind = MPI_INTEGER
    if (rank == size - 1) kind = MPI_REAL
    call MPI_Bcast(values, 10, kind, 0, MPI_COMM_WORLD, ierror) ! wrong: collective-type
    call MPI_Finalize(ierror)
end program sample
