/* SPDX-License-Identifier: BSD-3-Clause */
#include "packed.h"

#include <stdlib.h>
#include <string.h>

#include "core/model/hash.h"

uint64_t packed_share(uint64_t number, uint64_t digest)
{
    return st_hash_word(number, digest);
}

uint64_t packed_first(uint64_t number)
{
    return (number - 1) / FAR_BLOCK * FAR_BLOCK + 1;
}

static int by_number(const void *left, const void *right)
{
    const struct far_call *a = left, *b = right;
    if (a->comm != b->comm) {
        return a->comm < b->comm ? -1 : 1;
    }
    return (a->number > b->number) - (a->number < b->number);
}

/* Most often it is sorted. */
static void sort_calls(struct far_call *list, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (by_number(&list[i - 1], &list[i]) > 0) {
            qsort(list, count, sizeof *list, by_number);
            return;
        }
    }
}

/* True if this call and those after it are a block. */
static bool begins_block(const struct far_call *list, size_t count)
{
    if (count < FAR_BLOCK || list[0].number != packed_first(list[0].number)) {
        return false;
    }
    for (size_t i = 0; i < FAR_BLOCK; i++) {
        if (list[i].comm != list[0].comm || list[i].number != list[0].number + i ||
            list[i].flags != 0) {
            return false;
        }
    }
    return true;
}

static uint64_t block_sum(const struct far_call *list)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < FAR_BLOCK; i++) {
        sum += packed_share(list[i].number, list[i].digest);
    }
    return sum;
}

/* The bytes that are made. */
struct packing {
    char *bytes;
    size_t length;
    size_t run; /* where the last one begins */
    struct far_run last;
};

/* Adds a call, or a block, to the last run, or a new one. There is room. */
static void add_word(struct packing *packing, const struct far_call *call, uint32_t flags,
                     uint64_t word)
{
    struct far_run *last = &packing->last;
    const uint64_t step = flags & FAR_RUN_BLOCKS ? FAR_BLOCK : 1;
    if (last->count == 0 || last->comm != call->comm || last->flags != flags ||
        last->first + last->count * step != call->number) {
        *last = (struct far_run){.comm = call->comm, .first = call->number, .flags = flags};
        packing->run = packing->length;
        packing->length += sizeof *last;
    }
    last->count++;
    memcpy(packing->bytes + packing->run, last, sizeof *last);
    memcpy(packing->bytes + packing->length, &word, sizeof word);
    packing->length += sizeof word;
}

char *packed_calls(struct far_call *list, size_t count, bool with_blocks, size_t *length)
{
    struct packing packing = {.bytes =
                                  malloc(count * (sizeof(struct far_run) + sizeof(uint64_t)) + 1)};
    sort_calls(list, count);
    for (size_t i = 0; i < count && packing.bytes != NULL;) {
        if (with_blocks && begins_block(&list[i], count - i)) {
            add_word(&packing, &list[i], FAR_RUN_BLOCKS, block_sum(&list[i]));
            i += FAR_BLOCK;
        } else {
            add_word(&packing, &list[i], (uint32_t)list[i].flags, list[i].digest);
            i++;
        }
    }
    *length = packing.length;
    return packing.bytes;
}

bool packed_run(struct packed_reader *reader, struct far_run *run, const char **words)
{
    if (reader->length - reader->at < sizeof *run) {
        return false;
    }
    memcpy(run, reader->body + reader->at, sizeof *run);
    reader->at += sizeof *run;
    *words = reader->body + reader->at;
    const size_t there = (reader->length - reader->at) / sizeof(uint64_t);
    run->count = run->count < there ? run->count : (uint32_t)there;
    reader->at += run->count * sizeof(uint64_t);
    return run->count != 0;
}

bool packed_next(struct packed_reader *reader, struct far_call *call, bool *is_block)
{
    uint64_t word;
    if (reader->next == reader->run.count) {
        if (reader->length - reader->at < sizeof reader->run) {
            return false;
        }
        memcpy(&reader->run, reader->body + reader->at, sizeof reader->run);
        reader->at += sizeof reader->run;
        reader->next = 0;
    }
    if (reader->run.count == 0 || reader->length - reader->at < sizeof word) {
        return false;
    }
    memcpy(&word, reader->body + reader->at, sizeof word);
    reader->at += sizeof word;
    *is_block = (reader->run.flags & FAR_RUN_BLOCKS) != 0;
    *call =
        (struct far_call){.comm = reader->run.comm,
                          .number = reader->run.first + reader->next * (*is_block ? FAR_BLOCK : 1),
                          .digest = word,
                          .flags = reader->run.flags & ~(uint32_t)FAR_RUN_BLOCKS};
    reader->next++;
    return true;
}

char *packed_kept(const char *body, size_t length, packed_keeps_fn *keeps, void *context,
                  size_t *kept)
{
    struct packed_reader reader = {.body = body, .length = length};
    struct packing packing = {
        .bytes = malloc(length / sizeof(uint64_t) * (sizeof(struct far_run) + sizeof(uint64_t)))};
    struct far_run run;
    const char *words;
    while (packing.bytes != NULL && packed_run(&reader, &run, &words)) {
        const uint64_t step = run.flags & FAR_RUN_BLOCKS ? FAR_BLOCK : 1;
        for (uint32_t i = 0; i < run.count; i++) {
            struct far_call call = {
                .comm = run.comm, .number = run.first + i * step, .flags = run.flags};
            memcpy(&call.digest, words + i * sizeof call.digest, sizeof call.digest);
            if (keeps(context, &call)) {
                add_word(&packing, &call, run.flags, call.digest);
            }
        }
    }
    *kept = packing.length;
    if (packing.length == 0) {
        free(packing.bytes);
        return NULL;
    }
    return packing.bytes;
}
