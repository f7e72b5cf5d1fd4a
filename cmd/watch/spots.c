/* SPDX-License-Identifier: BSD-3-Clause */
#include "spots.h"

#include <stdlib.h>
#include <string.h>

#include "../findings/facts.h"
#include "../findings/skip.h"
#include "../words.h"

/* A frame in the form that records use. Returns NULL if nothing is known of the address. */
static json_t *frame_of(struct looked *rank, uint64_t frame)
{
    static struct memory_place place; /* too large for a small stack */
    struct st_fault fault;
    if (frame & ST_SITE_TEXT) {
        char *text;
        if (rank->registry == NULL ||
            st_registry_frame_text(rank->registry, frame, &text, &fault)) {
            return NULL;
        }
        /* "/path/script.py:12\nfunction" */
        char *line = strchr(text, '\n');
        if (line != NULL) {
            *line++ = '\0';
        }
        json_t *object = json_pack("{s:s}", "text",
                                   line != NULL ? text_of("%s in %s", text_base_name(text), line)
                                                : text_base_name(text));
        free(text);
        return object;
    }
    if (frame == 0 || !memory_place_of(rank->memory, frame - 1, &place)) {
        return NULL;
    }
    return json_pack("{s:s, s:I, s:b}", "module", place.path, "offset",
                     (json_int_t)place.offset + 1, "return", 1);
}

json_t *spots_of_frames(struct looked *rank, const uint64_t *frames, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *frame = frame_of(rank, frames[i]);
        if (frame != NULL) {
            json_array_append_new(list, frame);
        }
    }
    return list;
}

json_t *spots_of_site(struct looked *rank, uint32_t site)
{
    uint64_t pcs[SPOTS_MOST];
    struct st_fault fault;
    size_t count;
    if (rank->states != NULL) {
        const json_t *frames = states_frames(rank->states, site);
        return frames != NULL ? json_deep_copy(frames) : json_array();
    }
    if (rank->registry == NULL || site == ST_NO_SITE ||
        st_registry_site(rank->registry, site, pcs, SPOTS_MOST, &count, &fault)) {
        return json_array();
    }
    return spots_of_frames(rank, pcs, count);
}

json_t *spots_of_call(struct looked *rank, const struct st_thread_call *call)
{
    json_t *list = spots_of_site(rank, call->site);
    json_t *frame =
        json_array_size(list) == 0 && rank->states == NULL ? frame_of(rank, call->pc) : NULL;
    if (frame != NULL) {
        json_array_append_new(list, frame);
    }
    return list;
}

static void resolve_record(const json_t *record, const char *call, struct stack_writer *writer)
{
    struct st_frame frame = {
        .text = facts_text(record, "text"),
        .module = facts_text(record, "module"),
        .offset = (uint64_t)facts_number(record, "offset"),
        .is_return = true,
    };
    lines_resolve(&frame, call, writer);
}

struct place spots_place(const json_t *frames, const char *call)
{
    struct stack_writer writer = {0};
    const json_t *record;
    size_t i;
    json_array_foreach(frames, i, record) resolve_record(record, i == 0 ? call : NULL, &writer);
    skip_frames(&writer);
    struct place place = writer.count != 0 ? writer.places[0] : (struct place){0};
    for (size_t k = 0; k < writer.count && place.file == NULL; k++) {
        place = writer.places[k].file != NULL ? writer.places[k] : place;
    }
    free(writer.frames);
    free(writer.places);
    return place;
}

char *spots_short(json_t *frames, const char *call)
{
    struct stack_writer writer = {0};
    const json_t *record = json_array_get(frames, 0);
    if (record == NULL) {
        return NULL;
    }
    resolve_record(record, call, &writer);
    if (writer.count == 0) {
        return NULL;
    }
    if (writer.places[0].file != NULL) {
        return text_of("%s:%d", text_base_name(writer.places[0].file), writer.places[0].line);
    }
    return writer.frames[0].text != NULL ? text_of("%s", writer.frames[0].text) : NULL;
}
