/* SPDX-License-Identifier: BSD-3-Clause */
#include "pack.h"

#include <string.h>

#include "render.h"

/* Scattered elements per read: the reader can be interrupted after each read. */
enum { SCATTERED = 4096 };

void st_pack_init(struct st_pack *pack, struct st_indexes *indexes, struct st_memory *memory,
                  const struct st_place *root)
{
    *pack = (struct st_pack){.indexes = indexes, .memory = memory};
    st_route_init(&pack->route, root);
}

void st_pack_deinit(struct st_pack *pack)
{
    st_route_deinit(&pack->route);
}

/* Moves to the next leaf with data, or to its run. */
static enum st_error advance_pack(struct st_pack *pack)
{
    enum st_error error = pack->begun ? st_route_next(&pack->route, pack->indexes)
                                      : st_route_first(&pack->route, pack->indexes);
    pack->begun = true;
    pack->run = false;
    pack->at = 0;
    pack->over = error == ST_OUT_OF_RANGE;
    if (error || pack->route.depth == 0) {
        return error;
    }
    const struct st_step *above = &pack->route.steps[pack->route.depth - 1];
    if (st_place_run(&above->place)) {
        pack->at = above->index;
        pack->run = true;
        st_route_up(&pack->route);
    }
    return ST_OK;
}

static const struct st_basic *basic_of(const struct st_pack *pack)
{
    const struct st_place *place = &pack->route.place;
    return &(pack->run ? st_place_run(place) : place->type)->basic;
}

static int64_t elements(const struct st_pack *pack)
{
    return pack->run ? pack->route.place.count : 1;
}

/* Moves the members of `count` pairs together. Returns their bytes. */
static size_t close_gaps(const struct st_basic *basic, unsigned char *data, int64_t count)
{
    unsigned char *to = data;
    for (int64_t i = 0; i < count; i++, data += basic->size) {
        for (int k = 0; k < 2; k++) {
            const struct st_pair_member *member = &basic->members[k];
            memmove(to, data + member->offset, member->size);
            to += member->size;
        }
    }
    return (size_t)(to - (data - count * basic->size));
}

static enum st_error gather_bytes(struct st_pack *pack, int64_t count, void *data,
                                  struct st_fault *fault)
{
    return st_gather(&pack->route.place, pack->memory, pack->at, pack->at + count, data, fault);
}

/* Reads elements one by one after a read of all has failed: *readable is how many are before the
 * first that cannot be read. If that is the very first, returns the error, and the route is at it. */
static enum st_error salvage(struct st_pack *pack, int64_t count, unsigned char *data,
                             int64_t *readable, struct st_fault *fault)
{
    int64_t first = pack->at;
    enum st_error error = pack->run ? ST_OK : ST_UNREADABLE;
    for (*readable = 0; pack->run && *readable < count; ++*readable, pack->at++) {
        error = gather_bytes(pack, 1, data + *readable * basic_of(pack)->size, fault);
        if (error) {
            break;
        }
    }
    if (error == ST_UNREADABLE && *readable == 0) {
        bool no_memory = pack->run && st_route_down(&pack->route, pack->at) == ST_NO_MEMORY;
        return no_memory ? ST_NO_MEMORY : error;
    }
    pack->at = first;
    return error == ST_UNREADABLE ? ST_OK : error;
}

/* Returns how many of the remaining elements to read next. */
static int64_t portion_of(const struct st_pack *pack, size_t room)
{
    int64_t left = elements(pack) - pack->at, stride;
    int64_t size = basic_of(pack)->size, most = (int64_t)room / size;
    bool scattered = pack->run && !(st_place_stride(&pack->route.place, &stride) && stride == size);
    most = scattered && most > SCATTERED ? SCATTERED : most;
    return left < most ? left : most;
}

enum st_error st_pack_part(struct st_pack *pack, void *portion, size_t room,
                           struct st_pack_part *part, struct st_fault *fault)
{
    *part = (struct st_pack_part){0};
    if (!pack->over && (!pack->begun || pack->at == elements(pack))) {
        enum st_error error = advance_pack(pack);
        if (!error && (pack->route.place.opaque || basic_of(pack)->size <= 0)) {
            error = ST_INSIDE_UNKNOWN; /* otherwise this would never end */
        }
        if (error && !pack->over) {
            return st_fail(fault, (struct st_fault){.error = error});
        }
    }
    if (pack->over) {
        return ST_OK;
    }
    part->basic = basic_of(pack);
    int64_t count = portion_of(pack, room);
    if (count == 0) {
        return ST_OK;
    }
    enum st_error error = gather_bytes(pack, count, portion, fault);
    if (error == ST_UNREADABLE) {
        error = salvage(pack, count, portion, &count, fault);
    }
    if (error) {
        return error;
    }
    part->count = count;
    part->length = part->basic->class_ == ST_CLASS_PAIR ? close_gaps(part->basic, portion, count)
                                                        : (size_t)(count * part->basic->size);
    pack->at += count;
    return ST_OK;
}

enum st_error st_pack_next(struct st_pack *pack, void *portion, size_t room, size_t *length,
                           struct st_fault *fault)
{
    struct st_pack_part part;
    *length = 0;
    do {
        enum st_error error =
            st_pack_part(pack, (unsigned char *)portion + *length, room - *length, &part, fault);
        if (error) {
            return error;
        }
        *length += part.length;
    } while (part.count);
    return ST_OK;
}
