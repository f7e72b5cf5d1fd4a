/* SPDX-License-Identifier: BSD-3-Clause */
/* buffer-alias: memory that one call uses twice: in a collective or MPI_Sendrecv (MPI-4.0, 6.1,
 * 3.10: a receive buffer must be disjoint from all others), or for the origin and the result of a
 * one-sided call (12.3.4). */
#include <stdio.h>

#include "core/overlap/active.h"
#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/element.h"
#include "runtime/report/finding.h"
#include "runtime/record/layouts.h"
#include "runtime/wrap/parts.h"
#include "runtime/record/lock.h"
#include "runtime/record/root.h"

enum { STEPS = 1 << 13, FEW = 8 };

bool st_may_alias(const struct st_form *form)
{
    /* MPI_Reduce_local has no communicator. */
    if ((form->comm < 0 && form->op < 0 && form->win < 0) || form->file >= 0) {
        return false;
    }
    int buffers = 0;
    for (int i = 0; i < form->part_count; i++) {
        buffers += form->parts[i].displs >= 0 || form->parts[i].each ? 2 : 1;
    }
    return buffers > 1 && (form->part_count < 2 || form->parts[0].buffer != form->parts[1].buffer);
}

/* Whether two uses of the same memory are an error, and which. */
enum st_alias_kind { ST_PAIR_SOUND, ST_PAIR_BUFFERS, ST_PAIR_BLOCKS, ST_PAIR_READ_TWICE };

/* The buffer that MPI_Compare_and_swap compares with may be the result buffer: the standard does
 * not forbid it. */
static bool is_compared(const struct st_form *form, const struct st_use *use)
{
    return form->win >= 0 && use->access == ST_READ && use->part != &form->parts[0];
}

static enum st_alias_kind pair_of(const struct st_form *form, const struct st_use *a,
                                  const struct st_use *b)
{
    if (a->in_place || b->in_place || is_compared(form, a) || is_compared(form, b)) {
        return ST_PAIR_SOUND;
    }
    if (a->part != b->part) {
        return a->access == ST_WRITE || b->access == ST_WRITE ? ST_PAIR_BUFFERS : ST_PAIR_SOUND;
    }
    if (a->access == ST_WRITE && b->access == ST_WRITE) {
        return ST_PAIR_BLOCKS;
    }
    /* MPI-4.0, 6.6: MPI_Scatterv reads no location at the root twice. */
    return a->access == ST_READ && b->access == ST_READ && a->part->when == ST_AT_ROOT
               ? ST_PAIR_READ_TWICE
               : ST_PAIR_SOUND;
}

/* Two uses of one call that share memory. */
struct st_alias {
    enum st_alias_kind pair;
    const struct st_use *a, *b;
    struct st_shared shared;
};

static bool find_pair(const struct st_form *form, const struct st_use *a, const struct st_use *b,
                      struct st_alias *alias)
{
    struct st_effort effort = st_effort_of(STEPS);
    *alias = (struct st_alias){.pair = pair_of(form, a, b), .a = a, .b = b};
    return alias->pair && st_overlap(&a->buffer, &b->buffer, &effort, &alias->shared) == ST_YES;
}

static bool find_among_few(const struct st_form *form, const struct st_uses *uses,
                           struct st_alias *alias)
{
    for (size_t i = 1; i < uses->count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (find_pair(form, &uses->list[k], &uses->list[i], alias)) {
                return true;
            }
        }
    }
    return false;
}

/* A search among many uses: each is compared only with those whose bounds overlap its own. */
struct st_many {
    const struct st_form *form;
    const struct st_use *use;
    const struct st_uses *uses;
    const struct st_active *active; /* of each use */
    struct st_alias *alias;
    bool found;
};

static bool note_alias(void *context, struct st_active *active, enum st_verdict verdict,
                       const struct st_shared *shared)
{
    struct st_many *many = context;
    const struct st_use *other = &many->uses->list[active - many->active];
    enum st_alias_kind pair = pair_of(many->form, other, many->use);
    if (verdict != ST_YES || !pair) {
        return true;
    }
    *many->alias = (struct st_alias){.pair = pair, .a = other, .b = many->use, .shared = *shared};
    many->found = true;
    return false;
}

static bool find_among_many(const struct st_form *form, const struct st_uses *uses,
                            struct st_alias *alias)
{
    size_t bytes = uses->count * sizeof(struct st_active);
    struct st_active *active = st_map(bytes);
    struct st_actives actives;
    struct st_effort effort = st_effort_of(STEPS * FEW);
    struct st_many many = {.form = form, .uses = uses, .active = active, .alias = alias};
    if (!active) {
        return false;
    }
    st_actives_init(&actives);
    for (size_t i = 0; i < uses->count && !many.found; i++) {
        many.use = &uses->list[i];
        active[i].buffer = uses->list[i].buffer;
        st_actives_overlapping(&actives, &active[i].buffer, &effort, note_alias, &many);
        if (st_actives_insert(&actives, &active[i]) != ST_OK) {
            break;
        }
    }
    st_actives_deinit(&actives);
    st_unmap(active, bytes);
    return many.found;
}

/* Returns true if MPI_IN_PLACE would be allowed for what the call does. */
static bool may_be_in_place(const struct st_facts *facts)
{
    if (facts->has_comm && facts->comm.inter) {
        return false;
    }
    for (int i = 0; i < facts->form->part_count; i++) {
        if (facts->form->parts[i].in_place != ST_NEVER) {
            return true;
        }
    }
    return false;
}

static const char *alias_advice(const struct st_facts *facts, enum st_alias_kind pair)
{
    if (pair == ST_PAIR_BLOCKS) {
        return "no location may be written twice: look at counts, displacements and the "
               "datatype's extent";
    }
    if (pair == ST_PAIR_READ_TWICE) {
        return "the standard lets the root's blocks share no location: look at counts and "
               "displacements";
    }
    return may_be_in_place(facts)
               ? "use MPI_IN_PLACE where the data is in the other buffer already, else two buffers"
               : "use two buffers that share no memory";
}

static const char *const messages[] = {
    [ST_PAIR_BUFFERS] = "receives into memory that it sends from in the same call",
    [ST_PAIR_BLOCKS] = "receives two blocks into the same memory",
    [ST_PAIR_READ_TWICE] = "scatters the same memory to two ranks",
};

static void report_alias(struct st_facts *facts, struct st_alias *alias)
{
    const struct st_use *uses[] = {alias->a, alias->b};
    struct st_element_text texts[2];
    struct st_element elements[2];
    size_t count = 0;
    char message[160];
    struct st_effort effort = st_effort_of(STEPS);
    uint64_t bytes;
    st_shared_first(&alias->a->buffer, &alias->b->buffer, &alias->shared);
    bool locked = st_lock();
    for (int i = 0; i < 2; i++) {
        if (st_element_at(&texts[count], uses[i]->node, uses[i]->count, uses[i]->address,
                          alias->shared.address)) {
            elements[count] =
                (struct st_element){.rank = st_root.world_rank,
                                    .address = texts[count].address,
                                    .byte = texts[count].byte,
                                    .type = texts[count].type,
                                    .size = texts[count].size,
                                    .of = facts->form->parameters[uses[i]->part->buffer].name,
                                    .in_memory = true,
                                    .at = alias->shared.address};
            count++;
        }
    }
    st_unlock(locked);
    const char *what = facts->form->win >= 0 ? "fetches into memory that it reads in the same call"
                       : facts->form->comm < 0
                           ? "reduces into memory that it reads in the same call"
                           : messages[alias->pair];
    if (st_overlap_bytes(&alias->a->buffer, &alias->b->buffer, &effort, &bytes)) {
        snprintf(message, sizeof message, "%s: %llu byte%s", what, (unsigned long long)bytes,
                 bytes == 1 ? "" : "s");
    } else {
        snprintf(message, sizeof message, "%s", what);
    }
    const struct st_use *written = alias->b->access == ST_WRITE ? alias->b : alias->a;
    const struct st_use *other = written == alias->a ? alias->b : alias->a;
    st_find(facts, &(struct st_found){
                       .check = ST_BUFFER_ALIAS,
                       .severity = alias->pair == ST_PAIR_READ_TWICE ? ST_SEVERITY_WARNING : 0,
                       .parameter = written->part->buffer,
                       .message = message,
                       .advice = alias_advice(facts, alias->pair),
                       .type_node = written->node,
                       .has_node = true,
                       .other_node = other->node,
                       .has_other_node = other->node != written->node,
                       .elements = elements,
                       .element_count = count});
}

/* Blocks of equal length that overlap because the extent of the datatype is too small. If a single
 * block overlaps itself, that is datatype-self-overlap. */
static void check_self(struct st_facts *facts, const struct st_use *use)
{
    if (use->members <= 1 || use->access != ST_WRITE) {
        return;
    }
    uint64_t type = st_part_type(facts, use->part, 0);
    struct st_shape shape;
    if (!st_shape_of(type, &shape) || !shape.overlaps_at || shape.overlaps_at > use->count ||
        shape.overlaps_at <= use->count / use->members) {
        return;
    }
    st_find(facts, &(struct st_found){.check = ST_BUFFER_ALIAS,
                                      .parameter = use->part->buffer,
                                      .message = messages[ST_PAIR_BLOCKS],
                                      .type = type,
                                      .advice = alias_advice(facts, ST_PAIR_BLOCKS)});
}

void st_check_alias(struct st_facts *facts, const struct st_uses *uses)
{
    const struct st_form *form = facts->form;
    struct st_alias alias;
    if (uses->count <= FEW ? find_among_few(form, uses, &alias)
                           : find_among_many(form, uses, &alias)) {
        report_alias(facts, &alias);
        return;
    }
    for (size_t i = 0; i < uses->count; i++) {
        check_self(facts, &uses->list[i]);
    }
}
