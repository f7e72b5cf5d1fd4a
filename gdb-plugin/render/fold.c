/* SPDX-License-Identifier: BSD-3-Clause */
#include "fold.h"

static bool keeps_its_list(const struct st_place *place)
{
    const struct st_type *leaf = st_place_run(place);
    return leaf && (leaf->basic.class_ == ST_CLASS_MARKER || leaf->basic.class_ == ST_CLASS_CHAR ||
                    leaf->basic.size <= 0);
}

size_t st_fold(const struct st_place *place, struct st_place *folded)
{
    size_t stages = 0;
    struct st_place at = *place, child;
    while (!at.leaf && !at.opaque && at.count == 1 && !keeps_its_list(&at) &&
           !st_place_child(&at, 0, &child)) {
        at = child;
        stages++;
    }
    *folded = at;
    return stages;
}
