/*
 * What a place contains, without looking at its children: how many basic elements, how many bytes
 * of what MPI sends, and between which bytes of memory they lie.
 *
 *     struct st_amount sent = st_place_amount(&place, ST_SENT_BYTES);
 *     if (sent.error) { ... ST_OVERFLOW: more than 64 bits can tell; ST_INSIDE_UNKNOWN ... }
 */
#ifndef ST_CORE_ADDRESS_CONTENT_H
#define ST_CORE_ADDRESS_CONTENT_H

#include "core/model/error.h"
#include "core/model/place.h"

enum st_unit {
    ST_SENT_ELEMENTS, /* basic elements: a pair is one, a marker none */
    ST_SENT_BYTES     /* bytes of what MPI sends */
};

/* error ST_OVERFLOW: the number leaves 64 bits; ST_INSIDE_UNKNOWN: an OPAQUE type is below. value
 * is then 0. */
struct st_amount {
    int64_t value;
    enum st_error error;
};

struct st_amount st_type_amount(const struct st_type *type, enum st_unit unit);
struct st_amount st_place_amount(const struct st_place *place, enum st_unit unit);

/* `times` of an amount. No times what is not known is nothing. */
struct st_amount st_times(int64_t times, struct st_amount amount);
/* Both together; an error of either stays. */
struct st_amount st_plus(struct st_amount a, struct st_amount b);

/* Whether nothing is there for sure. */
static inline bool st_is_nothing(struct st_amount amount)
{
    return !amount.error && amount.value == 0;
}

/* Where data lie: bytes low..high-1 from a place's own address. INT64_MIN, INT64_MAX: no limit is
 * known on this side. */
struct st_bounds {
    int64_t low, high; /* low == high: no data */
    bool exact; /* the tightest; false: the data lie within, as far as they are known. What is
                   OPAQUE counts by its lb and ub */
};

struct st_bounds st_place_bounds(const struct st_place *place);

#endif
