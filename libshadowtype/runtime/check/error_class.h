/* What MPI's error codes say: their class, its name. */
#ifndef ST_RUNTIME_CHECK_ERROR_CLASS_H
#define ST_RUNTIME_CHECK_ERROR_CLASS_H

#include <stdbool.h>

/* Returns MPI_ERR_UNKNOWN if MPI does not say. */
int st_error_class_of(int code);

/* Whether a code says that an operation failed: not so of those that are pending still. */
bool st_is_failure(int code);
/* Whether a code says that the statuses have the codes. */
bool st_is_in_status(int code);

/* The name of an error class, as MPI_ERR_COMM; NULL: it is none of the standard's. */
const char *st_error_class_name(int error_class);

#endif
