/* Call sites: each one once, readable from the root, with any number of frames. */
#include "unit/runtime/unit.h"

#include "runtime/record/sites.h"

enum { COUNT = 20000 };

static uint64_t frame_of(uint32_t site, uint32_t frame)
{
    const uint64_t *chunks = st_pointer(st_root.site_chunks);
    const uint64_t *chunk = st_pointer(chunks[site / st_root.sites_per_chunk]);
    return chunk[site % st_root.sites_per_chunk * st_root.site_frames + frame];
}

static void each_once(void **state)
{
    (void)state;
    for (int again = 0; again < 2; again++)
        for (uint32_t i = 0; i < COUNT; i++) {
            uint64_t frames[ST_SITE_FRAMES] = {0};
            for (uint32_t k = 0; k < st_root.site_frames; k++)
                frames[k] = 0x400000 + i * (k + 1);
            assert_int_equal(st_site_intern(frames), i);
            assert_int_equal(st_site_intern(frames), i);
        }
    assert_int_equal(st_root.sites_used, COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t k = 0; k < st_root.site_frames; k++)
            assert_int_equal(frame_of(i, k), 0x400000 + i * (k + 1));
}

/* usage: sites_test [FRAMES] */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_once)};
    st_root.site_frames = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
