/* Sets of nested strides, kept as numbers: what covers an array (cover.h). */
#ifndef ST_CORE_COMPARE_STRIDES_H
#define ST_CORE_COMPARE_STRIDES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/compare/nest.h"

/* A list of nests of elements, strides being positive. Zero-initialized: empty. */
struct st_strides {
    int64_t *numbers; /* start, how many levels, count and stride of each; and so on */
    size_t used, capacity;
    int64_t elements; /* each as often as it was added; INT64_MAX: or more */
};

/* False: no memory. */
bool st_strides_add(struct st_strides *set, const struct st_nest *nest);
/* The nest at *at, which moves on to the next; false: there is none. Begin with 0. */
bool st_strides_next(const struct st_strides *set, size_t *at, struct st_nest *nest);
void st_strides_free(struct st_strides *set);

#endif
