/* SPDX-License-Identifier: BSD-3-Clause */
#define XXH_INLINE_ALL
#include "runtime/objects/seals.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <xxhash.h>

#include "core/overlap/window.h"
#include "runtime/objects/peek.h"
#include "runtime/record/own_heap.h"
#include "runtime/record/root.h"

/* Gaps up to MOST_GAP bytes are read, too: skipping one costs as much as reading a page. */
enum { BATCH_BYTES = 1 << 17, BATCH_RUNS = 512, MOST_GAP = 4096, LOG2_FIRST_PIECE = 3 };

/* Bytes of the current batch, and the hashes of all batches before. */
struct st_work {
    unsigned char data[BATCH_BYTES];
    struct st_run runs[BATCH_RUNS]; /* counted from the buffer's first byte */
    struct iovec pieces[BATCH_RUNS];
    size_t run_count;
    uint64_t hashes[ST_SEAL_PIECES];
    uint32_t count, log2_piece;
    uint64_t filled; /* bytes of the current, incomplete piece */
    uint64_t hash;   /* of that piece */
    uint64_t bytes;  /* of all pieces */
};

/* Kept from one call to the next. */
static _Atomic(struct st_work *) spare;

static struct st_work *take_work(void)
{
    struct st_work *work = atomic_exchange(&spare, NULL);
    return work ? work : malloc(sizeof *work);
}

static void give_work(struct st_work *work)
{
    free(atomic_exchange(&spare, work));
}

/* --- hashes -------------------------------------------------------------------------------- */

/* Doubles the size of the pieces, and halves their number. */
static void double_pieces(struct st_work *work)
{
    work->count /= 2;
    for (uint32_t i = 0; i < work->count; i++) {
        work->hashes[i] = XXH3_64bits(&work->hashes[2 * i], 2 * sizeof *work->hashes);
    }
    work->log2_piece++;
}

static void feed_bytes(struct st_work *work, const unsigned char *data, uint64_t length)
{
    work->bytes += length;
    while (length) {
        uint64_t piece = UINT64_C(1) << work->log2_piece, most = piece - work->filled;
        uint64_t part = length < most ? length : most;
        work->hash = XXH3_64bits_withSeed(data, (size_t)part, work->hash);
        work->filled += part;
        data += part;
        length -= part;
        if (work->filled < piece) {
            continue;
        }
        if (work->count == ST_SEAL_PIECES) { /* this piece is the first half of a larger one */
            double_pieces(work);
        } else {
            work->hashes[work->count++] = work->hash;
            work->hash = work->filled = 0;
        }
    }
}

static void finish_work(struct st_work *work)
{
    if (work->filled && work->count == ST_SEAL_PIECES) {
        double_pieces(work);
    }
    if (work->filled) {
        work->hashes[work->count++] = work->hash;
    }
}

/* --- reading ------------------------------------------------------------------------------- */

/* Makes pieces to read of the runs of the batch; runs with a small gap between them become one.
 * Returns their bytes. */
static size_t pieces_of(struct st_work *work, uint64_t first, uint64_t most_gap, size_t *count)
{
    uint64_t end = 0;
    size_t bytes = 0;
    *count = 0;
    for (size_t i = 0; i < work->run_count; i++) {
        const struct st_run *run = &work->runs[i];
        if (!*count || run->from < end || run->from - end > most_gap) {
            work->pieces[(*count)++] =
                (struct iovec){st_pointer(first + run->from), (size_t)(run->to - run->from)};
            bytes += (size_t)(run->to - run->from);
        } else {
            work->pieces[*count - 1].iov_len += (size_t)(run->to - end);
            bytes += (size_t)(run->to - end);
        }
        end = run->to;
    }
    return bytes;
}

static bool read_batch(struct st_work *work, uint64_t first, uint64_t most_gap)
{
    size_t count;
    size_t bytes = pieces_of(work, first, most_gap, &count);
    return bytes <= BATCH_BYTES && st_peek(work->pieces, count, work->data, bytes);
}

static void feed_batch(struct st_work *work, uint64_t most_gap)
{
    const unsigned char *data = work->data;
    uint64_t end = work->runs[0].from;
    for (size_t i = 0; i < work->run_count; i++) {
        const struct st_run *run = &work->runs[i];
        if (run->from >= end && run->from - end <= most_gap) {
            data += run->from - end;
        }
        feed_bytes(work, data, run->to - run->from);
        data += run->to - run->from;
        end = run->to;
    }
    work->run_count = 0;
}

static bool take_batch(struct st_work *work, uint64_t first)
{
    if (!work->run_count) {
        return true;
    }
    uint64_t gap = MOST_GAP;
    if (!read_batch(work, first, gap) && !read_batch(work, first, gap = 0)) {
        return false;
    }
    feed_batch(work, gap);
    return true;
}

/* Reads all bytes of the buffer, in batches. */
static bool read_buffer(struct st_work *work, const struct st_buffer *buffer)
{
    struct st_window window;
    struct st_effort effort = st_effort_of(UINT64_MAX);
    struct st_run run;
    enum st_verdict found = ST_YES;
    size_t room = BATCH_BYTES;
    bool good = true;
    work->count = 0;
    work->run_count = 0;
    work->log2_piece = LOG2_FIRST_PIECE;
    work->hash = work->filled = work->bytes = 0;
    st_window_init(&window, buffer, 0, buffer->span);
    while (good && (found = st_window_next(&window, &effort, &run)) == ST_YES) {
        while (good && run.from < run.to) {
            uint64_t end = work->run_count ? work->runs[work->run_count - 1].to : run.from;
            uint64_t gap = run.from >= end && run.from - end <= MOST_GAP ? run.from - end : 0;
            if (work->run_count == BATCH_RUNS || room <= gap) {
                good = take_batch(work, buffer->first);
                room = BATCH_BYTES;
                continue;
            }
            uint64_t part = run.to - run.from;
            part = part < room - gap ? part : room - gap;
            work->runs[work->run_count++] = (struct st_run){run.from, run.from + part};
            room -= (size_t)(gap + part);
            run.from += part;
        }
    }
    st_window_deinit(&window);
    good = good && found == ST_NO && take_batch(work, buffer->first);
    finish_work(work);
    return good && work->bytes;
}

/* --- seals --------------------------------------------------------------------------------- */

static const uint64_t *hashes_of(const struct st_seal *seal)
{
    return seal->count > ST_SEAL_INSIDE ? seal->hashes.more : seal->hashes.inside;
}

bool st_seal_make(struct st_seal *seal, const struct st_buffer *buffer)
{
    struct st_work *work = take_work();
    *seal = (struct st_seal){0};
    if (!work) {
        return false;
    }
    bool good = read_buffer(work, buffer);
    uint64_t *hashes = seal->hashes.inside;
    if (good && work->count > ST_SEAL_INSIDE) {
        hashes = seal->hashes.more = malloc(work->count * sizeof *hashes);
    }
    if (good && hashes) {
        memcpy(hashes, work->hashes, work->count * sizeof *hashes);
        seal->bytes = work->bytes;
        seal->count = work->count;
        seal->log2_piece = (uint16_t)work->log2_piece;
    }
    give_work(work);
    return seal->count != 0;
}

/* Returns the address of byte `number` of the walk over the buffer. */
static uint64_t address_of(const struct st_buffer *buffer, uint64_t number)
{
    struct st_window window;
    struct st_effort effort = st_effort_of(UINT64_MAX);
    struct st_run run = {0, 0};
    st_window_init(&window, buffer, 0, buffer->span);
    while (st_window_next(&window, &effort, &run) == ST_YES && number >= run.to - run.from) {
        number -= run.to - run.from;
    }
    st_window_deinit(&window);
    return buffer->first + run.from + number;
}

static bool seal_differs(const struct st_seal *seal, const struct st_work *work,
                         struct st_breach *breach)
{
    const uint64_t *hashes = hashes_of(seal);
    uint64_t piece = UINT64_C(1) << seal->log2_piece;
    *breach = (struct st_breach){.all = seal->bytes};
    for (uint32_t i = 0; i < seal->count; i++) {
        uint64_t from = i * piece;
        if (hashes[i] == work->hashes[i]) {
            continue;
        }
        if (!breach->bytes) {
            breach->first = from;
        }
        breach->last = (seal->bytes - from < piece ? seal->bytes : from + piece) - 1;
        breach->bytes += breach->last + 1 - from;
    }
    return breach->bytes;
}

bool st_seal_broken(const struct st_seal *seal, const struct st_buffer *buffer,
                    struct st_breach *breach)
{
    struct st_work *work = take_work();
    if (!work) {
        return false;
    }
    bool broken = read_buffer(work, buffer) && work->bytes == seal->bytes &&
                  work->count == seal->count && seal_differs(seal, work, breach);
    give_work(work);
    if (broken) {
        breach->first = address_of(buffer, breach->first);
        breach->last = address_of(buffer, breach->last);
    }
    return broken;
}

void st_seal_drop(struct st_seal *seal)
{
    if (seal->count > ST_SEAL_INSIDE) {
        free(seal->hashes.more);
    }
    seal->count = 0;
}

/* --- by number of buffer -------------------------------------------------------------------- */

enum { LOG2_CHUNK = 10, MOST_CHUNKS = 1 << 14 };

bool st_seals_on;
static struct st_seal *chunks[MOST_CHUNKS]; /* by number of buffer; mapped when needed */

bool st_seals_begin(void)
{
    st_seals_on = st_peek_works();
    return st_seals_on;
}

/* Returns NULL if the buffer has never had a seal. */
static struct st_seal *seal_at(uint32_t number)
{
    struct st_seal *chunk = chunks[number >> LOG2_CHUNK];
    return chunk ? &chunk[number & ((1u << LOG2_CHUNK) - 1)] : NULL;
}

static struct st_seal *room_at(uint32_t number)
{
    struct st_seal **chunk = &chunks[number >> LOG2_CHUNK];
    if (!*chunk) {
        *chunk = st_map(sizeof **chunk << LOG2_CHUNK);
    }
    return seal_at(number);
}

bool st_seals_wanted(uint32_t number)
{
    const struct st_seal *sealed = seal_at(number);
    return !sealed || !(sealed->spoilt || sealed->count);
}

bool st_seals_put(uint32_t number, const struct st_seal *seal)
{
    struct st_seal *sealed = room_at(number);
    if (!sealed || sealed->spoilt || sealed->count) {
        return false;
    }
    *sealed = *seal;
    return true;
}

bool st_seals_take(uint32_t number, struct st_seal *seal)
{
    struct st_seal *sealed = seal_at(number);
    if (!sealed || !sealed->count) {
        return false;
    }
    *seal = *sealed;
    sealed->count = 0;
    return true;
}

void st_seals_drop(uint32_t number)
{
    struct st_seal *sealed = seal_at(number);
    if (!sealed) {
        return;
    }
    st_seal_drop(sealed);
    sealed->spoilt = false;
}

void st_seals_spoil(uint32_t number)
{
    struct st_seal *sealed = room_at(number);
    if (!sealed) {
        return;
    }
    st_seal_drop(sealed);
    sealed->spoilt = true;
}
