#include "heap/heap.h"

#include "heap/given.h"

extern const struct st_heap shadowtype_heap;

__attribute__((visibility("default"))) const struct st_heap shadowtype_heap = {
    .version = ST_HEAP_VERSION,
    .block_at = st_heap_block_at,
    .mapping_at = st_heap_mapping_at,
    .usable = st_heap_usable,
};
