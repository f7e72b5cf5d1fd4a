/* SPDX-License-Identifier: BSD-3-Clause */
#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "../words.h"
#include "core/model/hash.h"

enum { LISTS = 4096 };
static struct known_group *table[LISTS];

static uint64_t hash_block(const struct stream_reader *block)
{
    uint64_t hash = block->left;
    for (size_t i = 0; i < block->left; i++) {
        hash = hash * UINT64_C(0x100000001b3) ^ block->at[i];
    }
    return st_hash_word(hash, 1);
}

static struct known_group *find_group(const struct stream_reader *block, uint64_t hash)
{
    struct known_group *group = table[hash % LISTS];
    while (group != NULL && (group->hash != hash || group->length != block->left ||
                             memcmp(group->bytes, block->at, block->left) != 0)) {
        group = group->next;
    }
    return group;
}

/* Returns false if the runs do not add up. */
static bool read_runs(struct stream_reader *from, struct known_group *group)
{
    const size_t count = (size_t)group->size;
    size_t runs = stream_take_count(from), known = 0;
    for (; runs != 0 && !from->is_bad; runs--) {
        uint64_t gpid = stream_take(from);
        const uint64_t step = (uint64_t)stream_take_signed(from);
        for (uint64_t left = stream_take_most(from, count - known); left != 0; left--) {
            group->members[known++] = gpid;
            gpid += step;
        }
    }
    return !from->is_bad && from->left == 0 && known == count;
}

static struct known_group *read_group(struct stream_reader block, uint64_t hash)
{
    struct stream_reader from = block;
    const int32_t size = (int32_t)stream_take_most(&from, GROUPS_MOST);
    if (from.is_bad || size == 0) {
        return NULL;
    }
    struct known_group *group = zeroed_one(sizeof *group);
    group->size = size;
    group->hash = hash;
    group->members = zeroed((size_t)size, sizeof *group->members);
    group->bytes = zeroed_one(block.left);
    group->length = block.left;
    memcpy(group->bytes, block.at, block.left);
    if (!read_runs(&from, group)) {
        free(group->members);
        free(group->bytes);
        free(group);
        return NULL;
    }
    group->next = table[hash % LISTS];
    table[hash % LISTS] = group;
    return group;
}

struct known_group *groups_take(struct stream_reader block)
{
    const uint64_t hash = hash_block(&block);
    struct known_group *group = find_group(&block, hash);
    group = group != NULL ? group : read_group(block, hash);
    if (group != NULL) {
        group->users++;
    }
    return group;
}

void groups_drop(struct known_group *group)
{
    if (group == NULL || --group->users != 0) {
        return;
    }
    struct known_group **at = &table[group->hash % LISTS];
    while (*at != group) {
        at = &(*at)->next;
    }
    *at = group->next;
    free(group->members);
    free(group->bytes);
    free(group);
}
