/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an info object says, by MPI's own MPI_Info_get.
 */
#ifndef ST_RUNTIME_WRAP_INFOS_H
#define ST_RUNTIME_WRAP_INFOS_H

#include <stdint.h>

enum st_info_says {
    ST_INFO_SAYS_NOTHING, /* the key is not there, or has another value */
    ST_INFO_SAYS_FALSE,
    ST_INFO_SAYS_TRUE
};

/* INFO is a handle that is in use, or MPI_INFO_NULL. */
enum st_info_says st_info_says(uint64_t info, const char *key);

#endif
