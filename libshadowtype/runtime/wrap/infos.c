/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/wrap/infos.h"

#include <string.h>

#include "runtime/wrap/constants.h"
#include "runtime/wrap/mpi_side.h"

static MPI_Info info_of_handle(uint64_t handle)
{
#ifdef OPEN_MPI
    return (MPI_Info)(uintptr_t)handle;
#else
    return (MPI_Info)(uint32_t)handle;
#endif
}

enum st_info_says st_info_says(uint64_t info, const char *key)
{
    typedef int get(MPI_Info, const char *, int, char *, int *);
    static _Atomic(void *) info_get;
    get *ask = (get *)st_mpi_function_once(&info_get, "PMPI_Info_get");
    char value[8] = "";
    int is_there = 0;
    if (!info || info == st_numbers.null[ST_KIND_INFO] || !ask ||
        ask(info_of_handle(info), key, (int)sizeof value - 1, value, &is_there) != MPI_SUCCESS ||
        !is_there) {
        return ST_INFO_SAYS_NOTHING;
    }
    return strcmp(value, "true") == 0    ? ST_INFO_SAYS_TRUE
           : strcmp(value, "false") == 0 ? ST_INFO_SAYS_FALSE
                                         : ST_INFO_SAYS_NOTHING;
}
