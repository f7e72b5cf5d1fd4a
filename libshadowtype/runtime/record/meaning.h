/* SPDX-License-Identifier: BSD-3-Clause */
/* What a handle of a datatype means at this moment. The caller holds the recorder's lock. */
#ifndef ST_RUNTIME_RECORD_MEANING_H
#define ST_RUNTIME_RECORD_MEANING_H

#include <stdbool.h>

#include "core/model/registry.h"

enum st_life { ST_NO_TYPE, ST_LIVE_TYPE, ST_FREED_TYPE };

struct st_meaning {
    enum st_life life;
    const struct st_node *node; /* NULL: ST_NO_TYPE */
};
void st_type_meaning(uint64_t handle, struct st_meaning *state);

/* Returns true if the handle is a live datatype now. For callers that do not hold the lock. */
bool st_type_is_live(uint64_t handle);

#endif
