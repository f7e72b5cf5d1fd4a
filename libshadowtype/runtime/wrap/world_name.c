#define _GNU_SOURCE
#include "runtime/wrap/world_name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/registry.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/function.h"
#include "runtime/wrap/mpi_side.h"

/* Of the launcher's names of a job the first two are each world's own; the
 * others a spawned world may share with its parent. */
static const char *const names[] = {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID",
                                    "SLURM_JOB_ID"};
enum { OWN_NAMES = 2 };

static bool is_spawned(void)
{
    typedef int ask(MPI_Comm *);
    ask *get_parent = (ask *)st_mpi_function("PMPI_Comm_get_parent");
    MPI_Comm parent;
    uint64_t handle = 0;
    if (!get_parent || get_parent(&parent) != MPI_SUCCESS)
        return true;
    memcpy(&handle, &parent, sizeof parent);
    return handle != st_numbers.null[ST_KIND_COMM];
}

/* FNV-1a, the end of the text included. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001B3);
    return hash * UINT64_C(0x100000001B3);
}

uint64_t st_world_name(void)
{
    const char *name = NULL;
    size_t count = is_spawned() ? OWN_NAMES : sizeof names / sizeof *names;
    for (size_t i = 0; i < count && !name; i++)
        name = secure_getenv(names[i]);
    if (!name && count == OWN_NAMES)
        return 0;
    uint64_t hash = hash_text(UINT64_C(0xCBF29CE484222325), secure_getenv("MPIPP_REPORTS"));
    hash = hash_text(hash, name) >> ST_GPID_RANK_BITS;
    return hash ? hash : 1;
}
