/* Active buffers (active.h): the tree finds what comparing with all finds, in any order of coming
 * and going. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/overlap/active.h"
#include "heap.h"
#include "image.h"
#include "scene.h"

enum { MOST = 400, TYPES = 8 };

struct met {
    struct st_active *active[MOST];
    size_t count, stop_after;
    unsigned long undecided;
};

static bool note(void *context, struct st_active *active, enum st_verdict verdict,
                 const struct st_shared *shared)
{
    struct met *met = context;
    assert_true(verdict == ST_UNDECIDED || shared->length > 0);
    met->undecided += verdict == ST_UNDECIDED;
    met->active[met->count++] = active;
    return met->count != met->stop_after;
}

static uint64_t draw_address(uint64_t *seed)
{
    uint64_t near = image_random(seed) % 4000;
    return image_random(seed) % 4 ? 100000 + near : near - 2000;
}

static bool has_order(struct st_actives *actives, const struct st_active *active)
{
    const struct st_buffer *buffer = &active->buffer;
    return !buffer->doubt && buffer->first + (buffer->span - 1) >= buffer->first &&
           active->in.tree == &actives->tree;
}

static void check_query(struct st_actives *actives, struct st_active *records, const bool *in_use,
                        const struct st_buffer *buffer)
{
    struct met met = {0};
    struct st_effort effort = st_effort_of(1 << 20);
    bool told[MOST] = {false};
    st_actives_overlapping(actives, buffer, &effort, note, &met);
    for (size_t i = 0; i < met.count; i++) {
        size_t record = (size_t)(met.active[i] - records);
        assert_true(in_use[record] && !told[record]);
        told[record] = true;
        if (i > 0 && has_order(actives, met.active[i - 1]) && has_order(actives, met.active[i])) {
            assert_true(met.active[i - 1]->buffer.first <= met.active[i]->buffer.first);
        }
    }
    for (size_t i = 0; i < MOST; i++) {
        enum st_verdict verdict =
            in_use[i] ? st_overlap(&records[i].buffer, buffer, &effort, NULL) : ST_NO;
        assert_int_equal(told[i], verdict != ST_NO);
    }
    if (met.count > 1) {
        struct met early = {.stop_after = met.count - 1};
        st_actives_overlapping(actives, buffer, &effort, note, &early);
        assert_int_equal(early.count, met.count - 1);
        assert_memory_equal(early.active, met.active, early.count * sizeof early.active[0]);
    }
}

static void coming_and_going(void **state)
{
    struct scene *scene = *state;
    struct st_pool *pool = &scene->pool;
    uint64_t seed = image_seed(41);
    const struct st_type *byte = hand_basic(pool, 1), *real = hand_basic(pool, 8);
    const struct st_type *types[TYPES] = {byte,
                                          real,
                                          hand_contiguous(pool, 100, real),
                                          hand_vector(pool, ST_VECTOR, 20, 1, 3, real),
                                          hand_vector(pool, ST_HVECTOR, 50, 1, 17, byte),
                                          hand_contiguous(pool, 0, real),
                                          hand_opaque(pool, 8, 0, 8),
                                          hand_indexed(pool, ST_HINDEXED, 3,
                                                       (int64_t[]){-500, 0, 900},
                                                       (int64_t[]){1, 2, 3}, 0, real)};
    static struct st_active records[MOST];
    bool in_use[MOST] = {false};
    struct st_actives actives;
    size_t count = 0, most = 0, rows = 0;
    st_actives_init(&actives);
    for (int step = 0; step < 30000; step++) {
        size_t i = image_random(&seed) % MOST;
        bool grow = step / 3000 % 2 == 0 ? image_random(&seed) % 4 : image_random(&seed) % 4 == 0;
        if (in_use[i] == grow) {
            continue;
        }
        struct st_active *active = &records[i];
        if (grow) {
            /* an opaque one is rare, and overlaps all */
            uint64_t which = image_random(&seed) % (TYPES * 8);
            const struct st_type *type = types[which == TYPES       ? 6
                                               : which % TYPES == 6 ? 0
                                                                    : which % TYPES];
            memset(active, 0x5a, sizeof *active);
            active->buffer =
                scene_buffer(scene, type, image_between(&seed, 0, 3), draw_address(&seed));
            if (i % 3 == 0 && in_use[(i + 1) % MOST]) {
                active->buffer = records[(i + 1) % MOST].buffer; /* the same once more */
            }
            assert_int_equal(st_actives_insert(&actives, active), ST_OK);
        } else {
            st_actives_remove(&actives, active);
        }
        in_use[i] = grow;
        count += grow ? 1 : SIZE_MAX;
        most = count > most ? count : most;
        assert_int_equal(actives.count, count);
        rows += actives.rows[0].count > 0 && actives.rows[1].count > 0;
        if (step % (step / 1000 % 2 ? 32 : 250) ==
            0) { /* so that the list of waiting ones is full at times */
            const struct st_type *type = types[image_random(&seed) % TYPES];
            struct st_buffer buffer =
                scene_buffer(scene, type, image_between(&seed, 0, 3), draw_address(&seed));
            check_query(&actives, records, in_use, &buffer);
        }
    }
    assert_true(most > MOST / 2);
    assert_true(rows > 1000);
    for (size_t i = 0; i < MOST; i++) {
        if (in_use[i]) {
            st_actives_remove(&actives, &records[i]);
        }
    }
    assert_int_equal(actives.count, 0);
    assert_null(actives.tree.root);
    assert_null(actives.others);
}

/* Planes of one array lie in each other's gaps: a new one is compared with the first at most. */
static void planes(void **state)
{
    struct scene *scene = *state;
    enum { SIDE = 64 };
    const struct st_type *real = hand_basic(&scene->pool, 8);
    const struct st_type *columns =
        hand_vector(&scene->pool, ST_VECTOR, SIDE * SIDE, 1, SIDE, real);
    const struct st_type *sheets =
        hand_vector(&scene->pool, ST_VECTOR, SIDE, SIDE, SIDE * SIDE, real);
    const struct st_type *rows[] = {columns, sheets};
    const uint64_t steps[] = {8, 8 * SIDE};
    static struct st_active records[SIDE];
    struct st_effort effort = st_effort_of(1 << 20);
    struct st_actives actives;
    for (int i = 0; i < 2; i++) {
        st_actives_init(&actives);
        for (size_t k = 0; k < SIDE; k++) {
            struct met met = {0};
            records[k].buffer = scene_buffer(scene, rows[i], 1, 8192 + k * 29 % SIDE * steps[i]);
            st_actives_overlapping(&actives, &records[k].buffer, &effort, note, &met);
            assert_int_equal(met.count, 0);
            assert_int_equal(st_actives_insert(&actives, &records[k]), ST_OK);
        }
        for (size_t k = 0; k < SIDE; k++) {
            struct met met = {0};
            struct st_buffer buffer = records[k].buffer;
            st_actives_overlapping(&actives, &buffer, &effort, note, &met);
            assert_int_equal(met.count, 1);
            assert_ptr_equal(met.active[0], &records[k]);
            met.count = 0; /* one element, in the last row */
            buffer = scene_buffer(scene, real, 1, buffer.first + buffer.span - 8);
            st_actives_overlapping(&actives, &buffer, &effort, note, &met);
            assert_int_equal(met.count, 1);
            assert_ptr_equal(met.active[0], &records[k]);
        }
        assert_int_equal(actives.tree.count, 0); /* the first has moved */
        assert_int_equal(actives.rows[0].count, SIDE);
        st_actives_deinit(&actives);
    }
}

/* Puts `count` vectors of `rows` doubles, `stride` bytes apart, at `first`, `first` + step, ...; none
 * shares memory with another, and each is found. */
static void put_all(struct scene *scene, struct st_actives *actives, struct st_active *records,
                    size_t count, const struct st_type *vector, uint64_t first, uint64_t step)
{
    struct st_effort effort = st_effort_of(1 << 24);
    for (size_t k = 0; k < count; k++) {
        struct met met = {0};
        records[k].buffer = scene_buffer(scene, vector, 1, first + k * step);
        st_actives_overlapping(actives, &records[k].buffer, &effort, note, &met);
        assert_int_equal(met.count, 0);
        assert_int_equal(st_actives_insert(actives, &records[k]), ST_OK);
    }
    for (size_t k = 0; k < count; k++) {
        struct met met = {0};
        st_actives_overlapping(actives, &records[k].buffer, &effort, note, &met);
        assert_int_equal(met.count, 1);
        assert_ptr_equal(met.active[0], &records[k]);
    }
}

/* Vectors side by side have few places in a row, and are distinguished by their bounds:
 * all of them, if none begins in the row of another; else all but so many. */
static void along_one_another(void **state)
{
    struct scene *scene = *state;
    enum { MANY = 2000 };
    const struct st_type *real = hand_basic(&scene->pool, 8);
    const struct st_type *vector = hand_vector(&scene->pool, ST_HVECTOR, 64, 1, 160, real);
    const struct st_type *narrow = hand_vector(&scene->pool, ST_HVECTOR, 4, 1, 64, real);
    static struct st_active records[MANY], beside;
    struct st_actives actives;
    st_actives_init(&actives);
    put_all(scene, &actives, records, MANY, vector, 8192, 1608);
    assert_int_equal(actives.tree.count, MANY);
    st_actives_deinit(&actives);

    st_actives_init(&actives);
    beside.buffer = scene_buffer(scene, narrow, 1, 8192 + 8);
    assert_int_equal(st_actives_insert(&actives, &beside), ST_OK);
    put_all(scene, &actives, records, MANY, narrow, 8192, 184);
    assert_in_range(actives.rows[0].count, 2, 16 * 64 / 8 + 16);
    assert_int_equal(actives.tree.count + actives.rows[0].count, MANY + 1);
    st_actives_deinit(&actives);
}

/* Removed by what it is: of many with the same bounds, the right one. */
static void the_same_bounds(void **state)
{
    struct scene *scene = *state;
    static struct st_active records[MOST];
    struct st_actives actives;
    struct st_buffer buffer = scene_buffer(scene, hand_basic(&scene->pool, 8), 1, 4096);
    struct st_effort effort = st_effort_of(1 << 20);
    st_actives_init(&actives);
    for (size_t i = 0; i < MOST; i++) {
        records[i].buffer = buffer;
        assert_int_equal(st_actives_insert(&actives, &records[i]), ST_OK);
    }
    for (size_t i = 0; i < MOST; i++) {
        size_t k = (i * 7 + 3) % MOST;
        struct met met = {0};
        st_actives_overlapping(&actives, &buffer, &effort, note, &met);
        assert_int_equal(met.count, MOST - i);
        st_actives_remove(&actives, &records[k]);
        met.count = 0;
        st_actives_overlapping(&actives, &buffer, &effort, note, &met);
        for (size_t m = 0; m < met.count; m++) {
            assert_ptr_not_equal(met.active[m], &records[k]);
        }
    }
    assert_int_equal(actives.count, 0);
}

/* Many, in and out in order and against it; what is left at the end is freed. */
static void thousands(void **state)
{
    struct scene *scene = *state;
    enum { MANY = 20000 };
    struct st_active *records = calloc(MANY, sizeof *records);
    const struct st_type *real = hand_basic(&scene->pool, 8);
    struct st_effort effort = st_effort_of(1 << 20);
    struct st_actives actives;
    st_actives_init(&actives);
    for (int round = 0; round < 4; round++) {
        for (size_t i = 0; i < MANY; i++) {
            size_t k = round % 2 ? MANY - 1 - i : i;
            records[k].buffer = scene_buffer(scene, real, 1, 4096 + 16 * k);
            assert_int_equal(st_actives_insert(&actives, &records[k]), ST_OK);
        }
        for (size_t k = 0; k < MANY; k += 97) {
            struct met met = {0};
            struct st_buffer one = scene_buffer(scene, real, 1, 4096 + 16 * k + 7);
            struct st_buffer gap = scene_buffer(scene, real, 1, 4096 + 16 * k + 8);
            st_actives_overlapping(&actives, &gap, &effort, note, &met);
            assert_int_equal(met.count, 0);
            st_actives_overlapping(&actives, &one, &effort, note, &met);
            assert_int_equal(met.count, 1);
            assert_ptr_equal(met.active[0], &records[k]);
        }
        for (size_t i = 0; round < 3 && i < MANY; i++) {
            st_actives_remove(&actives, &records[round == 1 ? MANY - 1 - i : i * 7919 % MANY]);
        }
        assert_int_equal(actives.count, round < 3 ? 0 : MANY);
        assert_true(round == 3 || !actives.tree.root);
    }
    st_actives_deinit(&actives);
    free(records);
}

/* Without memory for a tree all are found that were inserted, and each can be removed. */
static void without_memory(void **state)
{
    struct scene *scene = *state;
    const struct st_type *real = hand_basic(&scene->pool, 8);
    static struct st_active records[2 * ST_ACTIVE_WAITING];
    struct st_active refused;
    uint64_t seed = image_seed(43);
    for (long blocks = 1; blocks < 6; blocks++) {
        struct st_actives actives;
        bool in_use[2 * ST_ACTIVE_WAITING];
        size_t count = 0;
        st_actives_init(&actives);
        for (size_t k = 0; k < 2 * ST_ACTIVE_WAITING; k++) {
            records[k].buffer = scene_buffer(scene, real, 1, 4096 + 8 * k);
        }
        refused.buffer = scene_buffer(scene, real, 1, 1 << 20);
        heap_end_after(blocks);
        while (count < 2 * ST_ACTIVE_WAITING &&
               st_actives_insert(&actives, &records[count]) == ST_OK) {
            in_use[count++] = true;
        }
        assert_int_equal(st_actives_insert(&actives, &refused) == ST_OK,
                         count == 2 * ST_ACTIVE_WAITING);
        assert_true(count >= ST_ACTIVE_WAITING);
        assert_true(blocks > 1 || count == ST_ACTIVE_WAITING);
        if (count == 2 * ST_ACTIVE_WAITING) {
            st_actives_remove(&actives, &refused);
        }
        for (size_t gone = 0; gone < count; gone++) {
            struct st_effort effort = st_effort_of(1 << 24);
            for (size_t k = 0; k < count; k++) {
                struct met met = {0};
                st_actives_overlapping(&actives, &records[k].buffer, &effort, note, &met);
                assert_int_equal(met.count, in_use[k]);
            }
            size_t next = count / 2 + image_random(&seed) % (count / 2); /* these wait */
            while (!in_use[next]) {
                next = (next + 1) % count;
            }
            st_actives_remove(&actives, &records[next]);
            in_use[next] = false;
        }
        assert_int_equal(actives.count, 0);
        heap_end_after(-1);
        st_actives_deinit(&actives);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(coming_and_going, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(planes, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(along_one_another, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(the_same_bounds, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(thousands, scene_setup, scene_teardown),
        cmocka_unit_test_setup_teardown(without_memory, scene_setup, scene_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
