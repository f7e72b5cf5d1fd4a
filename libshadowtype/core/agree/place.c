/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/place.h"

#include <string.h>

static void take_bytes(struct st_place_reader *reader, void *to, size_t count)
{
    if (reader->left < count) {
        reader->is_bad = true;
        memset(to, 0, count);
        return;
    }
    memcpy(to, reader->bytes, count);
    reader->bytes += count;
    reader->left -= count;
}

/* Returns NULL if the text is empty, or has no end. */
static const char *take_text(struct st_place_reader *reader)
{
    const char *text = (const char *)reader->bytes;
    const char *end = memchr(text, 0, reader->left);
    if (!end) {
        reader->is_bad = true;
        return NULL;
    }
    const size_t length = (size_t)(end - text);
    reader->bytes += length + 1;
    reader->left -= length + 1;
    return length ? text : NULL;
}

struct st_place_reader st_place_open(const struct st_rank_area *area, uint32_t place)
{
    struct st_rank_place head = {0};
    uint64_t address;
    if (!area || !place || place >= ST_AREA_PLACES) {
        return (struct st_place_reader){0};
    }
    struct st_place_reader reader = {area->places + place, ST_AREA_PLACES - place, 0, false};
    take_bytes(&reader, &head, sizeof head);
    for (uint32_t i = 0; i < head.frames && !reader.is_bad; i++) {
        take_bytes(&reader, &address, sizeof address);
    }
    reader.frames = head.frames;
    return reader;
}

bool st_place_next(struct st_place_reader *reader, struct st_place_frame *frame)
{
    uint8_t is_return;
    *frame = (struct st_place_frame){0};
    if (!reader->frames || reader->is_bad) {
        return false;
    }
    reader->frames--;
    take_bytes(reader, &frame->offset, sizeof frame->offset);
    take_bytes(reader, &frame->symbol_offset, sizeof frame->symbol_offset);
    take_bytes(reader, &is_return, 1);
    frame->is_return = is_return;
    frame->text = take_text(reader);
    frame->module = take_text(reader);
    frame->build = take_text(reader);
    frame->symbol = take_text(reader);
    return !reader->is_bad;
}
