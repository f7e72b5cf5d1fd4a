/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Spots: the elements of a datatype that a finding is about, by their element addresses
 * (core/address); and the memory of the datatype, for the picture of it.
 *
 * Time and size are limited: an element that takes too long to find is left out.
 */
#ifndef ST_RUNTIME_REPORT_SPOTS_H
#define ST_RUNTIME_REPORT_SPOTS_H

#include "core/address/pieces.h"
#include "core/model/type.h"
#include "report/report.h"
#include "report/writer.h"
#include "runtime/report/finding.h"

enum {
    ST_MOST_SPOTS = 2,
    ST_MOST_SPOT_TEXT = 600,
    ST_MOST_PIECES = 128,
    ST_MOST_NAMES = 16,
    ST_MOST_NAME = 48
};

struct st_spots {
    struct st_element elements[ST_MOST_SPOTS];
    size_t count;
    char texts[ST_MOST_SPOTS][ST_MOST_SPOT_TEXT];
    struct st_piece pieces[ST_MOST_PIECES];
    struct st_typed_piece typed[ST_MOST_PIECES]; /* the pieces of basic types that `pieces` is
                                                    made from */
    size_t name_count;
    char names[ST_MOST_NAMES][ST_MOST_NAME]; /* the names of basic types */
};

/* Finds the elements of `type`, which the report calls `name`. The caller holds the recorder's
 * lock. */
void st_spots_of(struct st_spots *spots, const struct st_spot *spot, const struct st_type *type,
                 const char *name);

/* Describes the entry of a constructor whose datatype does not exist yet. */
void st_spot_of_entry(struct st_spots *spots, const struct st_spot *spot, const char *call);

/* Fills in sizes and bounds of the type, and its first pieces. The caller holds the recorder's
 * lock. */
void st_picture_of(struct st_spots *spots, struct st_reported_type *shown,
                   const struct st_type *type);

#endif
