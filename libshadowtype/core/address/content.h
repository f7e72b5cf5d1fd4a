/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a place contains: how many basic elements, how many bytes of what MPI sends, and between
 * which bytes of memory they are. Its children are not visited.
 *
 *     struct st_amount sent = st_place_amount(&place, ST_SENT_BYTES);
 *     if (sent.error) { ... ST_OVERFLOW: does not fit in 64 bits; ST_INSIDE_UNKNOWN ... }
 */
#ifndef ST_CORE_ADDRESS_CONTENT_H
#define ST_CORE_ADDRESS_CONTENT_H

#include "core/model/error.h"
#include "core/model/place.h"

enum st_unit {
    ST_SENT_ELEMENTS, /* basic elements: a pair counts as one, a marker as none */
    ST_SENT_BYTES     /* bytes of what MPI sends */
};

/* A number; 0 if there is an error. ST_OVERFLOW: it does not fit in 64 bits. ST_INSIDE_UNKNOWN: an
 * OPAQUE type is below. */
struct st_amount {
    int64_t value;
    enum st_error error;
};

struct st_amount st_type_amount(const struct st_type *type, enum st_unit unit);
struct st_amount st_place_amount(const struct st_place *place, enum st_unit unit);

/* Returns `times` the amount. 0 times an unknown amount is 0. */
struct st_amount st_times(int64_t times, struct st_amount amount);
/* Returns the sum. If one of them has an error, the sum has it. */
struct st_amount st_plus(struct st_amount a, struct st_amount b);

/* Returns true if the amount is known to be 0. */
static inline bool st_is_nothing(struct st_amount amount)
{
    return !amount.error && amount.value == 0;
}

/* The bytes of memory that the data is in: low..high-1, counted from the place's own address.
 * INT64_MIN, INT64_MAX: no limit is known on this side. */
struct st_bounds {
    int64_t low, high; /* low == high: no data */
    bool exact; /* true: the tightest bounds; false: the known data is within. OPAQUE types count
                   by their lb and ub */
};

struct st_bounds st_place_bounds(const struct st_place *place);

#endif
