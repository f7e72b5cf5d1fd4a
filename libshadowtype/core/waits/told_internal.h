/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of told.c, for told_list.c, which finds the ranks that are in the same call. */
#ifndef ST_CORE_WAITS_TOLD_INTERNAL_H
#define ST_CORE_WAITS_TOLD_INTERNAL_H

#include "core/waits/members.h"
#include "core/waits/told.h"

/* Who is missing in a collective call. Of many ranks in one call it is found out once. */
struct st_told_missing {
    bool is_known;
    struct st_wait_shared call;
    char *text; /* NULL: no rank is missing */
};

/* A text in new memory, or NULL if memory runs out. */
__attribute__((format(printf, 1, 2))) char *st_told_format(const char *format, ...);

/* The place of a call in new memory, "" if it is not known; NULL if memory runs out. */
char *st_told_place(const struct st_told_job *job, struct st_told_spot spot);

/* All that the call of a thread waits for, in new memory: "waits for a message from rank 1 with tag 7". Operations with
 * the same text are named once. Returns NULL if memory runs out. */
char *st_told_waits(const struct st_told_job *job, uint32_t rank,
                    const struct st_wait_thread *thread);

#endif
