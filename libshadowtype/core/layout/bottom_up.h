/*
 * A type and all below it, bases first, each once: without recursion, for types are nested as deep
 * as a program likes.
 *
 *     struct st_bottom_up walk = {.done = has_layout, .visit = make_layout, .context = &cache};
 *     enum st_error error = st_bottom_up(&walk, type);
 */
#ifndef ST_CORE_LAYOUT_BOTTOM_UP_H
#define ST_CORE_LAYOUT_BOTTOM_UP_H

#include "core/model/error.h"
#include "core/model/type.h"

struct st_bottom_up {
    /* Whether a type was visited before: it is left out, and all below it. */
    bool (*done)(const void *context, const struct st_type *type);
    /* Not ST_OK: the walk ends with that. After ST_OK the type must be done. */
    enum st_error (*visit)(void *context, const struct st_type *type);
    void *context;
};

/* What a visit returned, or ST_NO_MEMORY. */
enum st_error st_bottom_up(const struct st_bottom_up *walk, const struct st_type *type);

#endif
