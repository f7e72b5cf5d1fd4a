/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The name that the program has given to a communicator (MPI_Comm_set_name) or window (MPI_Win_set_name).
 */
#ifndef ST_RUNTIME_OBJECTS_HANDLE_NAME_H
#define ST_RUNTIME_OBJECTS_HANDLE_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/registry.h"
#include "report/writer.h"

/* Writes the name of what the handle stands for now. Returns false if it has none. Takes the recorder's lock. */
bool st_put_handle_name(struct st_writer *writer, enum st_kind kind, uint64_t handle);
/* The same of what the handle stood for when the record `serial` was made. */
bool st_put_handle_name_then(struct st_writer *writer, enum st_kind kind, uint64_t handle,
                             uint64_t serial);

#endif
