/* Seals: what a buffer's bytes were, and where others are now. */
#define _GNU_SOURCE
#include "runtime/objects/seals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/objects/peek.h"
#include "unit/runtime/unit.h"

static uint64_t at(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static struct st_buffer solid(const void *from, uint64_t bytes)
{
    return (struct st_buffer){
        .first = at(from), .span = bytes, .item = {.count = bytes, .stride = 1}, .disjoint = true};
}

/* `count` blocks of `length` bytes, `stride` apart. */
static struct st_buffer comb(const void *from, uint64_t count, uint64_t length, uint64_t stride)
{
    static union {
        struct st_layout layout;
        char room[sizeof(struct st_layout) + sizeof(struct st_level)];
    } of;
    uint64_t span = (count - 1) * stride + length;
    of.layout = (struct st_layout){
        .references = 1, .span = span, .parts = count, .length = length, .level_count = 1};
    of.layout.levels[0] = (struct st_level){count, stride};
    return (struct st_buffer){
        .first = at(from), .span = span, .item = {.count = 1, .of = &of.layout}, .disjoint = true};
}

/* What a piece is of so many bytes. */
static uint64_t piece_of(uint64_t bytes)
{
    uint64_t piece = 8;
    while (bytes > piece * ST_SEAL_PIECES)
        piece *= 2;
    return piece;
}

static void each_byte_counts(void **state)
{
    static const uint64_t sizes[] = {1,    7,    8,    9,    40,     41,      63,           64,
                                     1000, 4096, 4097, 4104, 100000, 1 << 20, (1 << 20) + 3};
    static unsigned char memory[(1 << 20) + 64];
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t size = sizes[i], piece = piece_of(size);
        struct st_buffer buffer = solid(memory + 5, size);
        struct st_seal seal;
        struct st_breach breach;
        assert_true(st_seal_make(&seal, &buffer));
        assert_true(seal.bytes == size && seal.count <= ST_SEAL_PIECES);
        assert_false(st_seal_broken(&seal, &buffer, &breach));
        memory[4]++, memory[5 + size]++; /* beside it */
        assert_false(st_seal_broken(&seal, &buffer, &breach));
        for (uint64_t k = 0; k < size; k += 1 + size / 100) {
            uint64_t from = k / piece * piece, to = from + piece < size ? from + piece : size;
            memory[5 + k] ^= 0x10;
            assert_true(st_seal_broken(&seal, &buffer, &breach));
            assert_true(breach.first == at(memory + 5 + from));
            assert_true(breach.last == at(memory + 5 + to - 1));
            assert_true(breach.bytes == to - from && breach.all == size);
            memory[5 + k] ^= 0x10; /* and back */
            assert_false(st_seal_broken(&seal, &buffer, &breach));
        }
        st_seal_drop(&seal);
    }
}

static void gaps_do_not(void **state)
{
    static const uint64_t combs[][3] = {{3, 8, 16},     {100, 3, 7},         {600, 16, 4104},
                                        {50, 8, 20000}, {2, 200000, 200001}, {5000, 1, 2}};
    unsigned char *memory = calloc(1, 3 << 20);
    (void)state;
    for (size_t i = 0; i < sizeof combs / sizeof *combs; i++) {
        uint64_t count = combs[i][0], length = combs[i][1], stride = combs[i][2];
        struct st_buffer buffer = comb(memory, count, length, stride);
        struct st_seal seal;
        struct st_breach breach;
        assert_true(st_seal_make(&seal, &buffer));
        assert_true(seal.bytes == count * length);
        for (uint64_t k = 0; k < buffer.span; k++)
            if (k % stride >= length)
                memory[k]++;
        assert_false(st_seal_broken(&seal, &buffer, &breach));
        uint64_t last = (count - 1) * stride + length - 1;
        memory[last]++;
        assert_true(st_seal_broken(&seal, &buffer, &breach));
        assert_true(breach.last == at(memory + last) && breach.bytes <= piece_of(seal.bytes));
        memory[0]++;
        assert_true(st_seal_broken(&seal, &buffer, &breach));
        assert_true(breach.first == at(memory) && breach.last == at(memory + last));
        st_seal_drop(&seal);
    }
    free(memory);
}

/* Two blocks with a page between them that is not there. */
static void a_gap_that_cannot_be_read(void **state)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct st_buffer buffer = comb(pages + page - 16, 2, 16, 16 + page);
    struct st_seal seal;
    struct st_breach breach;
    (void)state;
    munmap(pages + page, page);
    assert_true(st_seal_make(&seal, &buffer));
    pages[2 * page]++;
    assert_true(st_seal_broken(&seal, &buffer, &breach));
    assert_true(breach.first == at(pages + 2 * page));
    st_seal_drop(&seal);
    munmap(pages, 3 * page);
}

static void memory_that_cannot_be_read(void **state)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct st_buffer buffer = solid(pages, 2 * page), nowhere = solid(NULL, 8);
    struct st_buffer round = solid((void *)(UINTPTR_MAX - 7), 64);
    struct st_seal seal;
    struct st_breach breach;
    (void)state;
    assert_false(st_seal_make(&seal, &nowhere));
    assert_false(st_seal_make(&seal, &round));
    assert_true(st_seal_make(&seal, &buffer));
    pages[0]++;
    munmap(pages + page, page);
    errno = 17;
    assert_false(st_seal_broken(&seal, &buffer, &breach));
    assert_int_equal(errno, 17);
    st_seal_drop(&seal);
    assert_false(st_seal_make(&seal, &buffer));
    munmap(pages, page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_byte_counts),
        cmocka_unit_test(gaps_do_not),
        cmocka_unit_test(a_gap_that_cannot_be_read),
        cmocka_unit_test(memory_that_cannot_be_read),
    };
    if (!st_peek_works())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
