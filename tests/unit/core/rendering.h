/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of a buffer (gdb-plugin/render) with gdb's default settings, for a test.
 *
 *     struct rendering *r = rendering_new();
 *     uint32_t number = image_named(&r->f.image, "MPI_INT", 4);
 *     rendering_open(r, buffer, sizeof buffer);
 *     assert_string_equal(show(r, number), "7");
 *     rendering_free(r);
 */
#ifndef TESTS_RENDERING_H
#define TESTS_RENDERING_H

#include "fixture.h"
#include "render.h"

/* Stands for gdb where the renderer leaves the text to gdb: "{NAME:COUNT:SUM}" for an array, "<NAME:SUM>" for a
 * scalar; SUM is that of its bytes. */
struct gdb_stub {
    bool fails;
    bool counts;                 /* an answer is "@3@": the number of its elements */
    uint64_t questions, stop_at; /* of interrupted(); 0: never */
    int64_t asked;               /* elements given to format_run */
};

/* A fixture, a buffer in the image, and gdb's default settings. */
struct rendering {
    struct fixture f;
    struct st_memory memory;
    struct gdb_stub stub;
    struct st_render_options options;
    struct st_render_failure failure;
    struct st_text text;
    uint64_t at;       /* of the buffer */
    char string[4096]; /* the last text, terminated */
    enum st_error error;
};

struct rendering *rendering_new(void);
/* Adds the buffer to the image, and opens it. All types have to be there already. */
void rendering_open(struct rendering *s, const void *buffer, size_t bytes);
void rendering_free(struct rendering *s);

/* Return the text of a place; of one element of a type; of `count` elements. It is valid until the next call. */
const char *show_place(struct rendering *s, const struct st_place *place);
const char *show(struct rendering *s, uint32_t ordinal);
const char *show_many(struct rendering *s, uint32_t ordinal, int64_t count);

#endif
