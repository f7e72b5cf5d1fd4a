#include "ext.h"

#include <stdlib.h>

struct ext_indexes *ext_indexes_of(ExtRegistry *registry, struct st_types *types)
{
    struct ext_indexes *indexes = registry->indexes;
    if (!indexes || indexes->types != types) {
        indexes = calloc(1, sizeof(*indexes));
        if (!indexes) {
            PyErr_NoMemory();
            return NULL;
        }
        *indexes = (struct ext_indexes){.references = 1, .types = st_types_ref(types)};
        st_indexes_init(&indexes->indexes);
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
        st_types_release(indexes->types);
        free(indexes);
    }
}
