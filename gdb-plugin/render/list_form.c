/* SPDX-License-Identifier: BSD-3-Clause */
#include "list_form.h"

#include "names.h"

void st_list_open(struct st_text *text, const struct st_render_options *options)
{
    st_text_puts(text, options->fortran ? "(" : "{");
}

void st_list_close(struct st_text *text, const struct st_render_options *options)
{
    st_text_puts(text, options->fortran ? ")" : "}");
}

void st_list_short(struct st_text *text, const struct st_render_options *options,
                   const char *content)
{
    st_list_open(text, options);
    st_text_puts(text, content);
    st_list_close(text, options);
}

/* `print array`: begins a line for each item. */
static void begin_line(struct st_text *text, const struct st_render_options *options,
                       uint64_t steps)
{
    if (options->array) {
        st_text_puts(text, "\n");
        st_text_spaces(text, 2 * (size_t)steps);
    }
}

void st_list_separate(struct st_text *text, const struct st_render_options *options, bool first,
                      uint64_t level)
{
    if (!first) {
        st_text_puts(text, options->array ? "," : ", ");
    }
    begin_line(text, options, level + 1);
}

void st_list_index(struct st_text *text, const struct st_render_options *options, int64_t index)
{
    if (!options->fortran) {
        st_put_label(text, NULL, index);
        return;
    }
    st_text_puts(text, "(");
    st_text_decimal(text, (unsigned long long)index + 1, false);
    st_text_puts(text, ") = ");
}

void st_list_repeats(struct st_text *text, int64_t repeats)
{
    st_text_puts(text, " <repeats ");
    st_text_decimal(text, (unsigned long long)repeats, false);
    st_text_puts(text, " times>");
}

void st_list_rest(struct st_text *text, const struct st_render_options *options)
{
    bool first = !text->length || text->data[text->length - 1] == '(';
    st_text_puts(text, options->fortran && !first ? ", ..." : "...");
}

void st_list_end(struct st_text *text, const struct st_render_options *options, bool cut,
                 uint64_t level)
{
    if (cut) {
        st_list_rest(text, options);
    }
    begin_line(text, options, level);
    st_list_close(text, options);
}
