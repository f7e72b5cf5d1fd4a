/* SPDX-License-Identifier: BSD-3-Clause */
#include "stream.h"

#include <stdlib.h>
#include <string.h>

#include "../say.h"

/* Returns where so many bytes more belong. */
static unsigned char *make_room(struct stream_writer *writer, size_t length)
{
    if (writer->room - writer->length < length) {
        const size_t room = 2 * (writer->room + length) + 64;
        unsigned char *longer = realloc(writer->bytes, room);
        if (longer == NULL) {
            fail(1, "out of memory");
        }
        writer->bytes = longer;
        writer->room = room;
    }
    return writer->bytes + writer->length;
}

void stream_put(struct stream_writer *writer, uint64_t number)
{
    enum { MOST_BYTES = 10 };
    unsigned char *to = make_room(writer, MOST_BYTES);
    size_t length = 0;
    for (; number > 0x7f; number >>= 7) {
        to[length++] = (unsigned char)(number | 0x80);
    }
    to[length++] = (unsigned char)number;
    writer->length += length;
}

void stream_put_signed(struct stream_writer *writer, int64_t number)
{
    stream_put(writer, (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0));
}

void stream_put_word(struct stream_writer *writer, uint64_t word)
{
    stream_put_bytes(writer, &word, sizeof word);
}

void stream_put_bytes(struct stream_writer *writer, const void *bytes, size_t length)
{
    unsigned char *to = make_room(writer, length);
    if (length != 0) {
        memcpy(to, bytes, length);
    }
    writer->length += length;
}

void stream_put_block(struct stream_writer *writer, const void *bytes, size_t length)
{
    stream_put(writer, length);
    stream_put_bytes(writer, bytes, length);
}

/* Nothing more of it is taken. */
static void spoil_reader(struct stream_reader *reader)
{
    reader->is_bad = true;
    reader->left = 0;
}

uint64_t stream_take(struct stream_reader *reader)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && reader->left != 0; shift += 7) {
        const unsigned char byte = *reader->at++;
        reader->left--;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            return number;
        }
    }
    spoil_reader(reader);
    return 0;
}

uint64_t stream_take_most(struct stream_reader *reader, uint64_t most)
{
    const uint64_t number = stream_take(reader);
    if (number > most) {
        spoil_reader(reader);
        return 0;
    }
    return number;
}

int64_t stream_take_signed(struct stream_reader *reader)
{
    const uint64_t number = stream_take(reader);
    return (int64_t)(number >> 1 ^ (number & 1 ? UINT64_MAX : 0));
}

int32_t stream_take_int(struct stream_reader *reader)
{
    const int64_t number = stream_take_signed(reader);
    if (number < INT32_MIN || number > INT32_MAX) {
        spoil_reader(reader);
        return 0;
    }
    return (int32_t)number;
}

uint64_t stream_take_word(struct stream_reader *reader)
{
    uint64_t word = 0;
    if (reader->left < sizeof word) {
        spoil_reader(reader);
        return 0;
    }
    memcpy(&word, reader->at, sizeof word);
    reader->at += sizeof word;
    reader->left -= sizeof word;
    return word;
}

struct stream_reader stream_take_block(struct stream_reader *reader)
{
    const uint64_t length = stream_take_most(reader, reader->left);
    if (length > reader->left) {
        spoil_reader(reader);
    }
    const struct stream_reader block = {reader->at, reader->is_bad ? 0 : (size_t)length,
                                        reader->is_bad};
    if (!reader->is_bad) {
        reader->at += block.left;
        reader->left -= block.left;
    }
    return block;
}

size_t stream_take_count(struct stream_reader *reader)
{
    const uint64_t count = stream_take(reader);
    if (count > reader->left) {
        spoil_reader(reader);
        return 0;
    }
    return (size_t)count;
}
