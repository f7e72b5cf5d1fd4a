/* SPDX-License-Identifier: BSD-3-Clause */
#include "shared.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include "../words.h"
#include "core/agree/place.h"
#include "core/model/registry.h"
#include "node.h"

bool shared_map(struct shared *shared)
{
    struct stat state;
    int file = node_file();
    if (file < 0 || fstat(file, &state) != 0 ||
        (uint64_t)state.st_size < st_segment_fixed_bytes()) {
        return false;
    }
    void *bytes = mmap(NULL, (size_t)state.st_size, PROT_READ, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) {
        return false;
    }
    shared->bytes = bytes;
    shared->length = (size_t)state.st_size;
    shared->head = bytes;
    shared->ranks = (const void *)(shared->bytes + ST_SEGMENT_HEAD);
    shared->meetings = (const void *)(shared->ranks + ST_SEGMENT_RANKS);
    shared->ended = (const void *)(shared->bytes + st_segment_ended());
    shared->firsts =
        shared->head->has_firsts ? (const void *)(shared->bytes + st_segment_firsts()) : NULL;
    shared->rank_count =
        shared->head->rank_count < ST_SEGMENT_RANKS ? shared->head->rank_count : ST_SEGMENT_RANKS;
    return true;
}

void shared_unmap(struct shared *shared)
{
    munmap((void *)(uintptr_t)shared->bytes, shared->length);
    *shared = (struct shared){0};
}

const struct st_rank_area *shared_area(const struct shared *shared, uint32_t rank)
{
    uint64_t from = st_segment_area(rank, node_message_mask());
    if (__atomic_load_n(&shared->ranks[rank].state, __ATOMIC_ACQUIRE) == ST_RANK_NONE ||
        from + ST_AREA_BYTES > shared->length) {
        return NULL;
    }
    return (const void *)(shared->bytes + from);
}

int shared_rank(const struct shared *shared, uint32_t rank)
{
    return st_gpid_rank(shared->ranks[rank].gpid);
}

char *shared_function(const struct shared *shared, uint32_t rank, uint32_t called)
{
    const struct st_rank_area *area = shared_area(shared, rank);
    for (size_t i = 0; area != NULL && i < ST_AREA_FUNCTIONS; i++) {
        if (area->functions[i].number == called + 1) {
            return text_of("%.*s", (int)sizeof area->functions[i].name - 1,
                           area->functions[i].name);
        }
    }
    return text_of("a collective function");
}

json_t *shared_frames(const struct shared *shared, uint32_t rank, uint32_t place)
{
    const struct st_rank_area *area = shared_area(shared, rank);
    json_t *list = json_array();
    if (area == NULL) {
        return list;
    }
    struct st_place_reader reader = st_place_open(area, place);
    struct st_place_frame frame;
    while (st_place_next(&reader, &frame)) {
        json_array_append_new(
            list, json_pack("{s:s*, s:s*, s:I, s:s*, s:s*, s:I, s:b}", "text", frame.text, "module",
                            frame.module, "offset", (json_int_t)frame.offset, "build", frame.build,
                            "symbol", frame.symbol, "symbol_offset",
                            (json_int_t)frame.symbol_offset, "return", (int)frame.is_return));
    }
    return list;
}
