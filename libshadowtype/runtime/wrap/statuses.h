/*
 * What MPI says of a message that was received. Where the program wants no status (MPI_STATUS_IGNORE), a check can
 * have MPI fill one of ours.
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

/* Statuses to be filled, `count` of them. NULL: no memory. */
void *st_statuses_new(int64_t count);
void st_statuses_free(void *statuses);

/* Member `index` of what MPI has filled. False: MPI does not say how many bytes there are. */
bool st_status_read(const void *statuses, int64_t index, struct st_status_facts *facts);

/* In a wrapper: the program's argument, or what a check wants in its place (st_checked.statuses). */
#define ST_STATUSES(checked, given)                                                                \
    (__builtin_expect((checked).statuses != NULL, 0) ? (MPI_Status *)(checked).statuses : (given))

#endif
