/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Visits a type and all types below it, each once, bases first. There is no recursion, because a
 * program may nest types to any depth.
 *
 *     struct st_bottom_up walk = {.done = has_layout, .visit = make_layout, .context = &cache};
 *     enum st_error error = st_bottom_up(&walk, type);
 */
#ifndef ST_CORE_LAYOUT_BOTTOM_UP_H
#define ST_CORE_LAYOUT_BOTTOM_UP_H

#include "core/model/error.h"
#include "core/model/type.h"

struct st_bottom_up {
    /* Returns true if a type was visited before. The walk then skips it, and all below it. */
    bool (*done)(const void *context, const struct st_type *type);
    /* Visits a type. The walk ends if it does not return ST_OK; if it does, the type must be done. */
    enum st_error (*visit)(void *context, const struct st_type *type);
    void *context;
};

/* Returns the error of a visit, or ST_NO_MEMORY. */
enum st_error st_bottom_up(const struct st_bottom_up *walk, const struct st_type *type);

#endif
