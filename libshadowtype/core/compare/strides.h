/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of nested strides, stored as numbers: the input of cover.h. */
#ifndef ST_CORE_COMPARE_STRIDES_H
#define ST_CORE_COMPARE_STRIDES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compare/nest.h"

/* A list of nests of elements with positive strides. Zero-initialized: empty. */
struct st_strides {
    int64_t *numbers; /* for each nest: start, number of levels, count and stride of each */
    size_t used, capacity;
    int64_t elements; /* number of elements, repeated ones counted again; INT64_MAX: that many or
                         more */
};

/* Returns false if there is no memory. */
bool st_strides_add(struct st_strides *set, const struct st_nest *nest);
/* Stores the nest at *at, and moves *at to the next one. Returns false if there is none. Start with
 * *at 0. */
bool st_strides_next(const struct st_strides *set, size_t *at, struct st_nest *nest);
void st_strides_free(struct st_strides *set);

#endif
