/* SPDX-License-Identifier: BSD-3-Clause */
#include "image.h"

#include <stdlib.h>
#include <string.h>

void image_clear(struct image *image)
{
    free(image->pages);
    *image = (struct image){0};
}

/* The position of a page, or where it belongs. */
static size_t find_page(const struct image *image, uint64_t address)
{
    size_t from = 0, to = image->count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (image->pages[middle].address < address) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/* Returns NULL where memory ends. */
static struct image_page *page_at(struct image *image, uint64_t address)
{
    const size_t at = find_page(image, address);
    if (at < image->count && image->pages[at].address == address) {
        return &image->pages[at];
    }
    if (image->count == image->room) {
        const size_t room = 2 * image->room + 16;
        struct image_page *longer = realloc(image->pages, room * sizeof *longer);
        if (longer == NULL) {
            return NULL;
        }
        image->pages = longer;
        image->room = room;
    }
    struct image_page *page = &image->pages[at];
    memmove(page + 1, page, (image->count - at) * sizeof *page);
    image->count++;
    page->address = address;
    page->known = 0;
    return page;
}

/* The units that a part of a page has. */
static uint64_t units_of(size_t offset, size_t length)
{
    const unsigned first = (unsigned)(offset / IMAGE_UNIT),
                   last = (unsigned)((offset + length - 1) / IMAGE_UNIT);
    return (UINT64_MAX >> (63 - (last - first))) << first;
}

void image_touch(struct image *image, uint64_t address, const char *bytes, size_t offset,
                 size_t length)
{
    struct image_page *page = length != 0 ? page_at(image, address) : NULL;
    if (page == NULL) {
        return;
    }
    const size_t from = offset / IMAGE_UNIT * IMAGE_UNIT,
                 to = (offset + length + IMAGE_UNIT - 1) / IMAGE_UNIT * IMAGE_UNIT;
    memcpy(page->bytes + from, bytes + from, to - from);
    page->known |= units_of(offset, length);
}

bool image_read(const struct image *image, uint64_t address, void *buffer, size_t length)
{
    unsigned char *to = buffer;
    while (length > 0) {
        const size_t offset = (size_t)(address % IMAGE_PAGE);
        const size_t part = length < IMAGE_PAGE - offset ? length : IMAGE_PAGE - offset;
        const size_t at = find_page(image, address - offset);
        const uint64_t units = units_of(offset, part);
        if (at == image->count || image->pages[at].address != address - offset ||
            (image->pages[at].known & units) != units) {
            return false;
        }
        memcpy(to, image->pages[at].bytes + offset, part);
        to += part;
        address += part;
        length -= part;
    }
    return true;
}
