! Keyvals and attributes of mpif.h, mpi and mpi_f08: correct calls, and wrong ones, whose lines say so.
subroutine old
  implicit none
  include 'mpif.h'
  integer :: keyval, value, ierr
  logical :: found
  external :: MPI_Keyval_create, MPI_Attr_put, MPI_Attr_get
  call MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, keyval, 0, ierr)
  call MPI_Attr_put(MPI_COMM_SELF, keyval, 4711, ierr)
  call MPI_Attr_get(MPI_COMM_SELF, keyval, value, found, ierr)
  if (.not. found .or. value /= 4711) print *, 'wrong: the attribute is ', value
  call MPI_Attr_delete(MPI_COMM_SELF, keyval, ierr)
  call MPI_Keyval_free(keyval, ierr)
  call MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, value, found, ierr)
  if (.not. found .or. value < 32767) print *, 'wrong: MPI_TAG_UB is ', value
  call MPI_Attr_put(MPI_COMM_SELF, keyval, 4711, ierr)                 ! handle-null
  call MPI_Attr_get(MPI_COMM_SELF, MPI_KEYVAL_INVALID, value, found, ierr) ! handle-null
  call MPI_Attr_put(MPI_COMM_SELF, MPI_TAG_UB, 4711, ierr)             ! handle-unknown
end subroutine old

subroutine module_mpi
  use mpi
  implicit none
  integer :: keyval, copy, other, type, ierr, i
  integer(kind=MPI_ADDRESS_KIND) :: value, got
  logical :: found
  value = 2_MPI_ADDRESS_KIND**40
  do i = 1, 20 ! the numbers come again
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, value, ierr)
    call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, value, ierr)
    copy = keyval
    call MPI_Comm_free_keyval(keyval, ierr)
    call MPI_Comm_get_attr(MPI_COMM_SELF, copy, got, found, ierr)
    if (.not. found .or. got /= value) print *, 'wrong: the attribute is ', got
    call MPI_Comm_delete_attr(MPI_COMM_SELF, copy, ierr)
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, keyval, value, ierr)
    call MPI_Type_dup(MPI_INTEGER, type, ierr)
    call MPI_Type_set_attr(type, keyval, value, ierr)
    call MPI_Type_get_attr(type, keyval, got, found, ierr)
    call MPI_Type_free(type, ierr)
    call MPI_Type_free_keyval(keyval, ierr)
  end do
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, got, found, ierr)
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, value, ierr)
  copy = keyval
  call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, other, value, ierr)
  call MPI_Comm_set_attr(MPI_COMM_SELF, other, value, ierr)            ! handle-unknown
  call MPI_Type_set_attr(MPI_INTEGER, keyval, value, ierr)             ! handle-unknown
  call MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, ierr)      ! handle-unknown
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, MPI_TAG_UB, ierr)          ! handle-unknown
  call MPI_Type_free_keyval(other, ierr)
  call MPI_Comm_free_keyval(keyval, ierr)
  call MPI_Comm_set_attr(MPI_COMM_SELF, copy, value, ierr)             ! handle-freed
end subroutine module_mpi

program keyvals
  use mpi_f08
  implicit none
  integer :: keyval, copy
  integer(kind=MPI_ADDRESS_KIND) :: value, got
  logical :: found
  external :: old, module_mpi
  call MPI_Init()
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call old
  call module_mpi
  value = 2_MPI_ADDRESS_KIND**40
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, value)
  call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, value)
  call MPI_Comm_get_attr(MPI_COMM_SELF, keyval, got, found)
  if (.not. found .or. got /= value) print *, 'wrong: the attribute is ', got
  call MPI_Comm_delete_attr(MPI_COMM_SELF, keyval)
  call MPI_Comm_free_keyval(keyval)
  call MPI_Comm_get_attr(MPI_COMM_SELF, keyval, got, found)            ! handle-null
  call MPI_Comm_set_attr(MPI_COMM_SELF, MPI_TAG_UB, value)             ! handle-unknown
  call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, keyval, value)
  copy = keyval
  call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, value)                 ! handle-unknown
  call MPI_Win_free_keyval(keyval)
  call MPI_Comm_set_attr(MPI_COMM_SELF, copy, value)                   ! handle-freed
  call MPI_Finalize()
end program keyvals
