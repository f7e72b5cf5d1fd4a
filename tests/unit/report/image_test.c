/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the memory of a process that were read at another place (cmd/nodes/image.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../../../cmd/nodes/image.h"

enum { PAGES = 5, BYTES = PAGES * IMAGE_PAGE };
#define BASE UINT64_C(0x7f0000000000)

static char memory[BYTES];
static bool known[BYTES]; /* the model: what has been touched, in units */

/* Touches a part that may reach over several pages, as a reader does. */
static void touch(struct image *image, size_t from, size_t length)
{
    while (length != 0) {
        const size_t offset = from % IMAGE_PAGE;
        const size_t part = length < IMAGE_PAGE - offset ? length : IMAGE_PAGE - offset;
        const size_t page = from - offset;
        image_touch(image, BASE + page, memory + page, offset, part);
        for (size_t i = from / IMAGE_UNIT * IMAGE_UNIT;
             i < (from + part + IMAGE_UNIT - 1) / IMAGE_UNIT * IMAGE_UNIT; i++) {
            known[i] = true;
        }
        from += part;
        length -= part;
    }
}

static void check_read(const struct image *image, size_t from, size_t length)
{
    static char read[BYTES];
    bool all = true;
    for (size_t i = from; i < from + length; i++) {
        all &= known[i];
    }
    assert_int_equal(image_read(image, BASE + from, read, length), all);
    if (all) {
        assert_memory_equal(read, memory + from, length);
    }
}

static struct image made(void)
{
    struct image image = {0};
    memset(known, 0, sizeof known);
    for (size_t i = 0; i < BYTES; i++) {
        memory[i] = (char)rand();
    }
    return image;
}

static void test_random_parts(void **state)
{
    (void)state;
    srand(1);
    for (int round = 0; round < 50; round++) {
        struct image image = made();
        for (int i = rand() % 12; i > 0; i--) {
            const size_t from = (size_t)rand() % (BYTES - 1);
            touch(&image, from, 1 + (size_t)rand() % (BYTES - from) / (1u << rand() % 8));
        }
        for (int i = 0; i < 200; i++) {
            const size_t from = (size_t)rand() % (BYTES - 1);
            const size_t size = 1 + (size_t)rand() % (BYTES - from) / (1u << rand() % 12);
            check_read(&image, from, size);
        }
        image_clear(&image);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
