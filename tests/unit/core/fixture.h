/*
 * An image and a registry over it, for tests that build some types and look at them.
 * A fixture that does not open is a failed test.
 */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include "core/decode/decode.h"
#include "image.h"

struct fixture {
    struct image image;
    struct st_registry *registry; /* NULL before fixture_open() */
};

void fixture_init(struct fixture *f);
/* image_finish() and st_registry_open() */
void fixture_open(struct fixture *f);
void fixture_deinit(struct fixture *f);

/* The decoded node; it must decode. */
const struct st_type *fixture_type(struct fixture *f, uint32_t ordinal);
/* ST_LIVE, ... of the handle of a node; the type in *type. No fault is expected. */
enum st_handle_state fixture_find(struct fixture *f, uint64_t handle, const struct st_type **type);

#endif
