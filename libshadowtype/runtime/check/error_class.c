/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/error_class.h"

#include <stddef.h>

#include "runtime/wrap/mpi_side.h"

static const struct {
    int error_class;
    const char *name;
} names[] = {
#define ROW(name) {name, #name}
    ROW(MPI_ERR_BUFFER),
    ROW(MPI_ERR_COUNT),
    ROW(MPI_ERR_TYPE),
    ROW(MPI_ERR_TAG),
    ROW(MPI_ERR_COMM),
    ROW(MPI_ERR_RANK),
    ROW(MPI_ERR_REQUEST),
    ROW(MPI_ERR_ROOT),
    ROW(MPI_ERR_GROUP),
    ROW(MPI_ERR_OP),
    ROW(MPI_ERR_TOPOLOGY),
    ROW(MPI_ERR_DIMS),
    ROW(MPI_ERR_ARG),
    ROW(MPI_ERR_UNKNOWN),
    ROW(MPI_ERR_TRUNCATE),
    ROW(MPI_ERR_OTHER),
    ROW(MPI_ERR_INTERN),
    ROW(MPI_ERR_IN_STATUS),
    ROW(MPI_ERR_PENDING),
    ROW(MPI_ERR_ACCESS),
    ROW(MPI_ERR_AMODE),
    ROW(MPI_ERR_ASSERT),
    ROW(MPI_ERR_BAD_FILE),
    ROW(MPI_ERR_BASE),
    ROW(MPI_ERR_CONVERSION),
    ROW(MPI_ERR_DISP),
    ROW(MPI_ERR_DUP_DATAREP),
    ROW(MPI_ERR_FILE_EXISTS),
    ROW(MPI_ERR_FILE_IN_USE),
    ROW(MPI_ERR_FILE),
    ROW(MPI_ERR_INFO_KEY),
    ROW(MPI_ERR_INFO_NOKEY),
    ROW(MPI_ERR_INFO_VALUE),
    ROW(MPI_ERR_INFO),
    ROW(MPI_ERR_IO),
    ROW(MPI_ERR_KEYVAL),
    ROW(MPI_ERR_LOCKTYPE),
    ROW(MPI_ERR_NAME),
    ROW(MPI_ERR_NO_MEM),
    ROW(MPI_ERR_NOT_SAME),
    ROW(MPI_ERR_NO_SPACE),
    ROW(MPI_ERR_NO_SUCH_FILE),
    ROW(MPI_ERR_PORT),
    ROW(MPI_ERR_QUOTA),
    ROW(MPI_ERR_READ_ONLY),
    ROW(MPI_ERR_RMA_ATTACH),
    ROW(MPI_ERR_RMA_CONFLICT),
    ROW(MPI_ERR_RMA_RANGE),
    ROW(MPI_ERR_RMA_SHARED),
    ROW(MPI_ERR_RMA_SYNC),
    ROW(MPI_ERR_RMA_FLAVOR),
    ROW(MPI_ERR_SERVICE),
    ROW(MPI_ERR_SIZE),
    ROW(MPI_ERR_SPAWN),
    ROW(MPI_ERR_UNSUPPORTED_DATAREP),
    ROW(MPI_ERR_UNSUPPORTED_OPERATION),
    ROW(MPI_ERR_WIN),
#ifdef MPI_ERR_PROC_ABORTED
    ROW(MPI_ERR_PROC_ABORTED),
#endif
#ifdef MPI_ERR_VALUE_TOO_LARGE
    ROW(MPI_ERR_VALUE_TOO_LARGE),
#endif
#ifdef MPI_ERR_SESSION
    ROW(MPI_ERR_SESSION),
#endif
#ifdef MPI_ERR_ERRHANDLER
    ROW(MPI_ERR_ERRHANDLER),
#endif
#ifdef MPI_ERR_ABI
    ROW(MPI_ERR_ABI),
#endif
#ifdef MPIX_ERR_PROC_FAILED
    ROW(MPIX_ERR_PROC_FAILED),
#endif
#ifdef MPIX_ERR_REVOKED
    ROW(MPIX_ERR_REVOKED),
#endif
#undef ROW
};

const char *st_error_class_name(int error_class)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].error_class == error_class) {
            return names[i].name;
        }
    }
    return NULL;
}

int st_error_class_of(int code)
{
    typedef int ask(int, int *);
    ask *get = (ask *)st_mpi_function("PMPI_Error_class");
    int error_class = MPI_ERR_UNKNOWN;
    return get && get(code, &error_class) == MPI_SUCCESS ? error_class : MPI_ERR_UNKNOWN;
}

bool st_is_failure(int code)
{
    return code != MPI_SUCCESS && st_error_class_of(code) != MPI_ERR_PENDING;
}

bool st_is_in_status(int code)
{
    return st_error_class_of(code) == MPI_ERR_IN_STATUS;
}
