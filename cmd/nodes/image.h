/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of the memory of a process on another node, as its agent has read them.
 *
 *     image_touch(&image, page, bytes, offset, length);    // a part of a page has come
 *     image_read(&image, address, buffer, length)
 *
 * A page is 4096 bytes, and is known in units of 64 bytes.
 */
#ifndef MPIPP_NODES_IMAGE_H
#define MPIPP_NODES_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IMAGE_PAGE = 4096, IMAGE_UNIT = 64 };

struct image_page {
    uint64_t address;
    uint64_t known; /* bit n: its n-th unit is there */
    unsigned char bytes[IMAGE_PAGE];
};

struct image {
    struct image_page *pages; /* sorted by address */
    size_t count, room;
};

/* Frees its pages. */
void image_clear(struct image *image);

/* Keeps LENGTH bytes at OFFSET of the page at an address, of which BYTES is the whole. Ignores what there is no memory
 * for. */
void image_touch(struct image *image, uint64_t address, const char *bytes, size_t offset,
                 size_t length);

/* Returns false if a part is not there. */
bool image_read(const struct image *image, uint64_t address, void *buffer, size_t length);

#endif
