/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Active buffers (the paper's VII.A.2): which of the buffers in use overlap a new one.
 *
 *     struct operation { struct st_active active; ... };
 *     struct st_actives actives;
 *     st_actives_init(&actives);
 *     st_buffer_init(&operation->active.buffer, layout, type, count, address);
 *     st_actives_overlapping(&actives, &operation->active.buffer, &effort, report, context);
 *     if (st_actives_insert(&actives, &operation->active)) { ... no memory ... }
 *     ... MPI_Wait ...
 *     st_actives_remove(&actives, &operation->active);
 *     st_actives_deinit(&actives);
 *
 * The buffers are in an interval tree over their bounds (a B-tree, so that a node is a few cache
 * lines). A new buffer is compared, exactly, only with those whose bounds meet its own: O(log n)
 * plus the comparisons. The bounds do not help for planes of one array that interleave: such
 * buffers are sorted by the place of their rows, modulo the stride, and compared only if rows meet.
 * Several buffers may have the same bounds, or be the same buffer. A buffer is removed by its
 * record, not by its bounds.
 *
 * A new buffer waits in a list until a comparison needs the tree, or until the list is full: most buffers are
 * removed before that.
 *
 * The caller owns the records; the nodes of the tree are allocated. This module does not know who
 * reads and who writes: the caller decides which overlaps are errors. Not thread-safe.
 */
#ifndef ST_CORE_OVERLAP_ACTIVE_H
#define ST_CORE_OVERLAP_ACTIVE_H

#include "core/model/error.h"
#include "core/overlap/overlap.h"

struct st_active_node;

struct st_active {
    union {
        struct st_active_node *leaf; /* its leaf in the tree */
        struct st_active **link;     /* its link, if it is in the list `others` */
        size_t place;                /* in `waiting`, + 1; 0: it has no bytes */
    } where;
    union {
        struct st_active_tree *tree; /* the tree that it is in; NULL: it waits, or has no bytes */
        struct st_active *next;
    } in;
    struct st_buffer buffer;
};

struct st_active_tree {
    struct st_active_node *root;
    struct st_active_node *spare; /* a node that is not used, or NULL: programs often have no buffer
                                     in use, then one, then none again */
    uint64_t modulus; /* the stride, if the tree is sorted by the place of rows; 0: it is sorted
                         by addresses */
    size_t count;
    /* In a tree of rows, no buffer begins before `first` or ends after `last`. Removals do not
     * narrow these bounds. */
    uint64_t first, last;
};

enum {
    ST_ACTIVE_STRIDES = 4, /* strides of rows that have a tree at the same time */
    ST_ACTIVE_WAITING = 64
};

struct st_actives {
    struct st_active_tree tree, rows[ST_ACTIVE_STRIDES];
    struct st_active *waiting[ST_ACTIVE_WAITING]; /* for a tree */
    size_t waiting_count;
    /* Buffers that wrap at the end of the address space, or of which nothing is known. Each is
     * compared with every new buffer. */
    struct st_active *others;
    size_t count;
    uint64_t first, last; /* bounds of all buffers in trees, or that wait for one */
};

void st_actives_init(struct st_actives *actives);

/* Frees the tree. All buffers are removed. */
void st_actives_deinit(struct st_actives *actives);

/* Inserts a buffer. active->buffer must be filled in, the rest need not; its layout must live until
 * the removal. Returns ST_NO_MEMORY if it was not inserted. */
enum st_error st_actives_insert(struct st_actives *actives, struct st_active *active);

/* Returns false if no buffer can overlap: the bounds of `buffer` do not meet those of all buffers
 * together. A quick test before st_actives_overlapping(). */
static inline bool st_actives_near(const struct st_actives *actives, const struct st_buffer *buffer)
{
    uint64_t last = buffer->first + (buffer->span - 1);
    return actives->count && (actives->others || buffer->doubt || last < buffer->first ||
                              (buffer->first <= actives->last && last >= actives->first));
}

/* Removes a buffer, which must have been inserted. */
void st_actives_remove(struct st_actives *actives, struct st_active *active);

/* Called for each active buffer that overlaps (ST_YES, with a shared piece) or may overlap
 * (ST_UNDECIDED, effort->doubt). Returns true to continue. It must neither insert nor remove. */
typedef bool (*st_actives_met)(void *context, struct st_active *active, enum st_verdict verdict,
                               const struct st_shared *shared);

/* Calls `met` for the buffers that overlap: first those in the tree by addresses, in the order of
 * their first bytes, then the others. First inserts those that wait into the trees. */
void st_actives_overlapping(struct st_actives *actives, const struct st_buffer *buffer,
                            struct st_effort *effort, st_actives_met met, void *context);

#endif
