/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sequences of elements, stored so that each has exactly one name, however it was built. Two
 * sequences are compared by comparing names. This is exact: no verdict depends on a hash. 10^9
 * repetitions of a struct take a few dozen words.
 *
 *     struct st_sequences sequences;
 *     st_sequences_init(&sequences);
 *     struct st_sequence d, c, dc, a, b;
 *     st_sequence_of(&sequences, &element_d, &d);
 *     st_sequence_of(&sequences, &element_c, &c);
 *     st_sequence_join(&sequences, d, c, &dc);
 *     st_sequence_repeat(&sequences, dc, 1000000000, &a);         // (dc)1000000000
 *     ... b: the same, built otherwise ...
 *     bool equal = st_sequence_equal(a, b);
 *     st_sequences_deinit(&sequences);
 *
 * How. A sequence is cut into phrases, the phrases get names, and the sequence of names is cut
 * again, until one name is left:
 *
 *   1. Equal neighbours become one run: a name and a count.
 *   2. A phrase begins at the first run, and at each run whose name is before those of both its
 *      neighbours, in an order of the names that looks random.
 *   3. Equal phrases get the same name: a table finds them by their runs.
 *
 * So a name means one sequence, and a sequence has one name, whatever the order is. Where a phrase
 * begins depends on the neighbours alone: a part of a sequence, except its edges, is cut in the
 * same way wherever it is. To join two sequences only the phrases at the seam are cut again, a
 * handful on each level. Each phrase but the first has at least two runs: a sequence of n elements
 * has at most log2(n) + 1 levels, usually log3(n). (Locally consistent parsing: Sahinalp and
 * Vishkin, 1994; Mehlhorn, Sundar and Uhrig, "Maintaining dynamic sequences under equality tests in
 * polylogarithmic time", Algorithmica 17, 1997. Here the cuts are the local minima of an order.)
 *
 * Costs: equality takes one comparison; join, repeat and the first difference take O(levels), with
 * a small factor. This depends on the order: types that are made to fit it would have long phrases.
 * So work is counted, and ends with ST_INTERRUPTED at a limit (work_end), or when the caller asks
 * to stop. A name takes about 70 bytes; names are kept until st_sequences_deinit(). Not thread-safe.
 */
#ifndef ST_CORE_SIGNATURE_SEQUENCE_H
#define ST_CORE_SIGNATURE_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/signature/element.h"
#include "core/model/error.h"
#include "core/model/pool.h"

/* `count` copies of the sequence of `name`, side by side. A whole sequence is one such run; the
 * empty sequence has count 0. */
struct st_sequence {
    uint32_t name;
    int64_t count;
};

/* The sequence of a name. */
struct st_phrase {
    uint64_t order;                 /* a hash of the elements alone */
    int64_t length;                 /* in elements, at least 1 */
    const struct st_sequence *runs; /* of names one level down; NULL on level 0 */
    uint32_t count;                 /* number of runs; on level 0: number of the element */
    uint8_t level;
    bool opaque; /* one of the elements is opaque */
};

/* There are fewer levels than a length has bits. */
#define ST_LEVELS 64

struct st_runs {
    struct st_sequence *runs;
    size_t count, capacity;
};

/* One open end of a sequence: for each level, the runs that have not been removed. */
struct st_end {
    const struct st_sequences *sequences;
    bool right; /* elements are removed from the sequence's beginning */
    int top;
    struct st_rest {
        const struct st_sequence *runs;
        size_t count;
        int64_t edge; /* copies that are left of the run at the open end */
    } rest[ST_LEVELS];
};

struct st_sequences {
    struct st_pool pool;
    size_t pool_bytes;         /* bytes taken from the pool */
    struct st_phrase *phrases; /* by number of the name */
    uint32_t count, capacity;
    struct st_basic_element *elements;
    uint32_t element_count, element_capacity;
    uint32_t *slots; /* open addressing; number of the name + 1 */
    size_t slot_count;
    struct st_runs scratch[9];
    struct st_end ends[2]; /* of the current join: 3 KiB, too much for the stack of a thread */
    struct st_repeated *repeated; /* the last repetition */
    enum st_error error;          /* of the current operation */
    uint64_t work;                /* number of runs handled so far */
    uint64_t work_end;            /* the limit of `work`; may be changed. At first ST_MOST_WORK */
    bool (*interrupted)(void *context); /* called every ST_ASK runs; NULL: cannot be interrupted */
    void *context;
    uint64_t order_mask; /* normally all bits; tests clear some, because results must not depend
                            on the order */
};

/* Takes some seconds. A struct of 10^6 irregular members takes less than 10^7. */
#define ST_MOST_WORK (UINT64_C(1) << 28)

void st_sequences_init(struct st_sequences *sequences);
void st_sequences_deinit(struct st_sequences *sequences);
/* Returns the memory in use, in bytes. */
size_t st_sequences_bytes(const struct st_sequences *sequences);

#define ST_ASK (UINT64_C(1) << 16)

/* Returns true if `interrupted` says so: for long work that handles no runs. */
static inline bool st_sequences_interrupted(const struct st_sequences *sequences)
{
    return sequences->interrupted && sequences->interrupted(sequences->context);
}

#define ST_EMPTY_SEQUENCE ((struct st_sequence){0, 0})

static inline bool st_sequence_equal(struct st_sequence a, struct st_sequence b)
{
    return a.count == b.count && (a.count == 0 || a.name == b.name);
}

/* Returns the length in elements. */
int64_t st_sequence_length(const struct st_sequences *sequences, struct st_sequence sequence);

/* Returns the element of a name on level 0. Valid until an element is added. */
const struct st_basic_element *st_sequence_element(const struct st_sequences *sequences,
                                                   uint32_t name);

/* The following functions return ST_OVERFLOW for a length that does not fit in 64 bits,
 * ST_NO_MEMORY, or ST_INTERRUPTED if work_end is reached or `interrupted` says so. */

/* Makes a sequence of one element. Copies its name (char *). */
enum st_error st_sequence_of(struct st_sequences *sequences, const struct st_basic_element *element,
                             struct st_sequence *out);
enum st_error st_sequence_join(struct st_sequences *sequences, struct st_sequence first,
                               struct st_sequence second, struct st_sequence *out);
/* Makes `times` copies, 0 or more. */
enum st_error st_sequence_repeat(struct st_sequences *sequences, struct st_sequence one,
                                 int64_t times, struct st_sequence *out);

/* Joins many sequences, faster than one by one.
 *
 *     st_series_begin(&series, sequences);
 *     for (...) {
 *         st_series_add(&series, sequence);
 *     }
 *     error = st_series_end(&series, &out); */
struct st_series {
    struct st_sequences *sequences;
    struct st_series_part {
        struct st_sequence sequence;
        uint64_t added; /* how many sequences it consists of */
    } parts[64];
    size_t count;
    uint64_t loose; /* added since the last part */
    enum st_error error;
};
void st_series_begin(struct st_series *series, struct st_sequences *sequences);
void st_series_add(struct st_series *series, struct st_sequence sequence);
enum st_error st_series_end(struct st_series *series, struct st_sequence *out);

/* --- for the files of sequences (sequence_*.c) --------------------------------------------------
 */

enum { ST_SCRATCH_JOIN, ST_SCRATCH_NEXT, ST_SCRATCH_TOP, ST_SCRATCH_SERIES = 8 };

static inline const struct st_phrase *st_phrase_of(const struct st_sequences *sequences,
                                                   uint32_t name)
{
    return &sequences->phrases[name];
}

/* Adds a run to a list; merges it with the last run if that has the same name. On failure sets
 * sequences->error. */
void st_runs_add(struct st_sequences *sequences, struct st_runs *list, struct st_sequence run);
void st_runs_add_all(struct st_sequences *sequences, struct st_runs *list,
                     const struct st_sequence *runs, size_t count);

/* Returns true if name a is before name b in the order. */
bool st_name_before(const struct st_sequences *sequences, uint32_t a, uint32_t b);

/* Cuts `in` into phrases and adds their names to `out`. The first run begins a phrase. The last one
 * does not: its right neighbour is the first run of another list, or nothing. */
void st_sequence_cut(struct st_sequences *sequences, const struct st_runs *in, struct st_runs *out);

/* Cuts a whole sequence until one run is left. Uses up `list`. */
enum st_error st_sequence_raise(struct st_sequences *sequences, struct st_runs *list,
                                struct st_sequence *out);

void st_end_open(struct st_end *end, const struct st_sequences *sequences, bool right, int level,
                 const struct st_sequence *runs, size_t count);

/* Does one level of a join: replaces `list`, the runs between the two ends on `level`, by the runs
 * between them one level up. Sets *whole if both ends are used up, and nothing was cut. */
void st_sequence_join_level(struct st_sequences *sequences, struct st_end *left,
                            struct st_end *right, int level, struct st_runs *list, bool *whole);

#endif
