/* SPDX-License-Identifier: BSD-3-Clause */
#include "rendering.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static bool format_run(void *context, struct st_text *text, const struct st_basic *basic,
                       const void *data, int64_t count, bool is_array)
{
    struct gdb_stub *stub = context;
    char word[80];
    uint64_t sum = 0;
    for (size_t i = 0; i < (size_t)(count * basic->size); i++) {
        sum += ((const unsigned char *)data)[i];
    }
    stub->asked += count;
    if (stub->fails) {
        return false;
    }
    if (stub->counts) {
        snprintf(word, sizeof word, "@%lld@", (long long)count);
        st_text_puts(text, word);
        return true;
    }
    if (basic->class_ == ST_CLASS_CHAR) {
        st_text_puts(text, "\"");
        st_text_append(text, data, (size_t)count);
        st_text_puts(text, "\"");
        return true;
    }
    if (is_array) {
        snprintf(word, sizeof word, "{%s:%lld:%llu}", basic->name, (long long)count,
                 (unsigned long long)sum);
    } else {
        snprintf(word, sizeof word, "<%s:%llu>", basic->name, (unsigned long long)sum);
    }
    st_text_puts(text, word);
    return true;
}

static bool interrupted(void *context)
{
    struct gdb_stub *stub = context;
    return ++stub->questions == stub->stop_at;
}

struct rendering *rendering_new(void)
{
    struct rendering *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    fixture_init(&s->f);
    s->options = (struct st_render_options){.stages = true,
                                            .elements = 200,
                                            .repeats = 10,
                                            .max_depth = 20,
                                            .natural = true,
                                            .format_run = format_run,
                                            .interrupted = interrupted,
                                            .context = &s->stub};
    return s;
}

void rendering_open(struct rendering *s, const void *buffer, size_t bytes)
{
    s->at = image_add(&s->f.image, buffer, bytes);
    fixture_open(&s->f);
    st_memory_init(&s->memory, image_read, &s->f.image);
}

void rendering_free(struct rendering *s)
{
    st_text_deinit(&s->text);
    st_memory_deinit(&s->memory);
    fixture_deinit(&s->f);
    free(s);
}

const char *show_place(struct rendering *s, const struct st_place *place)
{
    st_text_deinit(&s->text);
    s->error = st_render(&s->text, place, &s->memory, &s->options, &s->failure);
    size_t length = s->text.length < sizeof s->string ? s->text.length : sizeof s->string - 1;
    if (length) {
        memcpy(s->string, s->text.data, length);
    }
    s->string[length] = '\0';
    return s->string;
}

const char *show(struct rendering *s, uint32_t ordinal)
{
    struct st_place place = st_place_of(fixture_type(&s->f, ordinal), s->at);
    return show_place(s, &place);
}

const char *show_many(struct rendering *s, uint32_t ordinal, int64_t count)
{
    struct st_place place = st_place_repeat(fixture_type(&s->f, ordinal), s->at, count);
    return show_place(s, &place);
}
