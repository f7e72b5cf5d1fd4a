/* SPDX-License-Identifier: BSD-3-Clause */
/* The class of MPI's error codes, and its name. */
#ifndef ST_RUNTIME_CHECK_ERROR_CLASS_H
#define ST_RUNTIME_CHECK_ERROR_CLASS_H

#include <stdbool.h>

/* Returns MPI_ERR_UNKNOWN if MPI does not say. */
int st_error_class_of(int code);

/* Returns true if a code means that an operation failed; false for pending operations. */
bool st_is_failure(int code);
/* Returns true if a code means that the statuses have the codes. */
bool st_is_in_status(int code);

/* Returns the name of an error class, such as MPI_ERR_COMM; NULL if it is not in the standard. */
const char *st_error_class_name(int error_class);

#endif
