/* Which memory is the processor's own. */
#define _GNU_SOURCE
#include "runtime/objects/peek.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit/runtime/unit.h"

#define AT "7f5d1c000000-7f5d1c021000 "

static bool is_ordinary_line(const char *line)
{
    struct st_mapping mapping;
    assert_true(st_mapping_read(line, &mapping));
    assert_true(mapping.low == 0x7f5d1c000000 && mapping.high == 0x7f5d1c021000);
    return mapping.ordinary;
}

static void memory_files_and_shared_memory(void **state)
{
    (void)state;
    assert_true(is_ordinary_line(AT "rw-p 00000000 00:00 0 "));
    assert_true(is_ordinary_line(AT "rw-p 00000000 00:00 0                          [heap]"));
    assert_true(is_ordinary_line(AT "rw-p 00000000 00:00 0                          [stack]"));
    assert_true(is_ordinary_line(AT "rw-p 00000000 00:00 0                  [anon: buffers]"));
    assert_true(is_ordinary_line(AT "rw-p 00004000 fe:00 123                    /home/a b/app"));
    assert_true(
        is_ordinary_line(AT "rw-s 00000000 00:19 2              /dev/shm/ompi.1 (deleted)"));
    assert_true(is_ordinary_line(AT "rw-s 00000000 00:01 2                /dev/zero (deleted)"));
    assert_true(is_ordinary_line(AT "rw-p 00000000 00:05 4                    /dev/zero"));
    assert_true(is_ordinary_line(AT "rw-s 00000000 00:01 2              /SYSV00000000 (deleted)"));
    assert_true(is_ordinary_line(AT "rw-s 00000000 00:01 2             /memfd:pages (deleted)"));
    assert_true(is_ordinary_line(AT "rw-p 00000000 00:0f 2           /dev/hugepages/rank0"));
}

static void devices_and_what_is_the_kernels(void **state)
{
    static const char *const paths[] = {
        "/dev/nvidia-uvm", "/dev/nvidia0",
        "/dev/kfd",        "/dev/dri/renderD128",
        "/dev/mem",        "/dev/dax0.0",
        "[vvar]",          "/dev/infiniband/uverbs0",
        "[vdso]",          "[vsyscall]",
        "/dmabuf:",        "/sys/bus/pci/devices/0000:01:00.0/resource0",
        "/proc/1/pagemap", "/dev/xpmem",
        "/dev/zero0",      "anon_inode:i915.gem",
        "socket:[1234]"};
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char line[256] = AT "rw-s 00000000 00:05 77   ";
        strcat(line, paths[i]);
        assert_false(is_ordinary_line(line));
    }
    assert_false(is_ordinary_line(AT "---p 00000000 00:00 0 "));
    assert_false(is_ordinary_line(AT "-w-p 00000000 00:00 0                          [heap]"));
}

static void lines_that_are_none(void **state)
{
    static const char *const lines[] = {"",
                                        "-",
                                        "7f5d1c000000",
                                        "7f5d1c000000-",
                                        "x-y r--p",
                                        "7f5d1c021000-7f5d1c000000 r--p 0 0 0",
                                        "7f5d1c000000-7f5d1c021000",
                                        "Size: 4 kB"};
    struct st_mapping mapping;
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_false(st_mapping_read(lines[i], &mapping));
}

static bool has(const void *from, size_t bytes)
{
    const struct iovec piece = {.iov_base = (void *)(uintptr_t)from, .iov_len = bytes};
    return st_are_ordinary(&piece, 1);
}

static void the_process_own(void **state)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int local = 0;
    char *heap = malloc(100);
    (void)state;
    assert_true(has(&local, sizeof local));
    assert_true(has(heap, 100));
    assert_true(has("constant", 9));
    assert_false(has(NULL, 1));
    assert_false(has((void *)(UINTPTR_MAX - 10), 5));
    free(heap);
    /* What comes new is seen, and what is read-protected, or gone, is not taken for memory for long. */
    char *pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(has(pages, 3 * page));
    munmap(pages + page, page);
    mprotect(pages + 2 * page, page, PROT_NONE);
    usleep(200000);
    assert_true(has(pages, page));
    assert_false(has(pages, page + 1));
    assert_false(has(pages + page, 1));
    assert_false(has(pages + 2 * page, 1));
    mmap(pages + page, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    assert_true(has(pages + page, page));
    const struct iovec both[] = {{pages, 8}, {pages + page, 8}},
                       one[] = {{pages, 8}, {pages + 2 * page, 8}};
    assert_true(st_are_ordinary(both, 2));
    assert_false(st_are_ordinary(one, 2));
    munmap(pages, 3 * page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_files_and_shared_memory),
        cmocka_unit_test(devices_and_what_is_the_kernels),
        cmocka_unit_test(lines_that_are_none),
        cmocka_unit_test(the_process_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
