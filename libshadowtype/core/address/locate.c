/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/address/locate_internal.h"

#include <stdlib.h>

enum { STEPS_A_POLL = 1024 };

void st_locate_init(struct st_locate *locate, struct st_indexes *indexes,
                    const struct st_place *root, int64_t byte)
{
    *locate = (struct st_locate){.indexes = indexes, .byte = byte, .steps = ST_LOCATE_STEPS};
    st_route_init(&locate->route, root);
}

void st_locate_deinit(struct st_locate *locate)
{
    st_route_deinit(&locate->route);
    free(locate->frames);
    free(locate->levels);
    free(locate->path);
    *locate = (struct st_locate){0};
}

void st_locate_restart(struct st_locate *locate, const struct st_place *root, int64_t byte)
{
    st_route_restart(&locate->route, root);
    locate->byte = byte;
    locate->steps = ST_LOCATE_STEPS;
    locate->started = false;
    locate->frame_count = locate->level_count = 0;
}

static enum st_error open_list(struct st_locate *locate, struct st_locate_frame *frame)
{
    st_wide byte = locate->byte - st_wide_displacement(&locate->route);
    frame->spans = st_index_spans(locate->indexes, locate->route.place.type);
    if (!frame->spans) {
        return ST_NO_MEMORY;
    }
    frame->byte = st_clamped(byte, INT64_MIN, INT64_MAX); /* spans without a limit are wider */
    frame->until = st_spans_begun(frame->spans, frame->byte);
    frame->next = st_spans_next(frame->spans, 0, frame->until, frame->byte);
    return ST_OK;
}

/* Goes down to the current block, and finds the next one. */
static enum st_error take_block(struct st_locate *locate, struct st_locate_frame *frame)
{
    int64_t block = frame->spans->spans[frame->next].block;
    frame->next = st_spans_next(frame->spans, frame->next + 1, frame->until, frame->byte);
    return st_route_down(&locate->route, block);
}

/* Opens a frame for the node of the route. */
static enum st_error open_frame(struct st_locate *locate)
{
    struct st_locate_frame *frame =
        st_grown(locate->frames, locate->frame_count, &locate->frame_capacity, sizeof(*frame));
    if (!frame) {
        return ST_NO_MEMORY;
    }
    locate->frames = frame;
    frame += locate->frame_count++;
    *frame = (struct st_locate_frame){.depth = locate->route.depth};
    return st_is_list(&locate->route.place) ? open_list(locate, frame)
                                            : st_locate_open_nest(locate, frame);
}

static void close_frame(struct st_locate *locate)
{
    const struct st_locate_frame *frame = &locate->frames[--locate->frame_count];
    locate->level_count -= frame->level_count;
}

/* Takes one step of the innermost frame. Returns ST_OK if the route has moved down to a node;
 * ST_OUT_OF_RANGE if it has not; ST_NO_MEMORY. */
static enum st_error turn_location(struct st_locate *locate)
{
    struct st_locate_frame *frame = &locate->frames[locate->frame_count - 1];
    enum st_error error = ST_OUT_OF_RANGE;
    while (locate->route.depth > frame->depth) {
        st_route_up(&locate->route);
    }
    if (frame->spans) {
        frame->done = frame->next >= frame->until;
        error = frame->done ? error : take_block(locate, frame);
    } else if (!frame->done && st_locate_turn_nest(locate, frame)) {
        error = st_locate_take_path(locate, frame);
    }
    /* A child that does not exist: in the last round of a cyclic distribution, or beyond 64 bits. */
    return error == ST_OVERFLOW ? ST_OUT_OF_RANGE : error;
}

/* Returns true if the leaf contains the byte: a pair may have a gap there. */
static bool holds(struct st_locate *locate)
{
    struct st_route *route = &locate->route;
    st_wide at = locate->byte - st_wide_displacement(route);
    const struct st_basic *basic = &route->place.type->basic;
    if (at < 0 || at >= basic->size) {
        return false;
    }
    locate->within = (int64_t)at;
    if (basic->class_ == ST_CLASS_PAIR) {
        int member = at >= basic->members[1].offset;
        locate->within -= basic->members[member].offset;
        route->member = member;
        return locate->within < basic->members[member].size;
    }
    return true;
}

static enum st_located fail_location(struct st_locate *locate, enum st_error error)
{
    locate->error = error;
    return ST_LOCATE_FAILED;
}

enum st_located st_locate_next(struct st_locate *locate)
{
    if (!locate->started) {
        locate->started = true;
        if (open_frame(locate)) {
            return fail_location(locate, ST_NO_MEMORY);
        }
    }
    while (locate->frame_count) {
        if (locate->steps == 0) {
            return ST_LOCATE_UNDECIDED;
        }
        locate->steps--;
        if (locate->steps % STEPS_A_POLL == 0 && locate->interrupted &&
            locate->interrupted(locate->context)) {
            return fail_location(locate, ST_INTERRUPTED);
        }
        enum st_error error = turn_location(locate);
        if (error == ST_OUT_OF_RANGE) {
            if (locate->frames[locate->frame_count - 1].done) {
                close_frame(locate);
            }
            continue;
        }
        if (!error && locate->route.place.leaf) {
            if (holds(locate)) {
                return ST_LOCATED;
            }
        } else if (!error && locate->route.place.opaque) {
            return ST_LOCATED_UNKNOWN;
        } else if (error || open_frame(locate)) {
            return fail_location(locate, ST_NO_MEMORY);
        }
    }
    return ST_LOCATE_END;
}
