/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/overlap/elements.h"

#include <stdlib.h>

#include "core/layout/layout_make.h"
#include "core/overlap/pairs.h"
#include "core/model/place.h"

void st_path_deinit(struct st_path *path)
{
    free(path->index);
    *path = (struct st_path){0};
}

/* A place on the path, and its next child. */
struct st_element_frame {
    struct st_place place;
    int64_t next;
    const struct st_layout **stages; /* of a subarray or darray: see st_layout_stages() */
    bool owns_stages;
};

/* Children low..high, which all have the layout `of`, `step` bytes apart; child 0 is displaced by
 * `from`. */
struct st_local_row {
    const struct st_layout *of;
    st_wide from;
    int64_t step;
};

struct st_element_search {
    struct st_layouts *layouts;
    /* Returns whether one of these children, which have bytes, contains a wanted element. */
    enum st_verdict (*has)(struct st_element_search *search, const struct st_local_row *row,
                           int64_t low, int64_t high);
    int64_t at;       /* displacement of the wanted byte */
    uint64_t address; /* of the buffer, to find misaligned elements */
    struct st_effort *effort;
    struct st_element_frame *frames;
    size_t depth, capacity;
};

/* --- which elements are wanted
 * -------------------------------------------------------------------- */

static enum st_verdict has_byte(struct st_element_search *search, const struct st_local_row *row,
                                int64_t low, int64_t high)
{
    uint64_t step = row->step < 0 ? 0 - (uint64_t)row->step : (uint64_t)row->step;
    int64_t lowest = row->step < 0 ? high : low;
    struct st_pairs pairs = {.effort = search->effort, .visit = st_pairs_first};
    struct st_item child = {.count = 1, .of = row->of}, byte = {.count = 1, .stride = 1};
    struct st_level between = {.count = (uint64_t)(high - low) + 1, .stride = step};
    st_wide shift = row->from + (st_wide)lowest * row->step + row->of->low - search->at;
    return st_pairs_run(&pairs, &child, &byte, shift, between.count > 1 && step ? &between : NULL);
}

/* The remainders of the children repeat after 32 of them. */
static enum st_verdict has_misaligned(struct st_element_search *search,
                                      const struct st_local_row *row, int64_t low, int64_t high)
{
    for (int64_t i = low; i <= high && i - low < 32; i++) {
        uint64_t at = search->address + (uint64_t)row->from + (uint64_t)i * (uint64_t)row->step;
        for (int a = 0; a < ST_ALIGNMENTS; a++) {
            uint32_t aligned = 1;
            for (int bit = 2 << a; bit < 32; bit += 2 << a) {
                aligned |= UINT32_C(1) << bit;
            }
            if (st_residues_turned(row->of->residues[a], at) & ~aligned) {
                return ST_YES;
            }
        }
    }
    return ST_NO;
}

/* --- one stage -----------------------------------------------------------------------------------
 */

static enum st_verdict has_element(struct st_element_search *search, const struct st_local_row *row,
                                   int64_t low, int64_t high)
{
    if (row->of->doubt) {
        return st_undecided(search->effort, row->of->doubt);
    }
    return st_layout_empty(row->of) ? ST_NO : search->has(search, row, low, high);
}

/* Finds the first child from low to high that contains a wanted element, by halving. */
static enum st_verdict first_of(struct st_element_search *search, const struct st_local_row *row,
                                int64_t low, int64_t high, int64_t *index)
{
    enum st_verdict verdict = low > high ? ST_NO : has_element(search, row, low, high);
    while (verdict == ST_YES && low < high) {
        int64_t middle = low + (high - low) / 2;
        enum st_verdict lower = has_element(search, row, low, middle);
        if (lower == ST_UNDECIDED) {
            return lower;
        }
        if (lower == ST_YES) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    *index = low;
    return verdict;
}

/* Tries the entries of (h)indexed(_block) and struct one after the other. */
static enum st_verdict first_entry(struct st_element_search *search,
                                   const struct st_element_frame *frame, int64_t *index)
{
    const struct st_type *type = frame->place.type;
    for (int64_t i = frame->next; i < type->entries; i++) {
        const struct st_type *base = type->types ? type->types[i] : type->base;
        struct st_place block;
        int64_t extent = 0;
        if (!st_effort_spend(search->effort, 1)) {
            return ST_UNDECIDED;
        }
        const struct st_layout *of = st_layouts_known(search->layouts, base)->layout;
        if (st_place_child(&frame->place, i, &block) != ST_OK ||
            (!st_extent(base, &extent) && block.count > 1)) {
            return st_undecided(search->effort, ST_DOUBT_OVERFLOW);
        }
        struct st_local_row row = {of, (int64_t)block.address, extent};
        enum st_verdict verdict =
            block.count > 0 ? has_element(search, &row, 0, block.count - 1) : ST_NO;
        if (verdict != ST_NO) {
            *index = i;
            return verdict;
        }
    }
    return ST_NO;
}

/* Searches a block-cyclic dimension: the rest of the current round, whole rounds, the last round. */
static enum st_verdict first_cyclic(struct st_element_search *search, const struct st_layout *of,
                                    st_wide from, int64_t step,
                                    const struct st_element_frame *frame, int64_t d, int64_t *index)
{
    const struct st_type *type = frame->place.type;
    int64_t block = st_dimension_block(type, d), count = frame->place.count;
    int64_t begun = frame->next / block, rounds = count / block;
    int64_t first = st_dimension_index(type, d, 0);
    int64_t round = st_dimension_index(type, d, block) - first, low = frame->next;
    enum st_verdict verdict = ST_NO;
    if (low % block) {
        int64_t high = (begun + 1) * block - 1;
        struct st_local_row row = {of, from + (st_wide)(begun * (round - block)) * step, step};
        verdict = first_of(search, &row, low, high < count ? high : count - 1, index);
        begun++;
    }
    if (verdict == ST_NO && begun < rounds) {
        struct st_layout *whole = st_layout_repeat(of, block, step);
        if (!whole) {
            return st_undecided(search->effort, ST_DOUBT_MEMORY);
        }
        struct st_local_row row = {whole, from, round * step};
        verdict = first_of(search, &row, begun, rounds - 1, &begun);
        st_layout_release(whole);
        if (verdict == ST_YES) {
            struct st_local_row in = {of, from + (st_wide)(begun * (round - block)) * step, step};
            return first_of(search, &in, begun * block, begun * block + block - 1, index);
        }
        begun = rounds;
    }
    if (verdict == ST_NO && begun == rounds && count % block) {
        struct st_local_row row = {of, from + (st_wide)(rounds * (round - block)) * step, step};
        low = low > rounds * block ? low : rounds * block;
        verdict = first_of(search, &row, low, count - 1, index);
    }
    return verdict;
}

static enum st_verdict first_in_dimension(struct st_element_search *search,
                                          const struct st_element_frame *frame, int64_t *index)
{
    const struct st_type *type = frame->place.type;
    int64_t stage = frame->place.kind == ST_STAGE_DIMENSION ? frame->place.stage : 0;
    int64_t d = st_dimension(type, stage), step = 0;
    const struct st_layout *of = stage + 1 < type->entries
                                     ? frame->stages[stage + 1]
                                     : st_layouts_known(search->layouts, type->base)->layout;
    struct st_place first;
    if (!of || frame->next >= frame->place.count) {
        return ST_NO;
    }
    bool known = st_extent(type->base, &step);
    if (!st_effort_spend(search->effort, (uint64_t)type->entries)) {
        return ST_UNDECIDED;
    }
    for (int64_t s = type->entries - 1; s > stage; s--) {
        known = known && !__builtin_mul_overflow(
                             step, st_dimension_size(type, st_dimension(type, s)), &step);
    }
    if (!known || st_place_child(&frame->place, 0, &first) != ST_OK) {
        return st_undecided(search->effort, ST_DOUBT_OVERFLOW);
    }
    if (st_dimension_block(type, d) < frame->place.count) {
        return first_cyclic(search, of, (int64_t)first.address, step, frame, d, index);
    }
    struct st_local_row row = {of, (int64_t)first.address, step};
    return first_of(search, &row, frame->next, frame->place.count - 1, index);
}

/* Searches children of one layout at a constant distance. */
static enum st_verdict first_in_row(struct st_element_search *search,
                                    const struct st_element_frame *frame, int64_t *index)
{
    const struct st_place *place = &frame->place;
    const struct st_type *base = place->kind == ST_STAGE_TYPE ? place->type->base : place->element;
    const struct st_layout *of = st_layouts_known(search->layouts, base)->layout;
    struct st_local_row row = {st_layout_ref(of), (int64_t)place->address, 0};
    int64_t extent = 0;
    bool known = st_extent(base, &extent), vector = false;
    row.step = extent;
    if (place->kind == ST_STAGE_TYPE) {
        const int64_t *args = place->type->args;
        vector = place->type->combiner == ST_VECTOR || place->type->combiner == ST_HVECTOR;
        if (place->type->combiner == ST_VECTOR) {
            known = known && !__builtin_mul_overflow(args[2], extent, &row.step);
        } else if (place->type->combiner == ST_HVECTOR) {
            row.step = args[2];
        }
        if (vector) {
            st_layout_release(row.of);
            row.of = st_layout_repeat(of, args[1], extent);
        }
    }
    enum st_verdict verdict = ST_NO;
    if (!row.of) {
        verdict = st_undecided(search->effort, ST_DOUBT_MEMORY);
    } else if (place->count > 1 && !known && !row.of->doubt && !st_layout_empty(row.of)) {
        verdict = st_undecided(search->effort, ST_DOUBT_OVERFLOW);
    } else if (place->count > frame->next) {
        verdict = first_of(search, &row, frame->next, place->count - 1, index);
    }
    st_layout_release(row.of);
    return verdict;
}

/* Finds the next child that contains a wanted element. */
static enum st_verdict next_child(struct st_element_search *search,
                                  const struct st_element_frame *frame, int64_t *index)
{
    const struct st_place *place = &frame->place;
    if (place->kind == ST_STAGE_DIMENSION) {
        return first_in_dimension(search, frame, index);
    }
    if (place->kind == ST_STAGE_TYPE) {
        if (place->opaque) {
            return st_undecided(search->effort, ST_DOUBT_OPAQUE);
        }
        if (place->type->offsets) {
            return first_entry(search, frame, index);
        }
        if (place->type->combiner == ST_SUBARRAY || place->type->combiner == ST_DARRAY) {
            return first_in_dimension(search, frame, index);
        }
    }
    return first_in_row(search, frame, index);
}

/* --- the whole tree ------------------------------------------------------------------------------
 */

static bool is_array(const struct st_place *place)
{
    return place->kind == ST_STAGE_TYPE && place->count > 0 &&
           (place->type->combiner == ST_SUBARRAY || place->type->combiner == ST_DARRAY);
}

static void pop_place(struct st_element_search *search)
{
    struct st_element_frame *frame = &search->frames[--search->depth];
    for (int64_t s = 0; frame->owns_stages && s < frame->place.type->entries; s++) {
        st_layout_release(frame->stages[s]);
    }
    if (frame->owns_stages) {
        free(frame->stages);
    }
}

/* Enters a place. Returns false if there is no memory, or the search is interrupted. */
static bool push_place(struct st_element_search *search, const struct st_place *place)
{
    if (search->depth == search->capacity) {
        size_t capacity = search->capacity ? 2 * search->capacity : 16;
        struct st_element_frame *more = realloc(search->frames, capacity * sizeof(*more));
        if (!more) {
            return false;
        }
        search->frames = more;
        search->capacity = capacity;
    }
    struct st_element_frame *frame = &search->frames[search->depth++];
    *frame = (struct st_element_frame){.place = *place};
    if (place->kind == ST_STAGE_DIMENSION) {
        frame->stages = frame[-1].stages;
    } else if (is_array(place)) {
        frame->stages = calloc((size_t)place->type->entries, sizeof(*frame->stages));
        frame->owns_stages = frame->stages != NULL;
        return frame->owns_stages && st_layout_stages(search->layouts, place->type, search->effort,
                                                      frame->stages) == ST_OK;
    }
    return true;
}

/* Stores the path to the current place. */
static bool keep_path(const struct st_element_search *search, struct st_path *path)
{
    path->length = search->depth;
    path->index = malloc(path->length * sizeof(*path->index));
    for (size_t i = 0; path->index && i < path->length; i++) {
        path->index[i] = search->frames[i].next - 1;
    }
    return path->index != NULL;
}

static enum st_verdict descend_to_elements(struct st_element_search *search, struct st_path *paths,
                                           size_t most, size_t *found)
{
    while (search->depth && *found < most) {
        struct st_element_frame *top = &search->frames[search->depth - 1];
        struct st_place child;
        int64_t index;
        enum st_verdict verdict = next_child(search, top, &index);
        if (verdict == ST_UNDECIDED) {
            return verdict;
        }
        if (verdict == ST_NO) {
            pop_place(search);
            continue;
        }
        top->next = index + 1;
        if (st_place_child(&top->place, index, &child) != ST_OK) {
            return st_undecided(search->effort, ST_DOUBT_OVERFLOW);
        }
        if (child.leaf ? !keep_path(search, &paths[*found]) : !push_place(search, &child)) {
            return search->effort->doubt == ST_DOUBT_INTERRUPTED
                       ? ST_UNDECIDED
                       : st_undecided(search->effort, ST_DOUBT_MEMORY);
        }
        *found += child.leaf;
    }
    return *found ? ST_YES : ST_NO;
}

static enum st_verdict find_elements(struct st_element_search *search, const struct st_type *type,
                                     int64_t count, struct st_path *paths, size_t most,
                                     size_t *found)
{
    const struct st_layout *layout;
    struct st_place top = st_place_repeat(type, 0, count);
    *found = 0;
    enum st_error error = st_layout_of(search->layouts, type, search->effort, &layout);
    if (error || !push_place(search, &top)) {
        return st_undecided(search->effort,
                            error == ST_INTERRUPTED ? ST_DOUBT_INTERRUPTED : ST_DOUBT_MEMORY);
    }
    enum st_verdict verdict = descend_to_elements(search, paths, most, found);
    while (search->depth) {
        pop_place(search);
    }
    free(search->frames);
    return verdict;
}

enum st_verdict st_elements_at(struct st_layouts *layouts, const struct st_type *type,
                               int64_t count, int64_t at, struct st_effort *effort,
                               struct st_path *paths, size_t most, size_t *found)
{
    struct st_element_search search = {
        .layouts = layouts, .has = has_byte, .at = at, .effort = effort};
    return find_elements(&search, type, count, paths, most, found);
}

enum st_verdict st_elements_misaligned(struct st_layouts *layouts, const struct st_type *type,
                                       int64_t count, uint64_t address, struct st_effort *effort,
                                       struct st_path *paths, size_t most, size_t *found)
{
    struct st_element_search search = {
        .layouts = layouts, .has = has_misaligned, .address = address, .effort = effort};
    return find_elements(&search, type, count, paths, most, found);
}
