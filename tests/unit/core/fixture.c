#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

void fixture_init(struct fixture *f)
{
    f->registry = NULL;
    image_init(&f->image);
}

void fixture_open(struct fixture *f)
{
    struct st_fault fault = {0};
    image_finish(&f->image);
    assert_int_equal(st_registry_open(&f->registry, image_read, &f->image, f->image.root, &fault),
                     ST_OK);
}

void fixture_deinit(struct fixture *f)
{
    st_registry_close(f->registry);
    image_deinit(&f->image);
}

const struct st_type *fixture_type(struct fixture *f, uint32_t ordinal)
{
    const struct st_type *type = NULL;
    struct st_fault fault = {0};
    enum st_error error = st_registry_type(f->registry, ordinal, 0, &type, &fault);
    if (error) {
        fail_msg("node %u: error %d, field %s, value %llu", ordinal, (int)error,
                 fault.field ? fault.field : "-", (unsigned long long)fault.value);
    }
    return type;
}

enum st_handle_state fixture_find(struct fixture *f, uint64_t handle, const struct st_type **type)
{
    struct st_fault fault = {0};
    enum st_handle_state found = st_registry_find(f->registry, handle, type, &fault);
    assert_int_not_equal(found, ST_FIND_FAILED);
    return found;
}
