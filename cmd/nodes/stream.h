/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers as bytes, small ones in few of them.
 *
 *     struct stream_writer writer = {0};
 *     stream_put(&writer, 300);                            // two bytes
 *     stream_put_signed(&writer, -1);                      // one byte
 *     ... writer.bytes, writer.length ...                  // free(writer.bytes)
 *
 *     struct stream_reader reader = {bytes, length, false};
 *     if (stream_take(&reader) == 300 && stream_take_signed(&reader) == -1 && !reader.is_bad) { ... }
 *
 * A reader that finds no more bytes, or a number that is too large, is bad from then on: all that it takes is 0.
 */
#ifndef MPIPP_NODES_STREAM_H
#define MPIPP_NODES_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stream_writer {
    unsigned char *bytes; /* the caller's to free; NULL: none yet */
    size_t length, room;
};

/* Each ends mpipp if memory runs out. */
void stream_put(struct stream_writer *writer, uint64_t number);
void stream_put_signed(struct stream_writer *writer, int64_t number);
/* All of its 8 bytes: for hashes. */
void stream_put_word(struct stream_writer *writer, uint64_t word);
void stream_put_bytes(struct stream_writer *writer, const void *bytes, size_t length);
/* Its length, and its bytes. */
void stream_put_block(struct stream_writer *writer, const void *bytes, size_t length);

struct stream_reader {
    const unsigned char *at;
    size_t left;
    bool is_bad;
};

uint64_t stream_take(struct stream_reader *reader);
/* The same; a number above MOST is bad. */
uint64_t stream_take_most(struct stream_reader *reader, uint64_t most);
int64_t stream_take_signed(struct stream_reader *reader);
/* The same; what is no int32_t is bad. */
int32_t stream_take_int(struct stream_reader *reader);
uint64_t stream_take_word(struct stream_reader *reader);
/* The bytes of a block, within those of READER; none if it is bad. */
struct stream_reader stream_take_block(struct stream_reader *reader);
/* A number of things that follow, of which each takes a byte at least. */
size_t stream_take_count(struct stream_reader *reader);

#endif
