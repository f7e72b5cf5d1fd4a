/* SPDX-License-Identifier: BSD-3-Clause */
#include "world.h"

#include <stdlib.h>
#include <string.h>

#include "proc.h"

/* The innermost launcher first: mpiexec may run in a batch script, which has SLURM_PROCID=0. */
static const struct {
    const char *rank;
    const char *size;
    const char *local;
} of_launchers[] = {
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMIX_RANK", "", ""},
    {"SLURM_PROCID", "SLURM_NTASKS", ""},
};

static const char *const job_names[] = {"PMI_JOBID", "SLURM_JOB_ID", "PMIX_NAMESPACE",
                                        "OMPI_MCA_ess_base_jobid"};

static const char *value_of(const char *name, const char *environment, size_t length)
{
    size_t size = strlen(name);
    for (const char *entry = environment; entry < environment + length;
         entry += strlen(entry) + 1) {
        if (strncmp(entry, name, size) == 0 && entry[size] == '=') {
            return entry + size + 1;
        }
    }
    return NULL;
}

static long number_of(const char *name, const char *environment, size_t length)
{
    const char *text = value_of(name, environment, length);
    char *end;
    if (text == NULL || *text == '\0') {
        return -1;
    }
    long number = strtol(text, &end, 10);
    return *end == '\0' ? number : -1;
}

bool world_find(struct world *world, const char *environment, size_t length)
{
    for (size_t i = 0; i < sizeof of_launchers / sizeof of_launchers[0]; i++) {
        world->rank = number_of(of_launchers[i].rank, environment, length);
        if (world->rank < 0) {
            continue;
        }
        world->size = number_of(of_launchers[i].size, environment, length);
        world->local = number_of(of_launchers[i].local, environment, length);
        world->batch = strcmp(of_launchers[i].rank, "SLURM_PROCID") == 0 &&
                       value_of("SLURM_STEP_ID", environment, length) == NULL;
        return true;
    }
    *world = (struct world){-1, -1, -1, false};
    return false;
}

bool world_of_process(struct world *world, pid_t pid)
{
    size_t length = 0;
    char *environment = proc_read(pid, "environ", &length);
    bool found = world_find(world, environment, environment == NULL ? 0 : length);
    free(environment);
    return found;
}

const char *world_job_name(const char *environment, size_t length)
{
    for (size_t i = 0; i < sizeof job_names / sizeof job_names[0]; i++) {
        const char *name = value_of(job_names[i], environment, length);
        if (name != NULL && *name != '\0') {
            return name;
        }
    }
    return NULL;
}

const char *world_name(const char *environment, size_t length)
{
    return value_of("PMIX_NAMESPACE", environment, length);
}
