/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/ranks/places.h"

#include <string.h>

#include "core/agree/place.h"
#include "runtime/ranks/node.h"
#include "runtime/record/lock.h"

/* Sites by their innermost frame. */
enum { LOG2_KNOWN = 10 };
static struct st_known_place {
    uint64_t frame;
    uint32_t place;
} known[1 << LOG2_KNOWN];
static uint32_t used = 8; /* bytes of area->places */

/* --- writing ------------------------------------------------------------------------------- */

struct st_place_writer {
    uint8_t *bytes;
    size_t used, room;
};

static void put_bytes(struct st_place_writer *writer, const void *bytes, size_t count)
{
    if (writer->room - writer->used >= count) {
        memcpy(writer->bytes + writer->used, bytes, count);
    } else {
        count = writer->room - writer->used + 1; /* full: more than the room */
    }
    writer->used += count;
}

static void put_text(struct st_place_writer *writer, const char *text)
{
    if (writer->used <= writer->room) {
        put_bytes(writer, text ? text : "", text ? strlen(text) + 1 : 1);
    }
}

static void put_frame(struct st_place_writer *writer, const struct st_frame *frame)
{
    uint8_t is_return = frame->is_return;
    if (writer->used > writer->room) {
        return;
    }
    put_bytes(writer, &frame->offset, sizeof frame->offset);
    if (writer->used <= writer->room) {
        put_bytes(writer, &frame->symbol_offset, sizeof frame->symbol_offset);
    }
    if (writer->used <= writer->room) {
        put_bytes(writer, &is_return, 1);
    }
    put_text(writer, frame->text);
    put_text(writer, frame->module);
    put_text(writer, frame->build);
    put_text(writer, frame->symbol);
}

/* Returns 0 if there is no room. */
static uint32_t write_place(const uint64_t *frames)
{
    static struct st_places places; /* used under the lock; too large for a small stack */
    places.used = places.text_used = 0;
    struct st_frames list = st_places_of(&places, frames, st_root.site_frames);
    struct st_place_writer writer = {st_ranks_node.area->places + used, 0, ST_AREA_PLACES - used};
    const struct st_rank_place head = {.frames = (uint32_t)list.count};
    const uint32_t place = used;
    if (writer.room < sizeof head + list.count * sizeof *frames) {
        return 0;
    }
    put_bytes(&writer, &head, sizeof head);
    put_bytes(&writer, frames, list.count * sizeof *frames);
    for (size_t i = 0; i < list.count; i++) {
        put_frame(&writer, &list.list[i]);
    }
    if (writer.used > writer.room) {
        return 0;
    }
    used += (uint32_t)((writer.used + 7) / 8 * 8);
    if (used > ST_AREA_PLACES) {
        used = ST_AREA_PLACES;
    }
    return place;
}

static uint64_t name_frames(const uint64_t *frames)
{
    uint64_t name = frames[0];
    for (uint32_t i = 1; i < st_root.site_frames && frames[i]; i++) {
        name = (name ^ name >> 29) * UINT64_C(0xBF58476D1CE4E5B9) ^ frames[i];
    }
    return name;
}

/* Returns the entry of a site, or a free one for it; NULL if the table is full. */
static struct st_known_place *known_place(uint64_t name)
{
    uint32_t at = (uint32_t)(name * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOG2_KNOWN));
    for (uint32_t i = 0; i < 1u << LOG2_KNOWN; i++) {
        struct st_known_place *place = &known[(at + i) & ((1u << LOG2_KNOWN) - 1)];
        if (place->frame == name || !place->frame) {
            return place;
        }
    }
    return NULL;
}

static uint32_t find_or_write(const uint64_t *frames)
{
    uint64_t name = name_frames(frames);
    struct st_known_place *place = known_place(name ? name : 1);
    if (!place) {
        return 0;
    }
    if (!place->frame) {
        *place = (struct st_known_place){name ? name : 1, write_place(frames)};
    }
    return place->place;
}

uint32_t st_place_of_call(const struct st_call *call)
{
    struct st_site site;
    st_site_of_call(call, &site);
    bool locked = st_lock();
    uint32_t place = site.frames[0] ? find_or_write(site.frames) : 0;
    st_unlock(locked);
    return place;
}

/* --- reading ------------------------------------------------------------------------------- */

struct st_frames st_place_read(const struct st_rank_area *area, uint32_t place,
                               struct st_places *places)
{
    struct st_frames result = {.list = places->frames + places->used};
    struct st_place_reader reader = st_place_open(area, place);
    struct st_place_frame frame;
    while (places->used < ST_MOST_PLACES && st_place_next(&reader, &frame)) {
        places->frames[places->used++] = (struct st_frame){.text = frame.text,
                                                           .module = frame.module,
                                                           .offset = frame.offset,
                                                           .build = frame.build,
                                                           .symbol = frame.symbol,
                                                           .symbol_offset = frame.symbol_offset,
                                                           .is_return = frame.is_return};
        result.count++;
    }
    return result;
}
