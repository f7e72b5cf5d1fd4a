/* SPDX-License-Identifier: BSD-3-Clause */
#include "foreign.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 8, KEPT_BYTES = 64, KEPT_TEXT = 256, KEPT_NAME = 64 };

/* Where fewer equal letters end a text, gdb counts them. */
#define LEAST_LETTERS 64

struct answer {
    char name[KEPT_NAME]; /* of the basic type */
    enum st_class class_;
    int64_t size;
    int64_t count; /* 0: there is no answer */
    bool is_array;
    size_t length;
    unsigned char data[KEPT_BYTES];
    char text[KEPT_TEXT];
};

struct st_foreign {
    struct answer answers[KEPT];
    size_t next; /* the oldest answer */
};

struct st_foreign *st_foreign_new(void)
{
    return calloc(1, sizeof(struct st_foreign));
}

void st_foreign_free(struct st_foreign *foreign)
{
    free(foreign);
}

static bool is_of(const struct answer *answer, const struct st_basic *basic)
{
    return answer->class_ == basic->class_ && answer->size == basic->size &&
           strcmp(answer->name, basic->name) == 0;
}

static const struct answer *find_answer(const struct st_foreign *foreign,
                                        const struct st_basic *basic, const void *data,
                                        int64_t count, bool is_array)
{
    for (size_t i = 0; foreign && i < KEPT; i++) {
        const struct answer *one = &foreign->answers[i];
        if (one->count == count && one->is_array == is_array && is_of(one, basic) &&
            memcmp(one->data, data, (size_t)(count * basic->size)) == 0) {
            return one;
        }
    }
    return NULL;
}

/* Asks gdb, unless it has just answered the same question. */
static bool format_elements(const struct st_foreign_context *context, const struct st_basic *basic,
                            const void *data, int64_t count, bool is_array)
{
    struct st_foreign *foreign = context->foreign;
    size_t before = context->text->length;
    bool is_short =
        count > 0 && count <= KEPT_BYTES / basic->size && strlen(basic->name) < KEPT_NAME;
    const struct answer *known =
        is_short ? find_answer(foreign, basic, data, count, is_array) : NULL;
    if (known) {
        st_text_append(context->text, known->text, known->length);
        return true;
    }
    st_looks_add_question(context->looks, basic, count);
    if (!context->options->format_run(context->options->context, context->text, basic, data, count,
                                      is_array)) {
        return false;
    }
    size_t length = context->text->length - before;
    if (is_short && foreign && length <= KEPT_TEXT && !context->text->failed) {
        struct answer *kept = &foreign->answers[foreign->next++ % KEPT];
        memcpy(kept->name, basic->name, strlen(basic->name) + 1);
        kept->class_ = basic->class_;
        kept->size = basic->size;
        kept->count = count;
        kept->is_array = is_array;
        kept->length = length;
        memcpy(kept->data, data, (size_t)(count * basic->size));
        memcpy(kept->text, context->text->data + before, length);
    }
    return true;
}

bool st_foreign_scalar(const struct st_foreign_context *context, const struct st_basic *basic,
                       const void *data)
{
    return format_elements(context, basic, data, 1, false);
}

/* --- long texts ------------------------------------------------------------------------------- */

static int64_t count_equal_at_end(const unsigned char *data, size_t size, int64_t count)
{
    int64_t equal = 1;
    const unsigned char *last = data + (size_t)(count - 1) * size;
    while (equal < count && memcmp(last - (size_t)equal * size, last, size) == 0) {
        equal++;
    }
    return equal;
}

/* Reads the number of " <repeats 12 times>" at the end of a text; 0: it does not end in this way. *at: where
 * the number begins. */
static int64_t repeats_at_end(const struct st_text *text, size_t from, size_t *at)
{
    static const char before[] = " <repeats ", after[] = " times>";
    size_t tail = sizeof after - 1, head = sizeof before - 1;
    if (text->failed || text->length < from + tail + head ||
        memcmp(text->data + text->length - tail, after, tail) != 0) {
        return 0;
    }
    size_t start = text->length - tail;
    int64_t number = 0, unit = 1;
    while (start > from && unit <= 100000000 && text->data[start - 1] >= '0' &&
           text->data[start - 1] <= '9') {
        number += unit * (text->data[--start] - '0');
        unit *= 10;
    }
    if (start < from + head || memcmp(text->data + start - head, before, head) != 0) {
        return 0;
    }
    *at = start;
    return number;
}

/* Returns true if a text's `repeats` at `at` are those of the nulls at its end. With `print null-stop' gdb writes
 * nothing after the first of them: then they are those of other letters. */
static bool is_of_nulls(const struct st_text *text, size_t from, size_t at)
{
    static const char before[] = "\\000' <repeats ";
    size_t length = sizeof before - 1;
    return at >= from + length && memcmp(text->data + at - length, before, length) == 0;
}

static bool ends_in_null(const struct st_basic *basic, const void *data, int64_t count)
{
    const unsigned char *last = (const unsigned char *)data + (count - 1) * basic->size;
    for (int64_t i = 0; i < basic->size; i++) {
        if (last[i]) {
            return false;
        }
    }
    return true;
}

/* Lets gdb write a text without `removed` of the equal letters at its end, and counts them in. Returns true
 * with *counted false if gdb did not write them as repeats. */
static bool format_shortened(const struct st_foreign_context *context, const struct st_basic *basic,
                             const void *data, int64_t count, int64_t removed, bool *counted)
{
    struct st_text *text = context->text;
    size_t from = text->length, at = 0;
    *counted = false;
    if (!format_elements(context, basic, data, count - removed, true)) {
        return false;
    }
    int64_t repeats = repeats_at_end(text, from, &at);
    if (repeats && ends_in_null(basic, data, count) && !is_of_nulls(text, from, at)) {
        repeats = 0;
    }
    if (repeats) {
        text->length = at;
        repeats += removed;
        st_text_decimal(text, (unsigned long long)repeats, false);
        st_text_puts(text, " times>");
    }
    bool is_cut = text->length >= from + 3 && !text->failed &&
                  memcmp(text->data + text->length - 3, "...", 3) == 0;
    *counted = repeats || is_cut;
    if (!*counted) {
        text->length = from;
    }
    return true;
}

static bool is_text(const struct st_foreign_context *context, const struct st_basic *basic)
{
    return context->options->natural &&
           (basic->class_ == ST_CLASS_CHAR || basic->class_ == ST_CLASS_WCHAR);
}

bool st_foreign_list(const struct st_foreign_context *context, const struct st_basic *basic,
                     const void *data, int64_t *count)
{
    uint64_t repeats = context->options->repeats;
    int64_t most = st_looks_most_elements(context->looks, context->options, basic);
    if (is_text(context, basic) && *count >= LEAST_LETTERS && repeats < LEAST_LETTERS) {
        int64_t removed = count_equal_at_end(data, (size_t)basic->size, *count);
        removed -= (int64_t)repeats + 2; /* gdb leaves a null at the end out */
        int64_t rest = *count - removed;
        bool counted;
        if (removed >= LEAST_LETTERS && rest <= most) {
            bool ok = format_shortened(context, basic, data, *count, removed, &counted);
            if (!ok || counted) {
                return ok;
            }
        }
    }
    *count = *count < most ? *count : most;
    return format_elements(context, basic, data, *count, true);
}
