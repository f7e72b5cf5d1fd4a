/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPI library that this libshadowtype was built for. The exported text shadowtype_built_for
 * names it for 'mpipp --version': "Open MPI 4.1.4, libmpi.so.40".
 */
#ifndef ST_RUNTIME_REPORT_BUILT_FOR_H
#define ST_RUNTIME_REPORT_BUILT_FOR_H

#include <stdbool.h>
#include <stddef.h>

/* Compares that library with the one of this rank. `version` is the first line of the rank's
 * MPI_Get_library_version. If both are the same product with different major versions, writes a
 * sentence about it and returns true. `room`: bytes. */
bool st_built_for_other(const char *version, char *sentence, size_t room);

#endif
