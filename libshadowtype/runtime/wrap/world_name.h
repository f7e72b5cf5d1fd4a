/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The name of this process's MPI_COMM_WORLD in gpids (core/model/registry.h): 40 bits, the same in
 * all its processes, and different in each world of the job.
 */
#ifndef ST_RUNTIME_WRAP_WORLD_NAME_H
#define ST_RUNTIME_WRAP_WORLD_NAME_H

#include <stdint.h>

/* Returns the name that its parents gave a spawned world (spawned.h); for other worlds a hash of
 * the names that `mpipp run` and the launcher give the job. 0 for a spawned world without a name.
 * MPI must be initialized, and the constants read. */
uint64_t st_world_name(void);

#endif
