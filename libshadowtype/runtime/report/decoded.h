/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call's arguments and datatypes for a report: constants and types by their names.
 */
#ifndef ST_RUNTIME_REPORT_DECODED_H
#define ST_RUNTIME_REPORT_DECODED_H

#include "report/writer.h"
#include "runtime/report/finding.h"
#include "runtime/report/frames.h"
#include "runtime/report/spots.h"

enum { ST_MOST_ARGUMENTS = 16, ST_MOST_DECODED = 6144 };

struct st_decoded {
    struct st_argument arguments[ST_MOST_ARGUMENTS];
    size_t argument_count;
    struct st_reported_type types[2];
    size_t type_count;
    struct st_spots spots, other_spots; /* of each type */
    struct st_texts texts;
    char bytes[ST_MOST_DECODED];
};

/* Writes the name that the program has set for a communicator or window. Returns false if it has none. The records
 * of handles are above this folder: it is NULL until they are set up. */
extern bool (*st_decode_handle_name)(struct st_writer *writer, enum st_kind kind, uint64_t handle)
    __attribute__((visibility("hidden")));

/* `facts` may be NULL: there is no call, and there are no arguments. */
void st_decode(struct st_decoded *decoded, const struct st_facts *facts,
               const struct st_found *found, struct st_places *places);

#endif
