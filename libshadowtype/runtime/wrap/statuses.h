/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The status of a received message. If the program passes MPI_STATUS_IGNORE, a check can let MPI
 * fill a status of ours.
 */
#ifndef ST_RUNTIME_WRAP_STATUSES_H
#define ST_RUNTIME_WRAP_STATUSES_H

#include <stdbool.h>
#include <stdint.h>

struct st_status_facts {
    int32_t source, tag;
    int64_t bytes;
    bool cancelled; /* no message was received */
};

/* Makes `count` statuses for MPI to fill, without an error in any. Returns NULL if there is no memory. */
void *st_statuses_new(int64_t count);
void st_statuses_free(void *statuses);

/* Reads member `index` of the statuses that MPI has filled. Returns false if MPI does not say how
 * many bytes there are. */
bool st_status_read(const void *statuses, int64_t index, struct st_status_facts *facts);

/* The same for a receive that cannot be cancelled. Returns the bytes; -1: MPI does not say. */
int64_t st_status_bytes(const void *status);

/* What MPI has filled, but for MPI_ERROR: equal ones say the same. */
struct st_status_image {
    uint32_t words[12];
};
void st_status_keep(struct st_status_image *image, const void *status);
bool st_status_is(const struct st_status_image *image, const void *status);

/* For wrappers: the program's argument, or the statuses that a check passes instead
 * (st_checked.statuses). */
#define ST_STATUSES(checked, given)                                                                \
    (__builtin_expect((checked).statuses != NULL, 0) ? (MPI_Status *)(checked).statuses : (given))

#endif
