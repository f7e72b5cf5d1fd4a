/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/quick_arrays.h"

#include <string.h>

#include "runtime/check/quick.h"

/* The memory of all blocks of a side: displacements from its buffer, in bytes. */
struct st_quick_range {
    int64_t low, high;
};

/* No sum and no product of such numbers overflows. */
enum { LOG2_MOST_ELEMENTS = 40, LOG2_MOST_EXTENT = 20 };

static bool is_few(int64_t number)
{
    return (uint64_t)number < UINT64_C(1) << LOG2_MOST_ELEMENTS;
}

/* Returns the extent of the datatype in bytes, if all its bytes lie within it; else 0. */
static int64_t bound_elements(uint64_t type, uint8_t access)
{
    const uint32_t place = st_quick_place(type);
    if (st_quick.types[place] == type) {
        return st_quick.basic[place].bytes;
    }
    const struct st_quick_derived *known = st_quick_derived(type);
    if (!known) {
        return 0;
    }
    const struct st_layout *layout = known->shape->layout;
    const int64_t extent = known->shape->extent;
    const bool is_within = !layout->doubt && layout->span && layout->low >= 0 &&
                           extent < INT64_C(1) << LOG2_MOST_EXTENT && layout->low <= extent &&
                           layout->span <= (uint64_t)(extent - layout->low);
    return is_within && !(access == ST_WRITE && known->shape->overlaps_at) ? extent : 0;
}

static int64_t member_at(const void *array, uint8_t bytes, int32_t i)
{
    if (bytes == sizeof(int32_t)) {
        return ((const int32_t *)array)[i];
    }
    int64_t member;
    memcpy(&member, (const char *)array + (size_t)i * sizeof member, sizeof member);
    return member;
}

/* Finds the range of all blocks, in elements. Returns false if a number is negative; or `apart`, and a block begins before
 * the end of one of a lower rank. */
static inline bool bound_members(const struct st_quick_side *blocks, int32_t size, bool apart,
                                 uint8_t count_bytes, uint8_t displ_bytes,
                                 struct st_quick_range *range)
{
    int64_t low = INT64_MAX, high = 0, bits = 0;
    bool meet = false;
    for (int32_t i = 0; i < size; i++) {
        const int64_t count = member_at(blocks->counts, count_bytes, i);
        const int64_t displ = member_at(blocks->displs, displ_bytes, i);
        const int64_t end = (int64_t)((uint64_t)displ + (uint64_t)count);
        bits |= count | displ;
        meet |= count && displ < high;
        low = count && displ < low ? displ : low;
        high = count && end > high ? end : high;
    }
    *range = low < high ? (struct st_quick_range){low, high} : (struct st_quick_range){0, 0};
    return is_few(bits) && !(apart && meet);
}

/* Returns false if the blocks may be wrong. */
static bool bound_blocks(const struct st_quick_side *blocks, int32_t size, bool apart,
                         uint8_t access, struct st_quick_range *range)
{
    const int64_t extent = bound_elements(blocks->type, access);
    bool known;
    *range = (struct st_quick_range){0, 0};
    if (!extent || !blocks->buffer || st_is_in_place((uint64_t)(uintptr_t)blocks->buffer)) {
        return false;
    }
    if (!blocks->count_bytes) {
        *range = (struct st_quick_range){0, blocks->count};
        known = is_few(blocks->count) &&
                st_quick_data(blocks->buffer, blocks->count, blocks->type, access);
    } else if (!blocks->counts || !blocks->displs) {
        known = false;
    } else if (blocks->count_bytes == sizeof(int32_t) && blocks->displ_bytes == sizeof(int32_t)) {
        known = bound_members(blocks, size, apart, sizeof(int32_t), sizeof(int32_t), range);
    } else {
        known = bound_members(blocks, size, apart, blocks->count_bytes, blocks->displ_bytes, range);
    }
    if (known) { /* then no product overflows */
        range->low *= extent;
        range->high *= extent;
    }
    return known;
}

static bool share_memory(const struct st_quick_side *send, struct st_quick_range sent,
                         const struct st_quick_side *receive, struct st_quick_range received)
{
    const uint64_t from = (uint64_t)(uintptr_t)send->buffer + (uint64_t)sent.low;
    const uint64_t to = (uint64_t)(uintptr_t)receive->buffer + (uint64_t)received.low;
    return to - from < (uint64_t)(sent.high - sent.low) ||
           from - to < (uint64_t)(received.high - received.low);
}

/* Returns how many elements a side has for this rank itself. */
static int64_t count_of(const struct st_quick_side *blocks, int32_t rank)
{
    return blocks->count_bytes ? member_at(blocks->counts, blocks->count_bytes, rank)
                               : blocks->count;
}

/* Both sides are significant in this rank. `send_apart`: also what is sent must not overlap. */
static bool are_right(const struct st_quick_side *send, const struct st_quick_side *receive,
                      bool send_apart, uint64_t comm)
{
    const int32_t size = st_quick_size(comm), me = st_quick_me(comm);
    struct st_quick_range sent = {0, 0}, received = {0, 0};
    return send->type == receive->type && bound_blocks(send, size, send_apart, ST_READ, &sent) &&
           bound_blocks(receive, size, true, ST_WRITE, &received) &&
           count_of(send, me) == count_of(receive, me) &&
           !share_memory(send, sent, receive, received);
}

static bool is_in_place(const struct st_quick_side *blocks)
{
    return st_is_in_place((uint64_t)(uintptr_t)blocks->buffer);
}

bool st_quick_gathered_arrays(const struct st_quick_side *send, const struct st_quick_side *receive,
                              int root, uint64_t comm)
{
    struct st_quick_range received;
    if (!st_quick_comm(comm, true)) {
        return false;
    }
    if (root != st_quick_me(comm)) {
        return st_quick_at_leaf(send->buffer, send->count, send->type, ST_READ);
    }
    return is_in_place(send) ? bound_blocks(receive, st_quick_size(comm), true, ST_WRITE, &received)
                             : are_right(send, receive, false, comm);
}

bool st_quick_scattered_arrays(const struct st_quick_side *send,
                               const struct st_quick_side *receive, int root, uint64_t comm)
{
    struct st_quick_range sent;
    if (!st_quick_comm(comm, true)) {
        return false;
    }
    if (root != st_quick_me(comm)) {
        return st_quick_at_leaf(receive->buffer, receive->count, receive->type, ST_WRITE);
    }
    return is_in_place(receive) ? bound_blocks(send, st_quick_size(comm), true, ST_READ, &sent)
                                : are_right(send, receive, true, comm);
}

bool st_quick_exchanged_arrays(const struct st_quick_side *send,
                               const struct st_quick_side *receive, uint64_t comm)
{
    struct st_quick_range received;
    if (!st_quick_comm(comm, true)) {
        return false;
    }
    return is_in_place(send) ? bound_blocks(receive, st_quick_size(comm), true, ST_WRITE, &received)
                             : are_right(send, receive, false, comm);
}
