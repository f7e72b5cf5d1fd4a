/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The description of a pending operation for a report: the arguments of its call, as far as its
 * record has them, and elements of its buffer.
 */
#ifndef ST_RUNTIME_OBJECTS_PENDING_CALL_H
#define ST_RUNTIME_OBJECTS_PENDING_CALL_H

#include "report/report.h"
#include "report/writer.h"
#include "runtime/report/element.h"
#include "runtime/objects/records.h"

enum { ST_PENDING_ARGUMENTS = 7, ST_PENDING_ROOM = 512, ST_PENDING_ELEMENTS = 2 };

struct st_pending_call {
    struct st_argument arguments[ST_PENDING_ARGUMENTS];
    size_t count;
    struct st_texts texts; /* in `bytes` */
    char bytes[ST_PENDING_ROOM];
    struct st_element elements[ST_PENDING_ELEMENTS];
    struct st_element_text element_texts[ST_PENDING_ELEMENTS];
    size_t element_count;
};

/* Fills in the arguments of the record's call, as far as they are known. For this and the next function the
 * caller holds the lock. The structure owns the texts. */
void st_pending_call_describe(struct st_pending_call *call, const struct st_record *record,
                              const struct st_record_buffer *buffer);
/* Adds the first element of a buffer that contains the byte at `where`; `of` says whose buffer it
 * is, or is NULL. */
void st_pending_call_element(struct st_pending_call *call, const struct st_record_buffer *buffer,
                             uint64_t where, const char *of);

#endif
