/* SPDX-License-Identifier: BSD-3-Clause */
#include "ext.h"

#include <stdlib.h>

#include "core/layout/layout.h"

struct ext_indexes *ext_indexes_of(ExtRegistry *registry, struct st_types *types)
{
    struct ext_indexes *indexes = registry->indexes;
    if (!indexes || indexes->types != types) {
        struct st_layouts *layouts = malloc(sizeof(*layouts));
        indexes = malloc(sizeof(*indexes));
        if (!indexes || !layouts) {
            free(indexes);
            free(layouts);
            PyErr_NoMemory();
            return NULL;
        }
        *indexes =
            (struct ext_indexes){.references = 1, .types = st_types_ref(types), .layouts = layouts};
        st_indexes_init(&indexes->indexes);
        st_layouts_init(layouts);
        ext_indexes_release(registry->indexes);
        registry->indexes = indexes;
    }
    indexes->references++;
    return indexes;
}

void ext_indexes_release(struct ext_indexes *indexes)
{
    if (indexes && --indexes->references == 0) {
        st_indexes_deinit(&indexes->indexes);
        st_signatures_free(indexes->signatures);
        st_layouts_deinit(indexes->layouts);
        free(indexes->layouts);
        st_types_release(indexes->types);
        free(indexes);
    }
}

enum { MOST_BYTES = 256 << 20 }; /* results are kept up to this size */

struct st_signatures *ext_signatures_of(struct ext_indexes *indexes)
{
    if (indexes->signatures && st_signatures_bytes(indexes->signatures) > MOST_BYTES) {
        st_signatures_free(indexes->signatures);
        indexes->signatures = NULL;
    }
    if (!indexes->signatures) {
        indexes->signatures = st_signatures_new();
        if (!indexes->signatures) {
            PyErr_NoMemory();
            return NULL;
        }
        st_signatures_interrupt(indexes->signatures, ext_interrupted, NULL);
    }
    return indexes->signatures;
}
