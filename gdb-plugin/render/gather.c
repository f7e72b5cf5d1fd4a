/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs scattered elements side by side. */
#include "render.h"

#include <string.h>

static enum st_error unreadable(struct st_memory *memory, uint64_t bad, uint64_t length,
                                struct st_fault *fault)
{
    if (memory->interrupted) {
        memory->interrupted = false;
        return st_fail(fault, (struct st_fault){.error = ST_INTERRUPTED});
    }
    return st_fail(fault,
                   (struct st_fault){.error = ST_UNREADABLE, .address = bad, .value = length});
}

enum st_error st_gather(const struct st_place *place, struct st_memory *memory, int64_t start,
                        int64_t stop, void *data, struct st_fault *fault)
{
    const struct st_type *type = place->leaf ? place->type : st_place_run(place);
    size_t size = (size_t)type->basic.size;
    unsigned char *to = data;
    uint64_t bad;
    int64_t stride;
    if (place->leaf) {
        return st_memory_read(memory, place->address, to, size, &bad)
                   ? ST_OK
                   : unreadable(memory, bad, size, fault);
    }
    if (start >= stop) {
        return ST_OK;
    }
    struct st_place first;
    enum st_error error = st_place_child(place, start, &first);
    if (error) {
        return st_fail(fault, (struct st_fault){.error = error});
    }
    bool even = st_place_stride(place, &stride);
    if (even && stride == (int64_t)size) {
        size_t length = (size_t)(stop - start) * size;
        return st_memory_read(memory, first.address, to, length, &bad)
                   ? ST_OK
                   : unreadable(memory, bad, size, fault);
    }
    for (int64_t i = start; i < stop; i++, to += size) {
        uint64_t address = first.address + (uint64_t)(i - start) * (uint64_t)stride;
        if (!even) {
            struct st_place child;
            error = st_place_child(place, i, &child);
            if (error) {
                return st_fail(fault, (struct st_fault){.error = error});
            }
            address = child.address;
        }
        if (!st_memory_read(memory, address, to, size, &bad)) {
            return unreadable(memory, bad, size, fault);
        }
    }
    return ST_OK;
}
