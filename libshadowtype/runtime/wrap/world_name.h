/*
 * The name of this process's MPI_COMM_WORLD in gpids (core/model/registry.h):
 * 40 bits, the same in all its processes, and another one in each world of the
 * job.
 */
#ifndef ST_RUNTIME_WRAP_WORLD_NAME_H
#define ST_RUNTIME_WRAP_WORLD_NAME_H

#include <stdint.h>

/* Of a spawned world the name that its parents gave it (spawned.h). Else hashed from what `mpipp run` and the launcher
 * call the job. 0: a spawned world that neither has named. MPI is initialized, and the constants are read. */
uint64_t st_world_name(void);

#endif
