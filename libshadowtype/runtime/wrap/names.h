/*
 * What the constants of this MPI library are called, for a debugger (core/model/registry.h, struct st_name).
 */
#ifndef ST_RUNTIME_WRAP_NAMES_H
#define ST_RUNTIME_WRAP_NAMES_H

#include <stdint.h>

/* Fills root.names, and where the members of an MPI_Status lie. MPI is initialized. */
void st_names_record(void);

/* What a value is called where it may be a constant of this sort; NULL: it is none. */
const char *st_name_of(const char *type, uint64_t value);

#endif
