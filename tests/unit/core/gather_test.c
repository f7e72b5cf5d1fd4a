/* SPDX-License-Identifier: BSD-3-Clause */
/* st_gather() of render.h: elements side by side, without the gaps between them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "rendering.h"

/* A pair leaves a gap to its neighbour, which is not gathered. */
static void gathered_pairs_are_packed(void **state)
{
    (void)state;
    struct rendering *s = rendering_new();
    unsigned char buffer[64], packed[36];
    for (int i = 0; i < 64; i++) {
        buffer[i] = (unsigned char)i;
    }
    uint32_t pair = image_named(&s->f.image, "MPI_DOUBLE_INT", 12);
    s->f.image.nodes[pair].args[2] = 16;
    uint32_t four = image_contiguous(&s->f.image, 4, pair);
    rendering_open(s, buffer, sizeof buffer);
    struct st_place place = st_place_of(fixture_type(&s->f, four), s->at);
    struct st_fault fault;
    assert_int_equal(st_gather(&place, &s->memory, 1, 4, packed, &fault), ST_OK);
    for (size_t i = 0; i < 3; i++) {
        assert_memory_equal(packed + 12 * i, buffer + 16 * (i + 1), 12);
    }
    rendering_free(s);
}

static void gathered_elements_are_the_children_one_by_one(void **state)
{
    (void)state;
    uint64_t seed = image_seed(77);
    for (int i = 0; i < 300; i++) {
        struct rendering *s = rendering_new();
        int64_t buffer[200], packed[16];
        for (int j = 0; j < 200; j++) {
            buffer[j] = j;
        }
        uint32_t number = image_named(&s->f.image, "MPI_LONG", 8);
        int64_t stride = image_between(&seed, -8, 8);
        uint32_t spaced = image_resized(&s->f.image, 0, stride * 8, number);
        uint32_t dims[] = {image_contiguous(&s->f.image, 12, number),
                           image_darray(&s->f.image, 3, 1, 1, (int64_t[]){40}, (int64_t[]){2},
                                        (int64_t[]){2}, (int64_t[]){3}, false, number),
                           image_contiguous(&s->f.image, 12, spaced)};
        rendering_open(s, buffer, sizeof buffer);
        for (size_t d = 0; d < 3; d++) {
            struct st_place place = st_place_of(fixture_type(&s->f, dims[d]), s->at + 800);
            struct st_fault fault = {0};
            if (!st_place_run(&place)) {
                continue; /* resized: a stage of its own between */
            }
            int64_t start = image_between(&seed, 0, 6), stop = image_between(&seed, start, 12);
            assert_int_equal(st_gather(&place, &s->memory, start, stop, packed, &fault), ST_OK);
            for (int64_t e = start; e < stop; e++) {
                struct st_place child;
                assert_int_equal(st_place_child(&place, e, &child), ST_OK);
                assert_int_equal(packed[e - start], (child.address - s->at) / 8);
            }
        }
        rendering_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gathered_pairs_are_packed),
        cmocka_unit_test(gathered_elements_are_the_children_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
