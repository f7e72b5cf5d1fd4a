/*
 * Changes to a sound image (tests/unit/core/zoo.h), as inputs of the fuzzers have them: 12 bytes
 * each,
 *
 *     u16 where (in units of the width, modulo the image)   u8 how   u8 width   u64 value
 *
 * so that a fuzzer reaches every field of every structure with few bytes, and never has to guess
 * the magic numbers that a random file would fail at.
 */
#ifndef TESTS_CHANGE_H
#define TESTS_CHANGE_H

#include "image.h"

enum { CHANGE = 12 };

/* A copy of the zoo with its own data, exactly as long: free(image.data). data NULL: no memory. */
struct image changed_zoo(const uint8_t *changes, size_t count);

#endif
