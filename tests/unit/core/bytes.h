/*
 * Bytes by brute force: how often each byte of a buffer is named by its type map, which comes from
 * the definitions (oracle.h) or, for types that are too large for that, from a walk over all places
 * (place.h). The other side of the tests on layouts and overlap: no line of those is in it.
 *
 *     struct bytes bytes;
 *     if (bytes_of_map(&bytes, &map, 3)) {          // count 3; false: more than BYTES_MOST
 *         ... bytes.times[i]: of the byte at displacement bytes.low + i ...
 *     }
 *     bytes_deinit(&bytes);
 */
#ifndef TESTS_BYTES_H
#define TESTS_BYTES_H

#include "oracle.h"
#include "core/model/place.h"

enum { BYTES_MOST = 1 << 16 };

struct bytes {
    int64_t low;
    size_t size;     /* 0: none */
    uint8_t *times;  /* 254: or more; 255 is for the test */
    size_t distinct; /* bytes that are named */
    bool twice;      /* one is named more than once */
};

bool bytes_of_map(struct bytes *bytes, const struct map *map, int64_t count);
/* The type's own bounds must be known. */
bool bytes_of_type(struct bytes *bytes, const struct st_type *type, int64_t count);
void bytes_deinit(struct bytes *bytes);

/* How often the byte at a displacement is named. */
unsigned bytes_at(const struct bytes *bytes, int64_t displacement);

/* How many bytes two buffers share, b being `shift` bytes after a. */
size_t bytes_shared(const struct bytes *a, const struct bytes *b, int64_t shift);

/* The contiguous pieces. */
size_t bytes_pieces(const struct bytes *bytes);

#endif
