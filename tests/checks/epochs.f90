! Epochs of a window, in Fortran: those that are right, and wrong calls that both libraries survive.
program epochs
    use mpi
    implicit none
    integer :: window, ierr, data(4)
    integer(kind=MPI_ADDRESS_KIND) :: bytes, there, memory
    logical :: done
    call MPI_Init(ierr)
    bytes = 16
    there = 0
    data = 1
    call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, memory, window, ierr)
    call MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN, ierr)

    call MPI_Win_fence(MPI_MODE_NOPRECEDE, window, ierr)
    call put()
    call MPI_Win_fence(0, window, ierr)
    call MPI_Win_post(MPI_GROUP_EMPTY, 0, window, ierr)
    call MPI_Win_test(window, done, ierr)
    call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window, ierr)
    call put()
    call MPI_Win_flush(0, window, ierr)
    call MPI_Win_unlock(0, window, ierr)

    call put_in_none()
    call MPI_Win_flush(0, window, ierr) ! rma-epoch-missing
    call MPI_Win_unlock(0, window, ierr) ! rma-epoch-end
    call MPI_Win_fence(0, window, ierr)
    call put()
    call MPI_Win_fence(MPI_MODE_NOPRECEDE, window, ierr) ! rma-assert
    call put()
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, window, ierr)
    call MPI_Win_free(window, ierr)
    call MPI_Finalize(ierr)

contains

    subroutine put()
        call MPI_Put(data, 1, MPI_INTEGER, 0, there, 1, MPI_INTEGER, window, ierr)
    end subroutine put

    subroutine put_in_none()
        call MPI_Put(data, 1, MPI_INTEGER, 0, there, 1, MPI_INTEGER, window, ierr) ! rma-epoch-missing
    end subroutine put_in_none
end program epochs
