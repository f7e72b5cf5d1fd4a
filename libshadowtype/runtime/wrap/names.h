/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of the constants of this MPI library, for a debugger (core/model/registry.h, struct
 * st_name).
 */
#ifndef ST_RUNTIME_WRAP_NAMES_H
#define ST_RUNTIME_WRAP_NAMES_H

#include <stdint.h>

/* Fills root.names, and the offsets of the members of MPI_Status. MPI must be initialized. */
void st_names_record(void);

/* Returns the name of a value that may be a constant of this type; NULL if it is not one. */
const char *st_name_of(const char *type, uint64_t value);

#endif
