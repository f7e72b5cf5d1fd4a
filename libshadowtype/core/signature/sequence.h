/*
 * Sequences of elements, stored so that equal ones are the same: however a sequence was put
 * together, it has one name, and two sequences are compared by comparing names. Exactly: no verdict
 * rests on a hash. 10^9 repetitions of a struct take a few dozen words.
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
 * How. A sequence is cut into phrases, the phrases are named, and the sequence of names is cut
 * again, until one name is left:
 *
 *   1. Neighbours that are the same become one run: a name and a count.
 *   2. A phrase begins at the first run, and at each whose name comes before those of both its
 *      neighbours, in an order of the names that looks random.
 *   3. Equal phrases get the same name: they are looked up by what they consist of, run by run.
 *
 * So a name stands for one sequence, and a sequence has one name, whatever the order is. Where a
 * phrase begins depends on the neighbours alone: a part of a sequence is cut in the same way
 * wherever it stands, its edges apart, and to join two sequences only what is at the seam is cut
 * again, on each level a handful. A phrase has two runs at least, but for the first: a sequence of
 * n elements has at most log2(n) + 1 levels, log3(n) as a rule. (Locally consistent parsing:
 * Sahinalp and Vishkin, 1994; Mehlhorn, Sundar and Uhrig, "Maintaining dynamic sequences under
 * equality tests in polylogarithmic time", Algorithmica 17, 1997; here with local minima of an
 * order as the cuts.)
 *
 * Costs: equality one comparison; join, repeat and the first difference O(levels), each with a
 * small factor. That rests on the order: types made to fit it would have long phrases. So work is
 * counted, and ends at a bound (work_end), or when the caller asks to stop, with ST_INTERRUPTED. A
 * name takes about 70 bytes; names are kept until st_sequences_deinit(). Not thread-safe.
 */
#ifndef ST_CORE_SIGNATURE_SEQUENCE_H
#define ST_CORE_SIGNATURE_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/signature/element.h"
#include "core/model/error.h"
#include "core/model/pool.h"

/* `count` copies of what `name` stands for, side by side. A whole sequence is one run; the empty
 * sequence has count 0. */
struct st_sequence {
    uint32_t name;
    int64_t count;
};

/* What a name stands for. */
struct st_phrase {
    uint64_t order;                 /* depends on nothing but the elements */
    int64_t length;                 /* in elements, at least 1 */
    const struct st_sequence *runs; /* of names one level down; NULL on level 0 */
    uint32_t count;                 /* of runs; on level 0: which element */
    uint8_t level;
    bool opaque; /* one of the elements is */
};

/* Names have fewer levels than a length has bits. */
#define ST_LEVELS 64

struct st_runs {
    struct st_sequence *runs;
    size_t count, capacity;
};

/* One end of a sequence, open: per level the runs that are not yet taken off. */
struct st_end {
    const struct st_sequences *sequences;
    bool right; /* what is taken is the sequence's beginning */
    int top;
    struct st_rest {
        const struct st_sequence *runs;
        size_t count;
        int64_t edge; /* copies left of the run at the open end */
    } rest[ST_LEVELS];
};

struct st_sequences {
    struct st_pool pool;
    size_t pool_bytes;         /* taken from it */
    struct st_phrase *phrases; /* by name */
    uint32_t count, capacity;
    struct st_basic_element *elements;
    uint32_t element_count, element_capacity;
    uint32_t *slots; /* name + 1; open addressing */
    size_t slot_count;
    struct st_runs scratch[9];
    struct st_end ends[2]; /* of the join that is going on: 3 KiB, too much for a thread's stack */
    struct st_repeated *repeated; /* what was repeated last */
    enum st_error error;          /* of the operation that is going on */
    uint64_t work;                /* runs looked at, ever */
    uint64_t work_end; /* the most that it may become; may be set. ST_MOST_WORK at first */
    bool (*interrupted)(void *context); /* asked every ST_ASK runs; NULL: never */
    void *context;
    uint64_t order_mask; /* all bits; tests take some away: nothing may rest on it */
};

/* Some seconds. A struct of 10^6 irregular members takes less than 10^7. */
#define ST_MOST_WORK (UINT64_C(1) << 28)

void st_sequences_init(struct st_sequences *sequences);
void st_sequences_deinit(struct st_sequences *sequences);
/* Memory held, in bytes. */
size_t st_sequences_bytes(const struct st_sequences *sequences);

#define ST_ASK (UINT64_C(1) << 16)

/* Whether who asks has been told to stop: for long work that looks at no runs. */
static inline bool st_sequences_interrupted(const struct st_sequences *sequences)
{
    return sequences->interrupted && sequences->interrupted(sequences->context);
}

#define ST_EMPTY_SEQUENCE ((struct st_sequence){0, 0})

static inline bool st_sequence_equal(struct st_sequence a, struct st_sequence b)
{
    return a.count == b.count && (a.count == 0 || a.name == b.name);
}

/* In elements. */
int64_t st_sequence_length(const struct st_sequences *sequences, struct st_sequence sequence);

/* What a name on level 0 is. Valid until an element is added. */
const struct st_basic_element *st_sequence_element(const struct st_sequences *sequences,
                                                   uint32_t name);

/* All return ST_OVERFLOW for a length that leaves 64 bits, ST_NO_MEMORY, or ST_INTERRUPTED past
 * work_end or when `interrupted` says so. */

/* One element. Its name (char *) is copied. */
enum st_error st_sequence_of(struct st_sequences *sequences, const struct st_basic_element *element,
                             struct st_sequence *out);
enum st_error st_sequence_join(struct st_sequences *sequences, struct st_sequence first,
                               struct st_sequence second, struct st_sequence *out);
/* `times` copies, 0 or more. */
enum st_error st_sequence_repeat(struct st_sequences *sequences, struct st_sequence one,
                                 int64_t times, struct st_sequence *out);

/* Many sequences, one after the other: as if joined, and quicker.
 *
 *     st_series_begin(&series, sequences);
 *     for (...) {
 *         st_series_add(&series, sequence);
 *     }
 *     error = st_series_end(&series, &out);
 */
struct st_series {
    struct st_sequences *sequences;
    struct st_series_part {
        struct st_sequence sequence;
        uint64_t added; /* how many it consists of */
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

/* Adds a run to a list; it becomes part of the last one if that has the same name. On failure
 * sequences->error is set. */
void st_runs_add(struct st_sequences *sequences, struct st_runs *list, struct st_sequence run);
void st_runs_add_all(struct st_sequences *sequences, struct st_runs *list,
                     const struct st_sequence *runs, size_t count);

/* Whether name a comes before name b. */
bool st_name_before(const struct st_sequences *sequences, uint32_t a, uint32_t b);

/* Cuts `in` into phrases and adds their names to `out`. The first run begins a phrase; the last
 * one, whose right neighbour is another's first or nothing, does not. */
void st_sequence_cut(struct st_sequences *sequences, const struct st_runs *in, struct st_runs *out);

/* Cuts a whole sequence until one run is left. `list` is used up. */
enum st_error st_sequence_raise(struct st_sequences *sequences, struct st_runs *list,
                                struct st_sequence *out);

void st_end_open(struct st_end *end, const struct st_sequences *sequences, bool right, int level,
                 const struct st_sequence *runs, size_t count);

/* One level of a join: `list`, what is between the two ends on `level`, becomes what is between
 * them one level up. *whole: both ends are used up, and nothing was cut. */
void st_sequence_join_level(struct st_sequences *sequences, struct st_end *left,
                            struct st_end *right, int level, struct st_runs *list, bool *whole);

#endif
