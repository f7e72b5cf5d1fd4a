/*
 * What the constants of this MPI library are called, for a debugger (core/registry.h, struct st_name).
 */
#ifndef ST_RUNTIME_NAMES_H
#define ST_RUNTIME_NAMES_H

/* Fills root.names, and where the members of an MPI_Status lie. MPI is initialized. */
void st_names_record(void);

#endif
