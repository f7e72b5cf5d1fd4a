/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/world_name.h"

#include <stdlib.h>

#include "core/model/registry.h"
#include "runtime/wrap/spawned.h"

/* The launchers' names of a job. The first two are different in each world; a spawned world may
 * share the others with its parent. */
static const char *const names[] = {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID",
                                    "SLURM_JOB_ID"};
enum { OWN_NAMES = 2 };

/* FNV-1a, including the terminator of the text. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++) {
        hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001B3);
    }
    return hash * UINT64_C(0x100000001B3);
}

uint64_t st_world_name(void)
{
    const char *name = NULL;
    struct st_spawned spawned;
    if (st_spawned_read(&spawned)) {
        return spawned.world;
    }
    size_t count = st_is_spawned() ? OWN_NAMES : sizeof names / sizeof *names;
    for (size_t i = 0; i < count && !name; i++) {
        name = secure_getenv(names[i]);
    }
    if (!name && count == OWN_NAMES) {
        return 0;
    }
    uint64_t hash = hash_text(UINT64_C(0xCBF29CE484222325), secure_getenv("MPIPP_REPORTS"));
    hash = hash_text(hash, name) >> ST_GPID_RANK_BITS;
    return hash ? hash : 1;
}
