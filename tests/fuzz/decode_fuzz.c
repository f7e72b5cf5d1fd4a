/*
 * Hostile registries for the decoder, the algebra and the renderer: an input is a list of changes
 * (change.h).
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "change.h"
#include "zoo.h"

enum { MOST_CHANGES = 16, STEPS = 150 };

/* A damaged count may ask for more memory than a sanitizer allows: the core copes with none. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=512:quarantine_size_mb=8";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t count = size / CHANGE;
    struct image image = changed_zoo(data, count < MOST_CHANGES ? count : MOST_CHANGES);
    if (image.data) {
        zoo_read(&image, STEPS);
    }
    free(image.data);
    return 0;
}
