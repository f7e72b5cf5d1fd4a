/*
 * One registry with something of everything: each combiner, names, tombstones, call sites, types
 * that live only below others. What the tests on damage and the fuzzer start from.
 */
#ifndef TESTS_ZOO_H
#define TESTS_ZOO_H

#include "image.h"

/* An initialized image gets the types; image_finish() is still to be called. */
void zoo_fill(struct image *image);

/* Before image_finish(): operations that are pending, and threads in calls. */
void zoo_add_work(struct image *image);

/* Before image_finish(): the last collective calls, of a communicator that zoo_add_work() adds and of one that is gone.
 * The number of bytes that they take is large. */
void zoo_add_log(struct image *image);

/* Reads a whole registry in every way there is: types, rows, names, sites, places, measures.
 * Returns a number that depends on all of it, so that nothing is optimized away. Whatever the image
 * holds, this comes back; `steps` bounds what the walks do, not what the core does by itself. A
 * fault that cannot be made into a sentence (no field where one is promised) aborts, and so does
 * memory taken that nothing which was read has paid for (decode.h). */
uint64_t zoo_read(struct image *image, uint64_t steps);

#endif
