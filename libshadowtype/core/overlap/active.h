/*
 * Active buffers (the paper's VII.A.2): which of those in use overlap a new one.
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
 * An interval tree over the bounds (a B-tree, for nodes of a few cache lines): a buffer is
 * compared, exactly, only with those whose bounds meet its own, in O(log n) and what there is to
 * compare. Planes of one array that lie in each other's gaps have bounds that say nothing: such are
 * kept by where their rows lie, modulo the stride, and compared only where rows meet. Several may
 * have the same bounds, or be the same buffer; one is removed by what it is, not by where it lies.
 *
 * The records are the caller's; the tree's nodes are allocated. It does not know who reads and who
 * writes: which overlaps are errors is the caller's to say. Not thread-safe.
 */
#ifndef ST_CORE_OVERLAP_ACTIVE_H
#define ST_CORE_OVERLAP_ACTIVE_H

#include "core/model/error.h"
#include "core/overlap/overlap.h"

struct st_active_node;

struct st_active {
    union {
        struct st_active_node *leaf; /* where it stands in the tree; NULL: it has no bytes */
        struct st_active **link;     /* among those in no order */
    } where;
    union {
        struct st_active_tree *tree; /* that it stands in */
        struct st_active *next;
    } in;
    struct st_buffer buffer;
};

struct st_active_tree {
    struct st_active_node *root;
    uint64_t modulus; /* the stride of the rows by whose places it is sorted; 0: by addresses */
    size_t count;
    /* No buffer in the tree begins before or ends behind; too wide where some are gone. */
    uint64_t first, last;
};

enum { ST_ACTIVE_STRIDES = 4 }; /* of rows that are told from one another at a time */

struct st_actives {
    struct st_active_tree tree, rows[ST_ACTIVE_STRIDES];
    /* Buffers that go round the end of the address space, or of which nothing is known: each is
     * compared with every new one. */
    struct st_active *others;
    size_t count;
    uint64_t first, last; /* as those of all the trees */
};

void st_actives_init(struct st_actives *actives);

/* Frees the tree; the records are nothing any more. */
void st_actives_deinit(struct st_actives *actives);

/* active->buffer is filled in, the rest is not; its layout must live until the removal.
 * ST_NO_MEMORY: it is not inserted. */
enum st_error st_actives_insert(struct st_actives *actives, struct st_active *active);

/* False: a buffer's bounds meet none of all together, which are nearly as plain to see. */
static inline bool st_actives_near(const struct st_actives *actives, const struct st_buffer *buffer)
{
    uint64_t last = buffer->first + (buffer->span - 1);
    return actives->count && (actives->others || buffer->doubt || last < buffer->first ||
                              (buffer->first <= actives->last && last >= actives->first));
}

/* It must have been inserted. */
void st_actives_remove(struct st_actives *actives, struct st_active *active);

/* Told of each that overlaps (ST_YES, and a piece that is shared) or may overlap (ST_UNDECIDED,
 * effort->doubt). True: go on. It must neither insert nor remove. */
typedef bool (*st_actives_met)(void *context, struct st_active *active, enum st_verdict verdict,
                               const struct st_shared *shared);

/* Those in the tree by addresses in the order of their first bytes, then the others. */
void st_actives_overlapping(const struct st_actives *actives, const struct st_buffer *buffer,
                            struct st_effort *effort, st_actives_met met, void *context);

#endif
