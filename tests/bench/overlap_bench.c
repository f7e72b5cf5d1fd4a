/*
 * What overlap costs: planes of an array against the paper's own block lists and strided blocks,
 * combs, irregular types, active buffers. Each figure is the minimum of runs that are interleaved
 * with those it is compared with. Ends with 1 if a limit is not held.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/overlap/active.h"
#include "blocklist.h"
#include "hand.h"
#include "core/overlap/overlap.h"
#include "core/overlap/self_overlap.h"

enum { ROUNDS = 15, MOST_LISTS = 24 };

static int failed;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void keep_least(double *least, double value)
{
    if (*least == 0 || value < *least) {
        *least = value;
    }
}

/* One line; `held` tells whether the figure is within its limit. */
static void say(const char *what, double value, const char *unit, const char *limit, bool held)
{
    printf("%-66s %10.4g %s%s%s%s\n", what, value, unit, *limit ? " (" : "", limit,
           *limit ? held ? ")" : ") NOT HELD" : "");
    failed |= !held;
}

static void must(bool holds, const char *what)
{
    if (!holds) {
        printf("wrong answer: %s\n", what);
        exit(1);
    }
}

static const struct st_layout *laid_out(struct st_layouts *layouts, const struct st_type *type)
{
    struct st_effort effort = st_effort_of(0);
    const struct st_layout *layout;
    must(st_layout_of(layouts, type, &effort, &layout) == ST_OK, "no layout");
    return layout;
}

static enum st_verdict ask(const struct st_buffer *a, const struct st_buffer *b)
{
    struct st_effort effort = st_effort_of(ST_EFFORT_STEPS);
    struct st_shared shared;
    return st_overlap(a, b, &effort, &shared);
}

static struct st_buffer buffer_of(struct st_layouts *layouts, const struct st_type *type,
                                  int64_t count, uint64_t address)
{
    struct st_buffer buffer;
    st_buffer_init(&buffer, laid_out(layouts, type), type, count, address);
    return buffer;
}

/* --- planes --------------------------------------------------------------------------------------
 */

/* The three kinds of planes of a k^3 array of doubles, first and second of each, made as vectors,
 * as subarrays, as hvectors of vectors. */
enum { KINDS = 3, FORMS = 3, PLANES = KINDS * FORMS };

struct planes {
    int64_t k;
    const struct st_type *types[PLANES];
    struct st_buffer first[PLANES], second[PLANES];
    struct blocklist plain[PLANES], strided[PLANES];
    double ours, by_plain, by_strided;
};

static void make_planes(struct planes *planes, struct st_pool *pool, struct st_layouts *layouts,
                        int64_t k, bool lists)
{
    const struct st_type *real = hand_basic(pool, 8);
    const struct st_type *row = hand_contiguous(pool, k, real);
    const struct st_type *column = hand_vector(pool, ST_VECTOR, k, 1, k, real);
    const int64_t size[] = {k, k, k}, start[] = {0, 0, 0};
    const int64_t next[KINDS] = {8 * k * k, 8 * k, 8};
    const struct st_type *types[PLANES] = {
        hand_vector(pool, ST_VECTOR, k, k, k, real),
        hand_vector(pool, ST_VECTOR, k, k, k * k, real),
        hand_vector(pool, ST_VECTOR, k * k, 1, k, real),
        hand_subarray(pool, 3, size, (int64_t[]){1, k, k}, start, false, real),
        hand_subarray(pool, 3, size, (int64_t[]){k, 1, k}, start, false, real),
        hand_subarray(pool, 3, size, (int64_t[]){k, k, 1}, start, false, real),
        hand_vector(pool, ST_HVECTOR, k, 1, 8 * k, row),
        hand_vector(pool, ST_HVECTOR, k, 1, 8 * k * k, row),
        hand_vector(pool, ST_HVECTOR, k, 1, 8 * k * k, column)};
    *planes = (struct planes){.k = k};
    for (int p = 0; p < PLANES; p++) {
        planes->types[p] = types[p];
        planes->first[p] = buffer_of(layouts, types[p], 1, 4096);
        planes->second[p] = buffer_of(layouts, types[p], 1, 4096 + (uint64_t)next[p % KINDS]);
        if (lists) {
            blocklist_of(&planes->plain[p], types[p], BLOCKLIST_PLAIN);
            blocklist_of(&planes->strided[p], types[p], BLOCKLIST_STRIDED);
        }
    }
}

static void free_lists(struct planes *planes)
{
    for (int p = 0; p < PLANES; p++) {
        blocklist_deinit(&planes->plain[p]);
        blocklist_deinit(&planes->strided[p]);
    }
}

/* All pairs: the answers must be the same; planes of a kind are disjoint, all others cross. */
static double ask_planes(const struct planes *planes)
{
    double start = now();
    for (int i = 0; i < PLANES; i++) {
        for (int j = 0; j < PLANES; j++) {
            must((ask(&planes->first[i], &planes->second[j]) == ST_YES) == (i % KINDS != j % KINDS),
                 "planes");
        }
    }
    return (now() - start) / (PLANES * PLANES);
}

static double ask_lists(const struct blocklist *lists, int64_t k)
{
    const int64_t next[KINDS] = {8 * k * k, 8 * k, 8};
    double start = now();
    for (int i = 0; i < PLANES; i++) {
        for (int j = 0; j < PLANES; j++) {
            must(blocklists_overlap(&lists[i], 0, &lists[j], next[j % KINDS]) ==
                     (i % KINDS != j % KINDS),
                 "block lists of planes");
        }
    }
    return (now() - start) / (PLANES * PLANES);
}

static void bench_planes(struct st_pool *pool, struct st_layouts *layouts)
{
    static const int64_t sizes[] = {64, 1024, 2048};
    enum { SIZES = 3 };
    struct planes planes[SIZES];
    for (int s = 0; s < SIZES; s++) {
        make_planes(&planes[s], pool, layouts, sizes[s], sizes[s] <= 1024);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int repeat = 0; repeat < 20; repeat++) {
            for (int s = 0; s < SIZES; s++) {
                keep_least(&planes[s].ours, ask_planes(&planes[s]));
            }
        }
        for (int s = 0; s < SIZES && round % 3 == 0; s++) {
            if (planes[s].k <= 1024) {
                keep_least(&planes[s].by_plain, ask_lists(planes[s].plain, planes[s].k));
                keep_least(&planes[s].by_strided, ask_lists(planes[s].strided, planes[s].k));
            }
        }
    }
    for (int s = 0; s < SIZES; s++) {
        char what[100];
        snprintf(what, sizeof what, "planes of a %lld^3 array, a pair", (long long)planes[s].k);
        say(what, planes[s].ours, "ns", "", true);
        free_lists(&planes[s]);
    }
    double growth = planes[2].ours / planes[0].ours;
    say("  2048 against 64", growth, "times", "limit 1.5", growth <= 1.5);
    double plain = planes[1].by_plain / planes[1].ours;
    double strided = planes[1].by_strided / planes[1].ours;
    say("  1024: the paper's block lists", plain, "times as long", "at least 1000", plain >= 1000);
    say("  1024: its single-level strided blocks", strided, "times as long", "at least 10",
        strided >= 10);
}

/* Small planes at all distances: the three ways must agree. */
static void compare_answers(struct st_pool *pool, struct st_layouts *layouts)
{
    struct planes planes;
    unsigned long yes = 0, all = 0;
    const int64_t k = 6;
    make_planes(&planes, pool, layouts, k, true);
    for (int i = 0; i < PLANES; i++) {
        for (int j = 0; j < PLANES; j++) {
            for (int64_t shift = -8 * k * k * k; shift < 8 * k * k * k; shift += 3) {
                struct st_buffer b = planes.first[j];
                b.first += (uint64_t)shift;
                bool ours = ask(&planes.first[i], &b) == ST_YES;
                must(ours == blocklists_overlap(&planes.plain[i], 0, &planes.plain[j], shift),
                     "not that of the block lists");
                must(ours == blocklists_overlap(&planes.strided[i], 0, &planes.strided[j], shift),
                     "not that of the strided blocks");
                yes += ours;
                all++;
            }
        }
    }
    free_lists(&planes);
    printf("%lu of %lu pairs of small planes overlap, in all three ways\n", yes, all);
}

/* --- combs, and copies ---------------------------------------------------------------------------
 */

static void bench_combs(struct st_pool *pool, struct st_layouts *layouts)
{
    const struct st_type *byte = hand_basic(pool, 1);
    const int64_t billion = 1000000000;
    enum { PAIRS = 16 };
    struct st_buffer a[PAIRS], b[PAIRS];
    double least = 0;
    unsigned long yes = 0;
    for (int i = 0; i < PAIRS; i++) { /* coprime: odd, and a power of two times five */
        a[i] = buffer_of(layouts,
                         hand_vector(pool, ST_HVECTOR, billion, 1, 1000001 + 2 * (5 * i + 1), byte),
                         1, 77);
        b[i] =
            buffer_of(layouts, hand_vector(pool, ST_HVECTOR, billion, 1, 1 << (17 + i % 4), byte),
                      1, 123456789 + 977 * (uint64_t)i);
    }
    for (int round = 0; round < ROUNDS * 20; round++) {
        double start = now();
        yes = 0;
        for (int i = 0; i < PAIRS; i++) {
            yes += ask(&a[i], &b[i]) == ST_YES;
        }
        keep_least(&least, (now() - start) / PAIRS);
    }
    must(yes == PAIRS, "combs");
    say("two combs of 10^9 teeth, coprime strides", least, "ns", "limit 2000", least < 2000);
}

/* Self-overlap from nothing: layouts, and the smallest count. */
static double ask_self(const struct st_type *type, int64_t expected)
{
    struct st_layouts layouts;
    struct st_effort effort = st_effort_of(1 << 20);
    struct st_self_overlap self;
    st_layouts_init(&layouts);
    double start = now();
    enum st_verdict verdict = st_self_overlap(&layouts, type, INT64_MAX, &effort, &self);
    double took = now() - start;
    must(verdict == ST_YES && self.count == expected, "self-overlap");
    st_layouts_deinit(&layouts);
    return took;
}

static void bench_self(struct st_pool *pool)
{
    double few = 0, many = 0;
    const struct st_type *real = hand_basic(pool, 8), *types[2];
    const int64_t sizes[2] = {1 << 6, 1 << 29};
    for (int i = 0; i < 2; i++) { /* columns side by side, three elements wide */
        int64_t k = sizes[i];
        const struct st_type *column = hand_vector(pool, ST_VECTOR, k, 3, k, real);
        types[i] = hand_resized(pool, 0, 8 * (k / 2), column);
    }
    for (int round = 0; round < ROUNDS * 100; round++) {
        keep_least(&few, ask_self(types[0], 3));
        keep_least(&many, ask_self(types[1], 3));
    }
    say("self-overlap of a column of 64, from nothing", few, "ns", "", true);
    say("  a column of 2^29", many / few, "times", "limit 1.5", many / few <= 1.5);
}

/* --- irregular types
 * ------------------------------------------------------------------------------ */

/* Blocks of 8 bytes at distances that vary, from `first` on. */
static const struct st_type *irregular(struct st_pool *pool, int64_t count, int64_t first)
{
    int64_t *offsets = malloc((size_t)count * sizeof *offsets);
    must(offsets != NULL, "no memory");
    for (int64_t i = 0; i < count; i++) {
        offsets[i] = first + 64 * i + 16 * (i * i % 3);
    }
    const struct st_type *type =
        hand_indexed(pool, ST_HINDEXED_BLOCK, count, offsets, NULL, 1, hand_basic(pool, 8));
    free(offsets);
    return type;
}

static double ask_small(const struct st_buffer *list, struct st_buffer *small, int64_t count)
{
    enum { TIMES = 1000 };
    double start = now();
    for (int i = 0; i < TIMES; i++) {
        small->first = list->first + (uint64_t)(i * 7919 % count) * 64 + 56;
        must(ask(list, small) == ST_NO, "a gap");
    }
    return (now() - start) / TIMES;
}

static void bench_irregular(struct st_pool *pool)
{
    enum { FEW = 10000, MANY = 1000000 };
    double make = 0, above = 0, both = 0, in_few = 0, in_many = 0;
    const struct st_type *few = irregular(pool, FEW, 0), *many = irregular(pool, MANY, 0);
    const struct st_type *other = irregular(pool, MANY, 8);
    const struct st_type *over = hand_vector(pool, ST_HVECTOR, 10, 2, 1 << 30, many);
    for (int round = 0; round < ROUNDS; round++) {
        struct st_layouts layouts;
        st_layouts_init(&layouts);
        double start = now();
        laid_out(&layouts, many);
        keep_least(&make, now() - start);
        start = now();
        laid_out(&layouts, over);
        keep_least(&above, now() - start);
        struct st_buffer a = buffer_of(&layouts, many, 1, 4096);
        struct st_buffer b = buffer_of(&layouts, other, 1, 4096);
        struct st_buffer c = buffer_of(&layouts, few, 1, 4096);
        struct st_buffer small = buffer_of(&layouts, hand_basic(pool, 4), 1, 0);
        start = now();
        must(ask(&a, &b) == ST_NO, "irregular types");
        keep_least(&both, now() - start);
        keep_least(&in_few, ask_small(&c, &small, FEW));
        keep_least(&in_many, ask_small(&a, &small, MANY));
        st_layouts_deinit(&layouts);
    }
    say("layout of 10^6 hindexed blocks", make / 1e6, "ms", "", true);
    say("  of a type above it", above, "ns", "limit 10000", above < 10000);
    say("two such types against one another", both / 1e6, "ms", "", true);
    say("a small buffer against 10^4 blocks", in_few, "ns", "", true);
    say("  against 10^6", in_many / in_few, "times", "limit 4", in_many / in_few <= 4);
}

/* --- active buffers
 * ------------------------------------------------------------------------------- */

static bool count_met(void *context, struct st_active *active, enum st_verdict verdict,
                      const struct st_shared *shared)
{
    (void)active;
    (void)verdict;
    (void)shared;
    ++*(unsigned long *)context;
    return true;
}

/* Operations under way. They end in the order in which they began; each has its buffer in one of
 * many places, of which as many again are free. */
struct window {
    struct st_actives actives;
    struct st_active *records;
    uint64_t *places; /* of the records; the free ones */
    const struct st_layout *layout;
    const struct st_type *type;
    uint64_t apart;
    size_t count, oldest;
    uint64_t seed;
    double least;
};

static uint64_t draw(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void begin(struct window *window, size_t i)
{
    struct st_active *active = &window->records[i];
    struct st_effort effort = st_effort_of(1000);
    unsigned long met = 0;
    st_buffer_init(&active->buffer, window->layout, window->type, 1,
                   4096 + window->places[i] * window->apart);
    st_actives_overlapping(&window->actives, &active->buffer, &effort, count_met, &met);
    must(met == 0, "active buffers");
    must(st_actives_insert(&window->actives, active) == ST_OK, "no memory");
}

static void swap_place(struct window *window, size_t i)
{
    size_t j = window->count + draw(&window->seed) % window->count;
    uint64_t place = window->places[i];
    window->places[i] = window->places[j];
    window->places[j] = place;
}

static void fill(struct window *window, size_t count)
{
    st_actives_init(&window->actives);
    window->seed = 1;
    window->count = count;
    window->records = malloc(count * sizeof *window->records);
    window->places = malloc(2 * count * sizeof *window->places);
    must(window->records && window->places, "no memory");
    for (size_t i = 0; i < 2 * count; i++) {
        window->places[i] = i;
    }
    for (size_t i = 0; i < count; i++) {
        swap_place(window, i);
        begin(window, i);
    }
}

/* The oldest ends, another begins. */
static double move_on(struct window *window, int times)
{
    double start = now();
    for (int i = 0; i < times; i++) {
        st_actives_remove(&window->actives, &window->records[window->oldest]);
        swap_place(window, window->oldest);
        begin(window, window->oldest);
        window->oldest = (window->oldest + 1) % window->count;
    }
    return (now() - start) / times;
}

/* 100 and 10,000 of a type, `apart` bytes apart. */
static void bench_actives(struct st_layouts *layouts, const struct st_type *type, uint64_t apart,
                          const char *what)
{
    struct window windows[2];
    for (int i = 0; i < 2; i++) {
        windows[i] =
            (struct window){.layout = laid_out(layouts, type), .type = type, .apart = apart};
        fill(&windows[i], i ? 10000 : 100);
    }
    for (int round = 0; round < ROUNDS * 50; round++) {
        for (int i = 0; i < 2; i++) {
            keep_least(&windows[i].least, move_on(&windows[i], 2000));
        }
    }
    char line[100];
    snprintf(line, sizeof line, "100 active buffers, %s: remove, check, insert", what);
    say(line, windows[0].least, "ns", "", true);
    double growth = windows[1].least / windows[0].least;
    say("  10,000", growth, "times", "limit 2", growth <= 2);
    for (int i = 0; i < 2; i++) {
        st_actives_deinit(&windows[i].actives);
        free(windows[i].records);
        free(windows[i].places);
    }
}

int main(void)
{
    struct st_pool pool;
    struct st_layouts layouts;
    st_pool_init(&pool);
    st_layouts_init(&layouts);
    compare_answers(&pool, &layouts);
    bench_planes(&pool, &layouts);
    bench_combs(&pool, &layouts);
    bench_self(&pool);
    bench_irregular(&pool);
    bench_actives(&layouts, hand_contiguous(&pool, 64, hand_basic(&pool, 8)), 512, "side by side");
    bench_actives(&layouts, hand_vector(&pool, ST_HVECTOR, 64, 1, 160, hand_basic(&pool, 8)), 1608,
                  "interleaved");
    st_layouts_deinit(&layouts);
    st_pool_deinit(&pool);
    return failed;
}
