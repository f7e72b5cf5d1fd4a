/*
 * Hostile types for the algebra of layouts and overlap. An input is a list of constructors, each of
 * a type that was made before:
 *
 *     u8 combiner   u8 base, from the newest on   then for each number that it takes: u8 how   u8
 * value
 *
 * so that few bytes make a deep nest, a count of 2^63 - 1, a stride that is one short of a power of
 * two. The last types are laid out, compared with one another and with themselves, with few steps;
 * whatever is answered must not contradict itself.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/overlap/active.h"
#include "core/layout/alignment.h"
#include "core/overlap/elements.h"
#include "hand.h"
#include "heap.h"
#include "core/overlap/overlap.h"
#include "core/model/place.h"
#include "core/overlap/self_overlap.h"
#include "core/overlap/strided.h"
#include "core/overlap/window.h"

enum { MOST_TYPES = 64, MOST_ENTRIES = 6, LOOKED_AT = 4, STEPS = 4000 };

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=512:quarantine_size_mb=8";
}

static void must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "layout_fuzz: %s\n", what);
        abort();
    }
}

/* --- making types --------------------------------------------------------------------------------
 */

struct tape {
    const uint8_t *data;
    size_t left;
};

static uint8_t byte_of(struct tape *tape)
{
    if (!tape->left) {
        return 0;
    }
    tape->left--;
    return *tape->data++;
}

static int64_t number_of(struct tape *tape)
{
    uint8_t how = byte_of(tape), value = byte_of(tape);
    switch (how % 8) {
    case 0:
    case 1:
        return value % 8;
    case 2:
        return (int8_t)value;
    case 3:
        return (int64_t)((UINT64_C(1) << value % 64) - 1);
    case 4:
        return (int64_t)(UINT64_C(1) << value % 64);
    case 5:
        return (int64_t)(~(UINT64_C(1) << value % 64) + 1);
    case 6:
        return value * INT64_C(1009);
    default:
        return INT64_MAX - value;
    }
}

/* What MPI has checked, and the decoder (decode_tree.c, sound_dimension): not negative. */
static int64_t count_of(struct tape *tape)
{
    int64_t number = number_of(tape);
    return number < 0 ? -(number + 1) : number;
}

struct zoo {
    struct st_pool pool;
    const struct st_type *types[MOST_TYPES];
    size_t count;
};

static const struct st_type *base_of(const struct zoo *zoo, struct tape *tape)
{
    return zoo->types[zoo->count - 1 - byte_of(tape) % zoo->count];
}

static const struct st_type *blocks(struct zoo *zoo, struct tape *tape, enum st_combiner combiner)
{
    int64_t offsets[MOST_ENTRIES], lengths[MOST_ENTRIES];
    const struct st_type *types[MOST_ENTRIES];
    int64_t count = byte_of(tape) % (MOST_ENTRIES + 1), length = count_of(tape);
    bool each = combiner == ST_INDEXED || combiner == ST_HINDEXED;
    for (int64_t i = 0; i < count; i++) {
        offsets[i] = number_of(tape);
        lengths[i] = combiner == ST_STRUCT || each ? count_of(tape) : 0;
        types[i] = combiner == ST_STRUCT ? base_of(zoo, tape) : NULL;
    }
    return combiner == ST_STRUCT ? hand_struct(&zoo->pool, count, offsets, lengths, types)
                                 : hand_indexed(&zoo->pool, combiner, count, offsets,
                                                each ? lengths : NULL, length, base_of(zoo, tape));
}

static const struct st_type *array(struct zoo *zoo, struct tape *tape, bool distributed)
{
    int64_t dims[4][MOST_ENTRIES];
    const int64_t *const pointers[4] = {dims[0], dims[1], dims[2], dims[3]};
    uint8_t what = byte_of(tape);
    int64_t ndims = 1 + what % MOST_ENTRIES, rank = byte_of(tape);
    for (int64_t d = 0; d < ndims; d++) {
        dims[0][d] = count_of(tape);
        if (distributed) {
            dims[1][d] = byte_of(tape) % 3;
            dims[2][d] = count_of(tape);
            dims[2][d] = dims[2][d] ? dims[2][d] : ST_DARG_DEFAULT;
            dims[3][d] = count_of(tape);
            dims[3][d] += dims[3][d] == 0;
        } else {
            dims[1][d] = count_of(tape);
            dims[1][d] = dims[1][d] < dims[0][d] ? dims[1][d] : dims[0][d];
            dims[2][d] = count_of(tape);
            int64_t room = dims[0][d] - dims[1][d];
            dims[2][d] = dims[2][d] < room ? dims[2][d] : room;
        }
    }
    return distributed ? hand_darray(&zoo->pool, INT64_MAX, rank, ndims, pointers, what & 64,
                                     base_of(zoo, tape))
                       : hand_subarray(&zoo->pool, ndims, dims[0], dims[1], dims[2], what & 64,
                                       base_of(zoo, tape));
}

static const struct st_type *made(struct zoo *zoo, struct tape *tape)
{
    enum st_combiner combiner = (enum st_combiner)(ST_DUP + byte_of(tape) % 14);
    const struct st_type *base;
    switch (combiner) {
    case ST_DUP:
        return hand_dup(&zoo->pool, base_of(zoo, tape));
    case ST_CONTIGUOUS:
        base = base_of(zoo, tape);
        return hand_contiguous(&zoo->pool, count_of(tape), base);
    case ST_VECTOR:
    case ST_HVECTOR: {
        base = base_of(zoo, tape);
        int64_t count = count_of(tape), length = count_of(tape);
        return hand_vector(&zoo->pool, combiner, count, length, number_of(tape), base);
    }
    case ST_RESIZED: {
        base = base_of(zoo, tape);
        int64_t lb = number_of(tape);
        return hand_resized(&zoo->pool, lb, number_of(tape), base);
    }
    case ST_SUBARRAY:
    case ST_DARRAY:
        return array(zoo, tape, combiner == ST_DARRAY);
    case ST_F90_REAL: /* the place of what is not known */
        return hand_opaque(&zoo->pool, number_of(tape), 0, number_of(tape));
    case ST_F90_COMPLEX:
        return hand_pair(&zoo->pool);
    default:
        return blocks(zoo, tape, combiner);
    }
}

static void fill(struct zoo *zoo, struct tape *tape)
{
    static const int64_t sizes[] = {1, 8, 3, 0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        zoo->types[zoo->count++] = hand_basic(&zoo->pool, sizes[i]);
    }
    while (tape->left && zoo->count < MOST_TYPES) {
        const struct st_type *type = made(zoo, tape);
        zoo->types[zoo->count++] = type;
    }
}

/* --- looking at them
 * ------------------------------------------------------------------------------ */

static bool few(void *context, const struct st_strided *block)
{
    must(block->length > 0, "a block without bytes");
    return --*(int *)context > 0;
}

static void look_at(struct st_layouts *layouts, const struct st_type *type,
                    const struct st_buffer *buffer)
{
    struct st_effort effort = st_effort_of(STEPS);
    uint64_t pieces, bytes;
    int lines = 20;
    if (buffer->doubt) {
        return;
    }
    st_strided_each(buffer, &effort, few, &lines);
    bool counted = st_strided_pieces(buffer, &effort, &pieces);
    effort = st_effort_of(STEPS);
    bool summed = st_overlap_bytes(buffer, buffer, &effort, &bytes);
    must(!counted || !summed || (pieces == 0) == (buffer->span == 0), "pieces without bytes");
    must(!counted || !summed || pieces <= bytes, "more pieces than bytes");
    must(!summed || bytes <= buffer->span, "more bytes than the span");
    effort = st_effort_of(STEPS);
    enum st_verdict verdict = st_overlap(buffer, buffer, &effort, NULL);
    must(verdict != (buffer->span ? ST_NO : ST_YES), "not itself");
    if (type->measure.elements < 0) {
        must(layouts->count > 0, "no layouts");
    }
}

/* What a window shows is in it and in the buffer; and it is not empty where they overlap. `byte` is
 * any buffer of one byte. */
static void look_through(const struct st_buffer *buffer, const struct st_buffer *byte, uint64_t low,
                         uint64_t high)
{
    struct st_effort effort = st_effort_of(STEPS);
    struct st_window window;
    struct st_run run;
    struct st_buffer one = *byte;
    enum st_verdict verdict;
    int shown = 0;
    if (buffer->doubt) {
        return;
    }
    st_window_init(&window, buffer, low, high);
    while ((verdict = st_window_next(&window, &effort, &run)) == ST_YES && shown++ < 20) {
        must(low <= run.from && run.from < run.to && run.to <= high, "outside of the window");
        must(run.to <= buffer->span, "outside of the buffer");
        struct st_effort other = st_effort_of(STEPS);
        one.first = buffer->first + run.to - 1;
        must(st_overlap(buffer, &one, &other, NULL) != ST_NO, "not in the buffer");
    }
    st_window_deinit(&window);
    effort = st_effort_of(STEPS);
    one.first = buffer->first + low;
    must(verdict != ST_NO || shown || low >= high ||
             st_overlap(buffer, &one, &effort, NULL) != ST_YES,
         "a byte that the window does not show");
}

/* A byte that two copies name is named by two elements, each of them where the byte is. */
static void look_at_self(struct st_layouts *layouts, const struct st_type *type)
{
    struct st_effort effort = st_effort_of(STEPS);
    struct st_self_overlap self, again;
    struct st_path paths[2];
    size_t found;
    enum st_verdict verdict = st_self_overlap(layouts, type, INT64_MAX, &effort, &self);
    effort = st_effort_of(STEPS);
    if (verdict == ST_YES) {
        must(self.count >= 1, "no count");
        must(st_self_overlap(layouts, type, self.count, &effort, &again) != ST_NO, "self-overlap");
        must(st_self_overlap(layouts, type, self.count - 1, &effort, &again) != ST_YES,
             "a smaller count");
        effort = st_effort_of(STEPS);
        enum st_verdict named =
            st_elements_at(layouts, type, self.count, self.at, &effort, paths, 2, &found);
        must(named == ST_UNDECIDED || found == 2, "not named twice");
        must(found < 2 || paths[0].length != paths[1].length ||
                 memcmp(paths[0].index, paths[1].index, paths[0].length * sizeof *paths[0].index) !=
                     0,
             "the same element twice");
        while (found) {
            st_path_deinit(&paths[--found]);
        }
    } else if (verdict == ST_NO) {
        must(st_self_overlap(layouts, type, 1, &effort, &again) == ST_NO, "overlaps at count 1");
    }
}

static void look_at_elements(struct st_layouts *layouts, const struct st_type *type, int64_t count,
                             const struct st_buffer *buffer)
{
    struct st_effort effort = st_effort_of(STEPS);
    struct st_path path;
    struct st_alignment alignment;
    const struct st_layout *layout;
    size_t found;
    enum st_verdict wrong =
        st_elements_misaligned(layouts, type, count, 4, &effort, &path, 1, &found);
    if (found) {
        st_path_deinit(&path);
    }
    must(st_layout_of(layouts, type, &effort, &layout) == ST_OK, "no layout");
    if (!buffer->doubt && st_alignment_of(layout, type, count, &alignment)) {
        bool aligned = 4 % alignment.modulus == alignment.remainder;
        must(wrong == ST_UNDECIDED || (wrong == ST_NO) == aligned, "aligned, or not");
    }
    if (buffer->doubt || !buffer->span) {
        return;
    }
    /* the first byte is named by something */
    effort = st_effort_of(STEPS);
    int64_t at = (int64_t)buffer->first;
    enum st_verdict verdict = st_elements_at(layouts, type, count, at, &effort, &path, 1, &found);
    must(verdict != ST_NO, "nothing names the first byte");
    if (found) {
        struct st_place place = st_place_repeat(type, 0, count);
        for (size_t i = 0; i < path.length; i++) {
            must(st_place_child(&place, path.index[i], &place) == ST_OK, "no such element");
        }
        must(place.leaf && (uint64_t)at - place.address < (uint64_t)place.type->basic.size,
             "another element");
        st_path_deinit(&path);
    }
}

static bool count_met(void *context, struct st_active *active, enum st_verdict verdict,
                      const struct st_shared *shared)
{
    must(active && (verdict == ST_UNDECIDED || shared->length > 0), "nothing shared");
    ++*(int *)context;
    return true;
}

static void compare(const struct st_buffer *a, const struct st_buffer *b,
                    const struct st_buffer *byte)
{
    struct st_effort effort = st_effort_of(STEPS);
    struct st_shared shared;
    struct st_buffer one = *byte;
    uint64_t bytes;
    enum st_verdict verdict = st_overlap(a, b, &effort, &shared);
    effort = st_effort_of(STEPS);
    enum st_verdict other = st_overlap(b, a, &effort, NULL);
    must(verdict == other || verdict == ST_UNDECIDED || other == ST_UNDECIDED,
         "not the same swapped");
    if (verdict == ST_YES) {
        must(shared.length > 0, "nothing shared");
        one.first = shared.address + shared.length - 1;
        must(st_overlap(a, &one, &effort, NULL) != ST_NO, "not in the one");
        must(st_overlap(&one, b, &effort, NULL) != ST_NO, "not in the other");
    }
    effort = st_effort_of(STEPS);
    if (st_overlap_bytes(a, b, &effort, &bytes) && verdict != ST_UNDECIDED) {
        must((bytes > 0) == (verdict == ST_YES), "bytes without overlap");
        must(verdict != ST_YES || bytes >= shared.length, "fewer bytes than one piece");
    }
}

static void look_at_all(const struct zoo *zoo, struct tape *tape)
{
    struct st_layouts layouts;
    struct st_actives actives;
    struct st_active records[LOOKED_AT];
    struct st_buffer byte;
    st_layouts_init(&layouts);
    st_actives_init(&actives);
    size_t looked_at = zoo->count < LOOKED_AT ? zoo->count : LOOKED_AT;
    for (size_t i = 0; i < looked_at; i++) {
        const struct st_type *type = zoo->types[zoo->count - 1 - i];
        const struct st_layout *layout;
        struct st_effort effort = st_effort_of(STEPS);
        int64_t count = i % 2 ? 1 : count_of(tape);
        int met = 0;
        must(st_layout_of(&layouts, zoo->types[0], &effort, &layout) == ST_OK, "no layout");
        st_buffer_init(&byte, layout, zoo->types[0], 1, 0);
        must(st_layout_of(&layouts, type, &effort, &layout) == ST_OK, "no layout");
        st_buffer_init(&records[i].buffer, layout, type, count, 0);
        look_at(&layouts, type, &records[i].buffer);
        uint64_t low = (uint64_t)number_of(tape);
        look_through(&records[i].buffer, &byte, low, low + 1 + (uint64_t)(count & 255));
        look_through(&records[i].buffer, &byte, 0, records[i].buffer.span / 2);
        look_at_self(&layouts, type);
        look_at_elements(&layouts, type, count, &records[i].buffer);
        st_actives_overlapping(&actives, &records[i].buffer, &effort, count_met, &met);
        must(met <= (int)i, "more than there are");
        must(st_actives_insert(&actives, &records[i]) == ST_OK, "no memory");
        for (size_t j = 0; j <= i; j++) {
            struct st_buffer other = records[j].buffer;
            other.first += (uint64_t)number_of(tape);
            compare(&records[i].buffer, &other, &byte);
        }
    }
    for (size_t i = 0; i < looked_at; i++) {
        st_actives_remove(&actives, &records[i]);
    }
    must(!actives.tree.root && !actives.others, "something is left");
    st_actives_deinit(&actives);
    for (size_t i = 0; i < zoo->count; i += 2) {
        st_layouts_forget(&layouts, zoo->types[i]);
    }
    st_layouts_deinit(&layouts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t before = heap_watch();
    const size_t input = size;
    struct zoo zoo = {.count = 0};
    struct tape tape = {data, size};
    st_pool_init(&zoo.pool);
    fill(&zoo, &tape);
    tape = (struct tape){data, size};
    look_at_all(&zoo, &tape);
    heap_must_be_paid(before, input); /* a datatype by hand is not larger than its line */
    st_pool_deinit(&zoo.pool);
    return 0;
}
