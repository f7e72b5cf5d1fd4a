/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/launched.h"

#include <stdlib.h>

/* The innermost launcher first: mpiexec may run in a batch script, which has SLURM_PROCID=0. */
static const char *const variables[][2] = {
    {"PMI_RANK", "PMI_SIZE"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMIX_RANK", "PMIX_SIZE"},
    {"SLURM_PROCID", "SLURM_NTASKS"},
};

static int32_t read_number(const char *name)
{
    const char *text = secure_getenv(name);
    char *end;
    long number = text && *text ? strtol(text, &end, 10) : -1;
    return number >= 0 && number <= INT32_MAX && !*end ? (int32_t)number : -1;
}

struct st_launched st_launched(void)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        int32_t rank = read_number(variables[i][0]);
        if (rank >= 0) {
            return (struct st_launched){rank, read_number(variables[i][1])};
        }
    }
    return (struct st_launched){-1, -1};
}
