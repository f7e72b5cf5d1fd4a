/* SPDX-License-Identifier: BSD-3-Clause */
#include "render.h"

#include <stdlib.h>
#include <string.h>

#include "fold.h"
#include "foreign.h"
#include "list_form.h"
#include "looks.h"
#include "names.h"
#include "number.h"

/* The bytes of a run that one read takes. The first read takes what a screen shows. */
#define PIECE ((size_t)65536)
#define FIRST_PIECE ((size_t)4096)
/* So many equal lists are counted; the text then says "...". */
#define MOST_REPEATS_OF_A_LIST INT64_C(4096)
/* `interrupted` is called after so many places and numbers. */
#define STEPS_PER_QUESTION 1024u
/* The depth for `print max-depth unlimited`: 1,000 constructors of two stages each, and their
 * count. */
#define MOST_DEPTH 2100u

struct rendering {
    struct st_text *text;
    struct st_memory *memory;
    const struct st_render_options *options;
    struct st_render_failure *failure;
    size_t depth;          /* number of stages above, for the indices of a failure */
    struct st_looks *work; /* shared by the whole rendering */
    struct st_foreign *foreign;
};

static struct st_foreign_context foreign_context(const struct rendering *r)
{
    return (struct st_foreign_context){
        .text = r->text, .options = r->options, .looks = r->work, .foreign = r->foreign};
}

static enum st_error fail_rendering(struct rendering *r, struct st_fault fault)
{
    r->failure->fault = fault;
    return fault.error;
}

static bool interrupted(const struct rendering *r)
{
    return ++r->work->steps % STEPS_PER_QUESTION == 0 && r->options->interrupted &&
           r->options->interrupted(r->options->context);
}

static void enter_level(struct rendering *r, int64_t index)
{
    if (r->depth < ST_MOST_INDICES) {
        r->failure->indices[r->depth] = index;
        r->failure->index_count = r->depth + 1;
    }
    r->depth++;
}

static void leave_level(struct rendering *r)
{
    r->depth--;
    r->failure->index_count = r->depth < ST_MOST_INDICES ? r->depth : ST_MOST_INDICES;
}

/* --- runs: lists of basic elements ------------------------------------------------------------ */

/* Reads the elements of a run in pieces, so that a long run needs the memory of one piece. */
struct window {
    const struct st_place *place;
    unsigned char *data;
    size_t size;
    int64_t start, stop; /* elements in `data` */
};

static enum st_error slide_window(struct rendering *r, struct window *w, int64_t index)
{
    int64_t most = (int64_t)((index == 0 ? FIRST_PIECE : PIECE) / w->size);
    int64_t stop = w->place->count - index < most ? w->place->count : index + most;
    struct st_fault fault = {0};
    enum st_error error = st_gather(w->place, r->memory, index, stop, w->data, &fault);
    if (error == ST_UNREADABLE && stop - index > 1) {
        /* Show what can be read: up to the first element that cannot. */
        int64_t end = stop;
        for (stop = index;
             stop < end && !st_gather(w->place, r->memory, stop, stop + 1,
                                      w->data + (size_t)(stop - index) * w->size, &fault);
             stop++) {
        }
        error = stop > index ? ST_OK : fault.error;
    }
    if (error) {
        enter_level(r, index);
        return fail_rendering(r, fault);
    }
    w->start = index;
    w->stop = stop;
    return ST_OK;
}

static enum st_error element(struct rendering *r, struct window *w, int64_t index, const void **at)
{
    if (index < w->start || index >= w->stop) {
        enum st_error error = slide_window(r, w, index);
        if (error) {
            return error;
        }
    }
    *at = w->data + (size_t)(index - w->start) * w->size;
    return ST_OK;
}

static bool tired(const struct rendering *r)
{
    return st_looks_tired(r->work, r->options, r->text);
}

/* Returns how many elements from `index` on are equal to it, but at most *most. */
static enum st_error count_repeats(struct rendering *r, struct window *w, int64_t index,
                                   const void *value, int64_t most, int64_t *repeats)
{
    *repeats = 1;
    while (index + *repeats < w->place->count && *repeats < most) {
        const void *next;
        enum st_error error = element(r, w, index + *repeats, &next);
        if (error == ST_UNREADABLE) { /* reported when the list gets there */
            leave_level(r);
            return ST_OK;
        }
        if (error) {
            return error;
        }
        if (memcmp(next, value, w->size) != 0) {
            break;
        }
        ++*repeats;
    }
    return ST_OK;
}

static enum st_error numbers(struct rendering *r, const struct st_place *place,
                             const struct st_basic *basic, struct window *w, uint64_t level)
{
    const struct st_render_options *options = r->options;
    uint64_t printed = 0;
    int64_t i = 0;
    bool cut = false;
    st_list_open(r->text, r->options);
    for (; i < place->count && printed < options->elements && !cut; i++) {
        unsigned char value[16];
        const void *at;
        int64_t repeats = 1, most = 0;
        enum st_error error = element(r, w, i, &at);
        if (error) {
            return error;
        }
        memcpy(value, at, w->size);
        if (options->repeats != UINT64_MAX) {
            most = st_looks_most_repeats(r->work, options);
            error = count_repeats(r, w, i, value, most, &repeats);
            if (error) {
                return error;
            }
            r->work->looks += (uint64_t)repeats;
        }
        st_list_separate(r->text, r->options, i == 0, level);
        if (options->array_indexes) {
            st_list_index(r->text, r->options, i);
        }
        st_number(r->text, basic, value);
        if (options->repeats != UINT64_MAX && (uint64_t)repeats >= options->repeats) {
            st_list_repeats(r->text, repeats);
            i += repeats - 1;
            printed += options->repeats ? options->repeats : 1;
            cut = repeats == most;
        } else {
            printed++;
        }
        if (interrupted(r)) {
            return fail_rendering(r, (struct st_fault){.error = ST_INTERRUPTED});
        }
    }
    st_list_end(r->text, r->options, i < place->count, level);
    return ST_OK;
}

/* Reads the first `count` elements; if one cannot be read, those before it: *good of them, and a
 * fault. *data (NULL: no memory) grows with what could be read, whatever `count` claims. */
static enum st_error gather_all(struct rendering *r, const struct st_place *place, size_t size,
                                int64_t count, unsigned char **data, int64_t *good,
                                struct st_fault *fault)
{
    int64_t room = (int64_t)(PIECE / size);
    enum st_error error = ST_OK;
    *data = NULL;
    *good = 0;
    do {
        room = room < count ? room : count;
        unsigned char *more = realloc(*data, (size_t)room * size + 1);
        if (!more) {
            return st_fail(fault, (struct st_fault){.error = ST_NO_MEMORY});
        }
        *data = more;
        error = st_gather(place, r->memory, *good, room, more + (size_t)*good * size, fault);
        if (error == ST_UNREADABLE) {
            while (*good < room && !st_gather(place, r->memory, *good, *good + 1,
                                              more + (size_t)*good * size, fault)) {
                ++*good;
            }
            return error;
        }
        *good = room;
        room = room < count / 2 ? room * 2 : count;
    } while (!error && *good < count);
    return error;
}

/* Lets gdb write a list of text, complex, pairs, ...; passes as many elements as gdb may want to
 * read. */
static enum st_error foreign(struct rendering *r, const struct st_place *place,
                             const struct st_basic *basic, struct window *w, uint64_t level)
{
    const struct st_render_options *options = r->options;
    int64_t count = place->count;
    int64_t most = (int64_t)(PIECE / w->size);
    if (options->elements != UINT64_MAX) {
        int64_t wanted =
            options->elements > INT64_MAX / 2 ? INT64_MAX : (int64_t)options->elements + 1;
        most = wanted > most ? wanted : most;
        count = count < most ? count : most;
    }
    if (count > INT64_C(1) << 30) {
        count = INT64_C(1) << 30; /* more makes no sense in one text */
    }
    struct st_fault fault = {0};
    unsigned char *data;
    int64_t good;
    enum st_error error = gather_all(r, place, w->size, count, &data, &good, &fault);
    if (error && error != ST_UNREADABLE) {
        free(data);
        return fail_rendering(r, fault);
    }
    size_t before = r->text->length;
    struct st_foreign_context context = foreign_context(r);
    int64_t written = good;
    bool ok = (error && good == 0) || st_foreign_list(&context, basic, data, &written);
    free(data);
    if (!ok) {
        return fail_rendering(r, (struct st_fault){.error = ST_INTERRUPTED});
    }
    if (error) {
        enter_level(r, good);
        return fail_rendering(r, fault);
    }
    /* gdb has not seen the rest: show that there is one, inside its braces. */
    size_t end = r->text->length;
    char last = end > before ? r->text->data[end - 1] : '\0';
    bool braces = last == '}' || last == ')'; /* parentheses in Fortran */
    size_t tail = braces ? end - 1 : end;
    while (braces && tail > before && strchr(" \n", r->text->data[tail - 1])) {
        tail--;
    }
    if (written < place->count &&
        (tail < before + 3 || memcmp(r->text->data + tail - 3, "...", 3) != 0)) {
        r->text->length = tail;
        if (last == '}') {
            st_list_end(r->text, r->options, true, 0);
        } else if (last == ')') {
            st_list_rest(r->text, r->options);
            st_text_puts(r->text, ")");
        } else {
            st_text_puts(r->text, "...");
        }
    }
    st_text_indent(r->text, before, level);
    return ST_OK;
}

static enum st_error render_run(struct rendering *r, const struct st_place *place,
                                const struct st_type *leaf, uint64_t level)
{
    const struct st_basic *basic = &leaf->basic;
    if (basic->class_ == ST_CLASS_MARKER || basic->size <= 0) {
        st_list_open(r->text, r->options);
        st_text_puts(r->text, basic->name);
        if (place->count > 1) {
            st_list_repeats(r->text, place->count);
        }
        st_list_close(r->text, r->options);
        return ST_OK;
    }
    struct window w = {.place = place, .size = (size_t)basic->size};
    if (!(r->options->natural && st_number_native(basic))) {
        return foreign(r, place, basic, &w, level);
    }
    unsigned char small[512];
    bool fits = place->count <= (int64_t)(sizeof small / w.size);
    w.data = fits ? small : malloc(PIECE);
    if (!w.data) {
        return fail_rendering(r, (struct st_fault){.error = ST_NO_MEMORY});
    }
    enum st_error error = numbers(r, place, basic, &w, level);
    if (!fits) {
        free(w.data);
    }
    return error;
}

static enum st_error scalar(struct rendering *r, const struct st_place *place, uint64_t level)
{
    const struct st_basic *basic = &place->type->basic;
    unsigned char data[64];
    struct st_fault fault = {0};
    size_t before = r->text->length;
    if (basic->class_ == ST_CLASS_MARKER || basic->size <= 0 ||
        basic->size > (int64_t)sizeof data) {
        st_text_puts(r->text, basic->name);
        return ST_OK;
    }
    if (st_gather(place, r->memory, 0, 1, data, &fault)) {
        return fail_rendering(r, fault);
    }
    struct st_foreign_context context = foreign_context(r);
    if (r->options->natural && st_number_native(basic)) {
        st_number(r->text, basic, data);
    } else if (!st_foreign_scalar(&context, basic, data)) {
        return fail_rendering(r, (struct st_fault){.error = ST_INTERRUPTED});
    }
    st_text_indent(r->text, before, level);
    return ST_OK;
}

/* --- stages ----------------------------------------------------------------------------------- */

static enum st_error render(struct rendering *r, const struct st_place *place, uint64_t level);

static enum st_error render_child(struct rendering *r, const struct st_place *place, int64_t index,
                                  uint64_t level)
{
    struct st_place child;
    enum st_error error = st_place_child(place, index, &child);
    enter_level(r, index);
    if (error) {
        return fail_rendering(r, (struct st_fault){.error = error});
    }
    error = render(r, &child, level + 1);
    if (!error) {
        leave_level(r);
    }
    return error;
}

/* Writes the entries of a struct like gdb writes named members. */
static enum st_error entries(struct rendering *r, const struct st_place *place, uint64_t level)
{
    const char *const *names = st_names_at(r->options, place);
    bool pretty = r->options->pretty;
    bool blanks = r->options->fortran && !pretty; /* ( a = 1, b = 2 ) */
    int64_t i = 0;
    st_list_open(r->text, r->options);
    st_text_puts(r->text, blanks ? " " : "");
    for (; i < place->count && (uint64_t)i < r->options->elements; i++) {
        if (i) {
            st_text_puts(r->text, pretty ? "," : ", ");
        }
        if (pretty) {
            st_text_puts(r->text, "\n");
            st_text_spaces(r->text, 2 + 2 * (size_t)level);
        }
        st_put_label(r->text, names, i);
        enum st_error error = render_child(r, place, i, level);
        if (error) {
            return error;
        }
    }
    if (i < place->count) {
        if (pretty) {
            st_text_puts(r->text, "\n");
            st_text_spaces(r->text, 2 + 2 * (size_t)level);
        }
        st_text_puts(r->text, "...");
    }
    if (pretty && i) {
        st_text_puts(r->text, "\n");
        st_text_spaces(r->text, 2 * (size_t)level);
    }
    st_text_puts(r->text, blanks ? " " : "");
    st_list_close(r->text, r->options);
    return ST_OK;
}

/* The next child, rendered early to see whether its text equals that of the child before. */
struct ahead {
    struct st_text text;
    bool valid;
};

/* Returns true if a list in this text was cut: then equal texts do not mean equal lists. */
static bool is_cut(const struct st_text *text, size_t start)
{
    for (size_t i = start; i + 3 <= text->length; i++) {
        if (memcmp(text->data + i, "...", 3) == 0) {
            return true;
        }
    }
    return false;
}

/* Renders child `index` at the end of the text. Returns true if its text equals the one that begins
 * at `start`. If not, the new one is kept until its turn. */
static bool next_is_same(struct rendering *r, const struct st_place *place, int64_t index,
                         uint64_t level, size_t start, struct ahead *ahead,
                         enum st_error *interruption)
{
    struct st_text *text = r->text;
    size_t length = text->length - start;
    struct rendering peek = *r;
    struct st_render_failure failure = {0};
    peek.failure = &failure;
    uint64_t before = r->work->steps;
    enum st_error error = render_child(&peek, place, index, level);
    size_t more = text->length - start - length;
    bool same = !error && !text->failed && more == length &&
                memcmp(text->data + start, text->data + start + length, length) == 0;
    if (same) {
        st_looks_add_places(r->work, before);
    } else if (error == ST_INTERRUPTED) {
        *r->failure = failure;
        *interruption = error;
    } else if (!error) {
        ahead->text.length = 0;
        st_text_append(&ahead->text, text->data + start + length, more);
        ahead->valid = !ahead->text.failed;
    }
    text->length = start + length;
    return same;
}

/* Writes a list of lists. Neighbours with equal texts are folded, like gdb folds equal rows. */
static enum st_error render_list(struct rendering *r, const struct st_place *place, uint64_t level)
{
    const struct st_render_options *options = r->options;
    struct st_text *text = r->text;
    struct ahead ahead = {0};
    uint64_t printed = 0;
    int64_t i = 0;
    bool cut = false;
    enum st_error error = ST_OK;
    st_list_open(r->text, r->options);
    while (i < place->count && printed < options->elements && !cut && !error) {
        int64_t repeats = 1;
        st_list_separate(r->text, r->options, i == 0, level);
        if (options->array_indexes) {
            st_list_index(r->text, r->options, i);
        }
        size_t start = text->length;
        if (ahead.valid) {
            st_text_append(text, ahead.text.data, ahead.text.length);
            ahead.valid = false;
        } else {
            error = render_child(r, place, i, level);
        }
        if (options->repeats != UINT64_MAX && !is_cut(text, start)) {
            while (!error && i + repeats < place->count && repeats < MOST_REPEATS_OF_A_LIST &&
                   !tired(r) && next_is_same(r, place, i + repeats, level, start, &ahead, &error)) {
                repeats++;
            }
        }
        if ((uint64_t)repeats >= options->repeats && !error) {
            st_list_repeats(r->text, repeats);
            printed += options->repeats ? options->repeats : 1;
            cut = repeats == MOST_REPEATS_OF_A_LIST;
            i += repeats;
        } else {
            /* Fewer than the limit for folding: each is written. */
            size_t length = text->length - start;
            for (i++, printed++; --repeats > 0 && printed < options->elements; i++, printed++) {
                st_list_separate(r->text, r->options, false, level);
                if (options->array_indexes) {
                    st_list_index(r->text, r->options, i);
                }
                size_t at = start;
                for (size_t left = length; left && !text->failed;) { /* the text may move */
                    char piece[256];
                    size_t part = left < sizeof piece ? left : sizeof piece;
                    memcpy(piece, text->data + at, part);
                    st_text_append(text, piece, part);
                    at += part;
                    left -= part;
                }
            }
        }
        cut = cut || tired(r);
    }
    if (!error) {
        st_list_end(r->text, r->options, i < place->count, level);
    }
    st_text_deinit(&ahead.text);
    return error;
}

static enum st_error render_folded(struct rendering *r, const struct st_place *place,
                                   uint64_t level)
{
    if (interrupted(r)) {
        return fail_rendering(r, (struct st_fault){.error = ST_INTERRUPTED});
    }
    if (place->leaf) {
        return scalar(r, place, level);
    }
    if (place->opaque) {
        st_text_puts(r->text, "<unknown>");
        return ST_OK;
    }
    const struct st_type *leaf = st_place_run(place);
    /* For gdb, text and a bound are not lists, at any depth. */
    bool text = leaf && (leaf->basic.class_ == ST_CLASS_MARKER ||
                         (r->options->natural && leaf->basic.class_ == ST_CLASS_CHAR));
    if ((level >= r->options->max_depth && !text) || level >= MOST_DEPTH) {
        st_list_short(r->text, r->options, "...");
        return ST_OK;
    }
    if (place->count == 0) {
        st_list_short(r->text, r->options, "");
        return ST_OK;
    }
    if (leaf) {
        return render_run(r, place, leaf, level);
    }
    if (place->kind == ST_STAGE_TYPE && place->type->combiner == ST_STRUCT) {
        return entries(r, place, level);
    }
    return render_list(r, place, level);
}

/* Writes a place; without `stages', the one that it folds to. */
static enum st_error render(struct rendering *r, const struct st_place *place, uint64_t level)
{
    struct st_place folded = *place;
    size_t stages = r->options->stages ? 0 : st_fold(place, &folded);
    for (size_t i = 0; i < stages; i++) {
        enter_level(r, 0);
    }
    enum st_error error = render_folded(r, &folded, level);
    while (!error && stages-- > 0) {
        leave_level(r);
    }
    return error;
}

enum st_error st_render(struct st_text *text, const struct st_place *place,
                        struct st_memory *memory, const struct st_render_options *options,
                        struct st_render_failure *failure)
{
    struct st_looks work = {0};
    struct rendering r = {.text = text,
                          .memory = memory,
                          .options = options,
                          .failure = failure,
                          .work = &work,
                          .foreign = st_foreign_new()};
    *failure = (struct st_render_failure){0};
    enum st_error error = render(&r, place, 0);
    st_foreign_free(r.foreign);
    if (!error && text->failed) {
        error = fail_rendering(&r, (struct st_fault){.error = ST_NO_MEMORY});
    }
    return error;
}
