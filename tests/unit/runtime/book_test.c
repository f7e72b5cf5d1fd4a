/* The book of blocks (heap/book.h) against a list, and with threads. */
#include "unit/runtime/unit.h"

#include <pthread.h>
#include <string.h>

#include "heap/book.h"

enum { BLOCKS = 400, ROUNDS = 200000, THREADS = 4 };

static uint64_t random_number(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *seed >> 33;
}

/* From 0 bytes to 2^40, as many of each length of number. */
static uint64_t random_bytes(uint64_t *seed)
{
    uint64_t bytes = random_number(seed) << 9 ^ random_number(seed);
    return bytes >> (random_number(seed) % 40);
}

struct listed {
    uint64_t start, bytes;
    uint16_t site;
    bool lives;
};

static bool meets(const struct listed *list, uint64_t start, uint64_t bytes)
{
    for (int i = 0; i < BLOCKS; i++)
        if (list[i].lives && start < list[i].start + list[i].bytes + 16 &&
            list[i].start < start + bytes + 16)
            return true;
    return false;
}

static const struct listed *find(const struct listed *list, uint64_t address)
{
    for (int i = 0; i < BLOCKS; i++)
        if (list[i].lives && address - list[i].start < (list[i].bytes ? list[i].bytes : 1))
            return &list[i];
    return NULL;
}

static void agrees(struct st_book *book, const struct listed *list, uint64_t address)
{
    struct st_book_entry entry;
    const struct listed *expected = find(list, address);
    bool found = st_book_find(book, address, &entry);
    assert_int_equal(found, expected != NULL);
    if (found) {
        assert_int_equal(entry.start, expected->start);
        assert_int_equal(entry.bytes, expected->bytes);
        assert_int_equal(entry.site, expected->site);
    }
}

static void against_a_list(void **state)
{
    static struct st_book book;
    static struct listed list[BLOCKS];
    uint64_t seed = 1;
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        struct listed *block = &list[random_number(&seed) % BLOCKS];
        struct st_book_entry entry;
        if (block->lives) {
            assert_true(st_book_strike(&book, block->start, &entry));
            assert_int_equal(entry.bytes, block->bytes);
            block->lives = false;
            assert_false(st_book_strike(&book, block->start, &entry));
        } else {
            uint64_t near = (random_number(&seed) % 8 + 1) << 40;
            *block = (struct listed){.start = near + random_bytes(&seed) / 16 * 16 +
                                              (random_number(&seed) % 8 ? 0 : 8),
                                     .bytes = random_bytes(&seed),
                                     .site = (uint16_t)random_number(&seed)};
            block->lives = !meets(list, block->start, block->bytes);
            if (block->lives)
                st_book_enter(&book, block->start, block->bytes, block->site);
        }
        const struct listed *other = &list[random_number(&seed) % BLOCKS];
        agrees(&book, list, other->start);
        agrees(&book, list, other->start - 1);
        agrees(&book, list, other->start + other->bytes / 2);
        agrees(&book, list, other->start + other->bytes - 1);
        agrees(&book, list, other->start + other->bytes);
    }
}

static void what_is_gone_unseen(void **state)
{
    static struct st_book book;
    struct st_book_entry entry;
    (void)state;
    st_book_enter(&book, 0x10000, 10000, 1);
    st_book_enter(&book, 0x10100, 100, 2); /* inside: the first one must be gone */
    assert_true(st_book_find(&book, 0x10100 + 99, &entry) && entry.bytes == 100);
    assert_false(st_book_find(&book, 0x10100 + 100, &entry));
    assert_int_equal(entry.start, 0x10100);
    assert_true(st_book_find(&book, 0x100ff, &entry) && entry.bytes == 10000);
    st_book_enter(&book, 0x10000, 20, 3); /* at the same address */
    assert_true(st_book_find(&book, 0x10000, &entry) && entry.bytes == 20);
    st_book_enter(&book, 0x10000, 300, 3);
    assert_true(st_book_find(&book, 0x10000, &entry) && entry.bytes == 300);
    st_book_enter(&book, UINT64_C(1) << 63, 100, 1); /* no program's */
    st_book_enter(&book, 0x20000, UINT64_C(1) << 62, 1);
    assert_false(st_book_find(&book, UINT64_C(1) << 63, &entry));
    assert_false(st_book_find(&book, 0x20000, &entry));
    assert_false(st_book_find(&book, 0, &entry));
    assert_false(st_book_find(&book, UINT64_MAX, &entry));
}

static struct st_book shared;

/* Each thread has blocks of its own, side by side with those of the others. */
static void *work(void *context)
{
    uint64_t seed = (uint64_t)(uintptr_t)context + 1, mine = seed;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t bytes = random_number(&seed) % 3 ? random_number(&seed) % 200 : 4000;
        uint64_t start = 0x100000 + (random_number(&seed) % 64 * THREADS + mine) * 4096;
        struct st_book_entry entry;
        st_book_enter(&shared, start, bytes, (uint16_t)mine);
        if (!st_book_find(&shared, start + bytes / 2, &entry) || entry.start != start ||
            entry.bytes != bytes || entry.site != mine)
            return &shared;
        if (!st_book_strike(&shared, start, &entry) || entry.bytes != bytes)
            return &shared;
    }
    return NULL;
}

static void with_threads(void **state)
{
    pthread_t threads[THREADS];
    (void)state;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i);
    for (int i = 0; i < THREADS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_a_list),
        cmocka_unit_test(what_is_gone_unseen),
        cmocka_unit_test(with_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
