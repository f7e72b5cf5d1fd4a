! Handles that were freed, and 0, from Fortran; and two that look so and live.
program handles
  use mpi
  implicit none
  integer :: ierr, group, second, copy, info, comm, rank, op, answer, from(4), to(4)
  integer :: file, handler, type, status(MPI_STATUS_SIZE)
  logical :: commutes

  call MPI_Init(ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)

  ! Two handles of one group.
  call MPI_Comm_group(MPI_COMM_SELF, group, ierr)
  call MPI_Comm_group(MPI_COMM_SELF, second, ierr)
  call MPI_Group_free(group, ierr)
  call MPI_Group_size(second, answer, ierr)
  call MPI_Group_free(second, ierr)
  ! A number that comes again.
  call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr)
  copy = comm
  call MPI_Comm_free(comm, ierr)
  call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr)
  if (comm == copy) call MPI_Barrier(copy, ierr)
  call MPI_Comm_free(comm, ierr)
  call MPI_Comm_dup_with_info(MPI_COMM_SELF, MPI_INFO_NULL, comm, ierr)
  call MPI_Comm_free(comm, ierr)
  from = 1
  call MPI_Allreduce(from, to, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_SELF, ierr)

  ! A buffered send, and no buffer is attached.
  call MPI_Bsend(from, 4, MPI_INTEGER, 0, 1, MPI_COMM_SELF, ierr)      ! buffer-attach
  if (ierr == MPI_SUCCESS) call MPI_Recv(to, 4, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr)

  call MPI_Type_contiguous(2, MPI_INTEGER, type, ierr)
  copy = type
  call MPI_Type_free(type, ierr)
  call MPI_Type_size(copy + 0, answer, ierr)                           ! datatype-freed
  call MPI_Comm_dup(MPI_COMM_SELF, comm, ierr)
  copy = comm
  call MPI_Comm_free(comm, ierr)
  call MPI_Comm_size(copy + 0, answer, ierr)                           ! argument-comm
  call MPI_Comm_size(77777, answer, ierr)                              ! handle-unknown
  call MPI_Comm_group(MPI_COMM_SELF, second, ierr)
  call MPI_Group_incl(second, 0, (/0/), group, ierr)
  call MPI_Group_difference(second, group, group, ierr)
  copy = group
  call MPI_Group_free(group, ierr)
  call MPI_Group_free(second, ierr)
  call MPI_Group_size(copy + 0, answer, ierr)                          ! handle-freed
  call MPI_File_open(MPI_COMM_SELF, "handles.data", MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
                     MPI_INFO_NULL, file, ierr)
  copy = file
  call MPI_File_close(file, ierr)
  call MPI_File_write(copy + 0, from, 1, MPI_INTEGER, status, ierr)        ! handle-freed
  call MPI_File_write(MPI_FILE_NULL, from, 1, MPI_INTEGER, status, ierr) ! handle-null
  call MPI_Comm_create_errhandler(on_error, handler, ierr)
  copy = handler
  call MPI_Errhandler_free(handler, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, copy + 0, ierr)          ! handle-freed

  ! MPICH crashes in it.
  call MPI_Info_create(info, ierr)
  copy = info
  call MPI_Info_free(info, ierr)
  call MPI_Comm_dup_with_info(MPI_COMM_SELF, copy, comm, ierr)         ! handle-freed
  if (ierr == MPI_SUCCESS) call MPI_Comm_free(comm, ierr)
  call MPI_Finalize(ierr)
contains
  subroutine on_error(comm, code)
    integer :: comm, code
  end subroutine on_error
end program handles
